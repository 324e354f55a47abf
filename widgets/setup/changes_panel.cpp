// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/changes_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <algorithm>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/common/theme/theme.h"
#include "widgets/setup/step_texts.h"
#include "widgets/setup/steps_model.h"

namespace lockstep {
namespace {

constexpr int kIconSide = 18;
constexpr int kMaxShown = 200;
const QString kKeepName = QStringLiteral("keep");

QString whereOf(const AppliedChange& change) {
  QStringList facts{stepTitle(change.stepId), shortTime(toQDateTime(change.when))};
  if (!change.profile.empty()) facts << ChangesPanel::tr("profile %1").arg(toQString(change.profile));
  if (change.isTakenBack) facts << ChangesPanel::tr("taken back");
  return facts.join(QStringLiteral(" · "));
}

}  // namespace

ChangesPanel::ChangesPanel(QWidget* parent)
    : QWidget(parent), empty_(new PlainLabel(this)), scroll_(new QScrollArea(this)) {
  auto* title = new PlainLabel(tr("Changes made here"), this);
  makeHeading(title);
  auto* purpose =
      new PlainLabel(tr("Everything that fixes of these steps have changed or created, also those of "
                        "the command line. Each can be taken back, unless somebody has changed it "
                        "since."),
                     this);
  purpose->setWordWrap(true);
  makeCaption(purpose);
  empty_->setText(tr("Nothing yet: checks change nothing, and fixes are shown before they are applied."));
  empty_->setWordWrap(true);
  makeCaption(empty_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setAccessibleName(tr("Changes"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 4, 4, 4);
  column->setSpacing(6);
  column->addWidget(title);
  column->addWidget(purpose);
  column->addWidget(empty_);
  column->addWidget(scroll_, 1);
  rebuild();
}

void ChangesPanel::setChanges(const std::vector<AppliedChange>& changes) {
  changes_ = changes;
  asked_.clear();
  rebuild();
}

void ChangesPanel::setTakingBack(const std::string& changeId) {
  takingBack_ = changeId;
  asked_.clear();
  rebuild();
}

int ChangesPanel::standingCount() const {
  return static_cast<int>(std::count_if(changes_.begin(), changes_.end(),
                                        [](const auto& change) { return !change.isTakenBack; }));
}

void ChangesPanel::rebuild() {
  empty_->setVisible(changes_.empty());
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 4, 6, 0);
  column->setSpacing(8);
  int shown = 0;
  for (auto change = changes_.rbegin(); change != changes_.rend() && shown < kMaxShown; ++change, ++shown)
    column->addWidget(makeCard(*change));
  column->addStretch();
  // The click that led here may come from the page that goes.
  if (QWidget* former = scroll_->takeWidget()) former->deleteLater();
  scroll_->setWidget(page);
  if (auto* keep = page->findChild<QPushButton*>(kKeepName)) keep->setFocus();
}

QWidget* ChangesPanel::makeCard(const AppliedChange& change) {
  auto* card = new QFrame;
  lockstep::makeCard(card);
  card->setAccessibleName(toQString(change.title));
  auto* icon = new PlainLabel(card);
  const QIcon picture =
      change.isTakenBack ? themedIcon(QStringLiteral("undo"), IconColor::Muted) : iconFor(BadgeTone::Ok);
  icon->setPixmap(picture.pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
  auto* title = new PlainLabel(asSentence(change.title), card);
  title->setWordWrap(true);
  title->setTextFormat(Qt::PlainText);
  title->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto* where = new PlainLabel(whereOf(change), card);
  where->setWordWrap(true);
  makeCaption(where);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(title);
  words->addWidget(where);
  auto* row = new QHBoxLayout(card);
  row->setContentsMargins(12, 8, 12, 8);
  row->setSpacing(10);
  row->addWidget(icon, 0, Qt::AlignTop);
  row->addLayout(words, 1);
  if (!change.isTakenBack) row->addWidget(makeButtons(change, card), 0, Qt::AlignVCenter);
  return card;
}

QWidget* ChangesPanel::makeButtons(const AppliedChange& change, QWidget* parent) {
  auto* area = new QWidget(parent);
  auto* row = new QHBoxLayout(area);
  row->setContentsMargins(0, 0, 0, 0);
  const auto add = [&](const QString& text, auto slot) {
    auto* button = new QPushButton(text, area);
    button->setAccessibleDescription(toQString(change.title));
    button->setEnabled(takingBack_.empty());
    connect(button, &QPushButton::clicked, this, slot);
    row->addWidget(button);
    return button;
  };
  if (change.id == takingBack_) {
    add(tr("Taking back …"), [] {});
  } else if (change.id == asked_) {
    // Keeping stands where "Take back" stood: a double click takes nothing back.
    add(tr("Yes, take it back"), [this, id = change.id] { emit takeBackRequested(id); });
    add(tr("Keep it"), [this] { setTakingBack({}); })->setObjectName(kKeepName);
  } else {
    add(tr("Take back …"), [this, id = change.id] {
      asked_ = id;
      rebuild();
    });
  }
  return area;
}

}  // namespace lockstep
