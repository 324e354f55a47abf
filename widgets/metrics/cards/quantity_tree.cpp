// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/quantity_tree.h"

#include <QGuiApplication>
#include <algorithm>
#include <set>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/cards/card_texts.h"
#include "widgets/metrics/charts/metric_texts.h"

namespace lockstep {
namespace {

std::string storeNameOf(const QStandardItem* item) {
  return item->data(QuantityTree::NameRole).toByteArray().toStdString();
}

}  // namespace

QuantityTree::QuantityTree(QObject* parent) : QStandardItemModel(parent) {
  connect(this, &QStandardItemModel::itemChanged, this, &QuantityTree::onChanged);
}

void QuantityTree::setGroups(const std::vector<QuantityGroup>& groups) {
  clear();
  setHorizontalHeaderLabels({tr("Quantity"), tr("Axis on the right")});
  for (const QuantityGroup& group : groups) {
    const QString title =
        group.first != nullptr ? titleOfGroup(group.first->group) : tr("Of the training script");
    addGroup(
        group.isMeasured ? tr("Measured in this run: %1").arg(title) : tr("Not in this run: %1").arg(title),
        group.names, group.isMeasured);
  }
  showBoxes();
}

void QuantityTree::addGroup(const QString& title, const std::vector<std::string>& names, bool isMeasured) {
  const QString why =
      isMeasured ? QString() : tr("This run has not measured it: the card stays empty until a run does.");
  auto* const head = new QStandardItem(title);
  head->setFlags(Qt::ItemIsEnabled);
  auto* const side = new QStandardItem;
  side->setFlags(Qt::ItemIsEnabled);
  QList<QStandardItem*> first, second;
  for (const std::string& name : names) {
    auto* const item = new QStandardItem(titleOfQuantity(name));
    const MetricInfo* const metric = findMetric(name);
    const bool hasNote = metric != nullptr && *metric->note != '\0';
    item->setToolTip(toolTipLines({hasNote ? noteOfMetric(*metric) : QString(), why}));
    if (!isMeasured) {
      item->setForeground(mutedColor(QGuiApplication::palette()));
      item->setData(why, Qt::AccessibleDescriptionRole);
    }
    auto* const right = new QStandardItem;
    right->setData(tr("%1: axis on the right").arg(titleOfQuantity(name)), Qt::AccessibleTextRole);
    for (QStandardItem* const one : {item, right}) {
      one->setData(QByteArray::fromStdString(name), NameRole);
      one->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      one->setCheckState(Qt::Unchecked);
    }
    first << item;
    second << right;
  }
  head->appendColumn(first);
  head->appendColumn(second);
  appendRow({head, side});
}

void QuantityTree::setChosen(const std::vector<CardQuantity>& chosen) {
  std::set<std::string> known;
  for (int row = 0; row < rowCount(); ++row)
    for (int child = 0; child < item(row)->rowCount(); ++child)
      known.insert(storeNameOf(item(row)->child(child)));
  std::vector<std::string> unknown;
  for (const CardQuantity& one : chosen)
    if (!known.contains(one.name)) unknown.push_back(one.name);
  isShowing_ = true;
  if (!unknown.empty()) addGroup(tr("Not in this run"), unknown, false);
  isShowing_ = false;
  chosen_ = chosen;
  showBoxes();
  emit chosenChanged();
}

void QuantityTree::setMost(std::size_t most) {
  most_ = most;
  if (chosen_.size() > most_) chosen_.resize(most_);
  showBoxes();
  emit chosenChanged();
}

void QuantityTree::choose(const std::string& name, bool isChosen) {
  std::erase_if(chosen_, [&](const CardQuantity& one) { return one.name == name; });
  if (!isChosen) return;
  if (most_ == 1) chosen_.clear();
  if (chosen_.size() < most_) chosen_.push_back({name, CardAxis::Left});
}

void QuantityTree::onChanged(QStandardItem* item) {
  if (isShowing_ || item->data(NameRole).isNull()) return;
  const std::string name = storeNameOf(item);
  const bool isChecked = item->checkState() == Qt::Checked;
  if (item->column() == NameColumn) {
    choose(name, isChecked);
  } else {
    for (CardQuantity& one : chosen_)
      if (one.name == name) one.axis = isChecked ? CardAxis::Right : CardAxis::Left;
  }
  showBoxes();
  emit chosenChanged();
}

void QuantityTree::showBoxes() {
  isShowing_ = true;
  for (int row = 0; row < rowCount(); ++row) {
    const QStandardItem* const head = item(row);
    for (int child = 0; child < head->rowCount(); ++child) {
      QStandardItem* const name = head->child(child, NameColumn);
      QStandardItem* const right = head->child(child, RightAxisColumn);
      const auto found =
          std::find_if(chosen_.begin(), chosen_.end(),
                       [at = storeNameOf(name)](const CardQuantity& one) { return one.name == at; });
      const bool isChosen = found != chosen_.end();
      const bool isRight = isChosen && found->axis == CardAxis::Right;
      const bool hasRoom = isChosen || most_ == 1 || chosen_.size() < most_;
      if ((name->checkState() == Qt::Checked) != isChosen)
        name->setCheckState(isChosen ? Qt::Checked : Qt::Unchecked);
      if (name->isEnabled() != hasRoom) name->setEnabled(hasRoom);
      if ((right->checkState() == Qt::Checked) != isRight)
        right->setCheckState(isRight ? Qt::Checked : Qt::Unchecked);
      if (right->isEnabled() != (isChosen && most_ > 1)) right->setEnabled(isChosen && most_ > 1);
    }
  }
  isShowing_ = false;
}

}  // namespace lockstep
