// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/facts_card.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/common/layout/elided_label.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

/// "lockstep" and, muted, the id that train.yaml gets; the id alone where it has no name.
QWidget* makeValue(const QString& value, const QString& name, QWidget* parent) {
  auto* id = new ElidedLabel(value, parent);
  id->setElideMode(Qt::ElideMiddle);
  if (name.isEmpty()) return id;
  id->setMuted(true);
  auto* both = new QWidget(parent);
  both->setToolTip(toolTipLines({name}, value));
  auto* row = new QHBoxLayout(both);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(10);
  row->addWidget(new PlainLabel(name.simplified(), both));
  row->addWidget(id, 1);
  return both;
}

}  // namespace

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

void FactsCard::setFacts(const std::map<std::string, std::string>& facts,
                         const std::map<QString, QString>& names) {
  if (facts == facts_ && names == names_) return;
  facts_ = facts;
  names_ = names;
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
    const auto known = names_.find(toQString(value));
    grid->addWidget(name, row, 0);
    grid->addWidget(makeValue(toQString(value), known == names_.end() ? QString() : known->second, lines_),
                    row++, 1);
  }
  layout()->addWidget(lines_);
  setVisible(!facts_.empty());
}

}  // namespace lockstep
