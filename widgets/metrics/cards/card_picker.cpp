// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/card_picker.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>
#include <array>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/cards/card_texts.h"
#include "widgets/metrics/cards/form_row.h"
#include "widgets/metrics/cards/quantity_tree.h"

namespace lockstep {
namespace {

constexpr std::array kKinds{CardKind::Chart, CardKind::HeatMap, CardKind::StepTime, CardKind::Tiles};
constexpr int kGroupsOpen = 30;  // more rows than these are found by typing

}  // namespace

CardPicker::CardPicker(const MetricStore* metrics, QWidget* parent)
    : QDialog(parent),
      kind_(new QComboBox(this)),
      search_(new QLineEdit(this)),
      tree_(new QuantityTree(this)),
      found_(new QSortFilterProxyModel(this)),
      view_(new QTreeView(this)),
      chosen_(new PlainLabel(this)) {
  setWindowTitle(tr("Add a card"));
  for (const CardKind kind : kKinds) kind_->addItem(titleOfKind(kind));
  kind_->setObjectName(QStringLiteral("cardKind"));
  search_->setObjectName(QStringLiteral("quantitySearch"));
  search_->setPlaceholderText(tr("Find a quantity"));
  search_->setAccessibleName(search_->placeholderText());
  search_->setClearButtonEnabled(true);
  search_->setMaxLength(200);
  search_->installEventFilter(this);
  const MetricStore none;
  tree_->setGroups(quantitiesToChoose(metrics != nullptr ? *metrics : none));
  found_->setSourceModel(tree_);
  found_->setRecursiveFilteringEnabled(true);
  found_->setAutoAcceptChildRows(true);
  found_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  view_->setObjectName(QStringLiteral("quantities"));
  view_->setModel(found_);
  view_->setAccessibleName(tr("Quantities"));
  view_->setUniformRowHeights(true);
  view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  arrange();
  filter({});
  connect(kind_, &QComboBox::currentIndexChanged, this, &CardPicker::onKind);
  connect(search_, &QLineEdit::textChanged, this, &CardPicker::filter);
  connect(tree_, &QuantityTree::chosenChanged, this, &CardPicker::showChosen);
  onKind();
  search_->setFocus();
}

void CardPicker::arrange() {
  view_->header()->setStretchLastSection(false);
  view_->header()->setSectionResizeMode(QuantityTree::NameColumn, QHeaderView::Stretch);
  view_->header()->setSectionResizeMode(QuantityTree::RightAxisColumn, QHeaderView::ResizeToContents);
  chosen_->setWordWrap(true);
  makeCaption(chosen_);
  auto* const buttons = new QDialogButtonBox(this);
  buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
  accept_ = buttons->addButton(tr("Add"), QDialogButtonBox::AcceptRole);
  accept_->setDefault(true);
  makePrimary(accept_);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* const form = new QFormLayout;
  addFormRow(*form, tr("&Shows"), kind_);
  auto* const column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(search_);
  column->addWidget(view_, 1);
  column->addWidget(chosen_);
  column->addWidget(buttons);
  const int letter = fontMetrics().averageCharWidth();
  resize(letter * 80, fontMetrics().height() * 30);
}

void CardPicker::setCard(const DashboardCard& card) {
  setWindowTitle(tr("Quantities of a card"));
  accept_->setText(tr("Apply"));
  card_ = card;
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (kKinds[i] == card.kind) kind_->setCurrentIndex(static_cast<int>(i));
  onKind();
  tree_->setChosen(card.quantities);
  filter(search_->text());
}

CardKind CardPicker::kind() const {
  return kKinds[static_cast<std::size_t>(std::max(0, kind_->currentIndex()))];
}

DashboardCard CardPicker::card() const {
  DashboardCard card = card_;
  card.kind = kind();
  const bool hasQuantities = card.kind == CardKind::Chart || card.kind == CardKind::HeatMap;
  card.quantities = hasQuantities ? tree_->chosen() : std::vector<CardQuantity>{};
  if (card_.quantities != card.quantities) card.title.clear();
  if (card_.quantities.empty() && card.kind != CardKind::Chart && card.rows == 1)
    card.rows = 2;  // they need the room
  return card;
}

void CardPicker::onKind() {
  const bool isChart = kind() == CardKind::Chart;
  tree_->setMost(isChart ? DashboardLayout::kMaxQuantities : 1);
  view_->setColumnHidden(QuantityTree::RightAxisColumn, !isChart);
  const bool hasQuantities = isChart || kind() == CardKind::HeatMap;
  view_->setEnabled(hasQuantities);
  search_->setEnabled(hasQuantities);
  showChosen();
}

void CardPicker::filter(const QString& text) {
  found_->setFilterFixedString(text.trimmed());
  const bool isSearch = !text.trimmed().isEmpty();
  for (int row = 0; row < found_->rowCount(); ++row) {
    const QModelIndex group = found_->index(row, 0);
    const bool isShort = found_->rowCount(group) <= kGroupsOpen;
    view_->setExpanded(group, isSearch || isShort);
    view_->setFirstColumnSpanned(row, {}, true);
  }
  if (!isSearch) return;
  const QModelIndex first = found_->index(0, 0, found_->index(0, 0));
  if (first.isValid()) view_->setCurrentIndex(first);
}

void CardPicker::showChosen() {
  DashboardCard chosen = card();
  const bool needsOne = kind() == CardKind::Chart && chosen.quantities.empty();
  chosen_->setText(needsOne ? tr("Choose one to %1 quantities.").arg(DashboardLayout::kMaxQuantities)
                            : tr("The card: %1").arg(titleOfCard(chosen)));
  accept_->setEnabled(!needsOne);
}

// Down goes from the field into what it found, Enter takes the first of it.
bool CardPicker::eventFilter(QObject* watched, QEvent* event) {
  if (watched != search_ || event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  const auto* const key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Down) {
    view_->setFocus(Qt::TabFocusReason);
    return true;
  }
  const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
  if (!isEnter || search_->text().isEmpty()) return false;
  const QModelIndex first = found_->mapToSource(view_->currentIndex());
  QStandardItem* const item = tree_->itemFromIndex(first);
  if (item != nullptr && item->isCheckable() && item->checkState() != Qt::Checked)
    item->setCheckState(Qt::Checked);
  search_->clear();
  return true;
}

}  // namespace lockstep
