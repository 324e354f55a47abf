// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/health/gap_card.h"

#include <QGridLayout>
#include <QLabel>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kIconSide = 20;

QLabel* makeText(const QString& text, QWidget* parent) {
  auto* label = new PlainLabel(text, parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->setFocusPolicy(Qt::ClickFocus);
  return label;
}

}  // namespace

GapCard::GapCard(BadgeTone tone, const HealthNotice& notice, QWidget* parent) : QFrame(parent) {
  makeCard(this);
  setAccessibleName(notice.what);
  setAccessibleDescription(plainText({{}, notice.cause, notice.remedy}));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(12, 8, 12, 8);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(2, 1);
  auto* icon = new PlainLabel(this);
  icon->setPixmap(iconFor(tone).pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
  grid->addWidget(icon, 0, 0, Qt::AlignTop);
  QLabel* what = makeText(notice.what, this);
  QFont bold = what->font();
  bold.setWeight(QFont::DemiBold);
  what->setFont(bold);
  grid->addWidget(what, 0, 1, 1, 2);
  const auto addLine = [&](const QString& name, const QString& text) {
    if (text.isEmpty()) return;
    auto* label = new PlainLabel(name, this);
    makeCaption(label);
    const int row = grid->rowCount();
    grid->addWidget(label, row, 1, Qt::AlignTop);
    grid->addWidget(makeText(text, this), row, 2);
  };
  addLine(tr("Saw"), notice.cause);
  addLine(tr("To do"), notice.remedy);
}

}  // namespace lockstep
