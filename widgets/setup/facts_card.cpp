// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/facts_card.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/common/elided_label.h"
#include "widgets/common/plain_text.h"
#include "widgets/common/qt_convert.h"
#include "widgets/common/theme.h"

namespace lockstep {

FactsCard::FactsCard(QWidget* parent)
    : QFrame(parent), use_(new QPushButton(tr("&Use in train.yaml"), this)) {
  makeCard(this);
  setAccessibleName(tr("Found for train.yaml"));
  auto* title = new PlainLabel(tr("Found for train.yaml"), this);
  QFont bold = title->font();
  bold.setWeight(QFont::DemiBold);
  title->setFont(bold);
  use_->setToolTip(tr("Fills these fields of the cluster in the designer; one undo takes it back"));
  connect(use_, &QPushButton::clicked, this, [this] { emit useRequested(facts_); });
  auto* head = new QHBoxLayout;
  head->addWidget(title, 1);
  head->addWidget(use_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->addLayout(head);
  hide();
}

void FactsCard::setFacts(const std::map<std::string, std::string>& facts) {
  if (facts == facts_) return;
  facts_ = facts;
  delete lines_;
  lines_ = new QWidget(this);
  auto* grid = new QGridLayout(lines_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(3);
  grid->setColumnStretch(1, 1);
  int row = 0;
  for (const auto& [path, value] : facts_) {
    auto* name = new PlainLabel(toQString(path), lines_);
    makeCaption(name);
    auto* text = new ElidedLabel(toQString(value), lines_);
    text->setElideMode(Qt::ElideMiddle);
    grid->addWidget(name, row, 0);
    grid->addWidget(text, row++, 1);
  }
  layout()->addWidget(lines_);
  setVisible(!facts_.empty());
}

}  // namespace lockstep
