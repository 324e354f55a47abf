// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/activity/calls_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "widgets/activity/calls_model.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/pickers/clear_button.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

/// Paints what failed in the colour of errors; asked of the palette when painting, so that it follows the
/// theme.
class CallsDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == CallsModel::kOutcome && index.data(CallsModel::kFailedRole).toBool())
      option->palette.setColor(QPalette::Text, errorColor(option->palette));
  }
};

}  // namespace

class CallsFilter : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setFailuresOnly(bool only) {
    failuresOnly_ = only;
    invalidateFilter();
  }

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    const bool failed = sourceModel()->index(row, 0, parent).data(CallsModel::kFailedRole).toBool();
    return (failed || !failuresOnly_) && QSortFilterProxyModel::filterAcceptsRow(row, parent);
  }

 private:
  bool failuresOnly_ = false;
};

CallsPanel::CallsPanel(QWidget* parent)
    : QWidget(parent),
      model_(new CallsModel(5'000, this)),
      filtered_(new CallsFilter(this)),
      statusBar_(new MessageBar(this)) {
  filtered_->setSourceModel(model_);
  filtered_->setSortRole(CallsModel::kSortRole);
  filtered_->setFilterKeyColumn(-1);
  filtered_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  auto* views = new QWidget(this);
  stack_ = new QStackedLayout(views);
  stack_->addWidget(makeEmptyState());
  stack_->addWidget(makeTable());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(6);
  layout->addWidget(makeToolRow());
  layout->addWidget(statusBar_);
  layout->addWidget(views, 1);
  showRightView();
}

QWidget* CallsPanel::makeToolRow() {
  auto* row = new QWidget(this);
  count_ = new PlainLabel(row);
  makeCaption(count_);
  filter_ = new QLineEdit(row);
  filter_->setPlaceholderText(tr("Filter by service, operation, status, request id …"));
  filter_->setAccessibleName(tr("Filter the calls"));
  addClearButton(filter_, tr("Clear the filter"));
  filter_->setMaximumWidth(360);
  failuresOnly_ = new QCheckBox(tr("Fai&lures only"), row);
  auto* copy = new QToolButton(row);
  copy->setDefaultAction(copy_);
  copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  copy->setAutoRaise(true);
  auto* clear = new QToolButton(row);
  clear->setIcon(themedIcon(QStringLiteral("remove")));
  clear->setText(tr("Clear"));
  clear->setToolTip(tr("Empty this list; the log on disk stays"));
  clear->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  clear->setAutoRaise(true);
  connect(filter_, &QLineEdit::textChanged, this, &CallsPanel::applyFilter);
  connect(failuresOnly_, &QCheckBox::toggled, this, &CallsPanel::applyFilter);
  connect(clear, &QToolButton::clicked, this, &CallsPanel::clear);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(filter_, 2);
  layout->addWidget(failuresOnly_);
  layout->addWidget(count_);
  layout->addStretch(1);
  layout->addWidget(copy);
  layout->addWidget(clear);
  return row;
}

QWidget* CallsPanel::makeTable() {
  table_ = new QTreeView(this);
  table_->setModel(filtered_);
  table_->setItemDelegate(new CallsDelegate(table_));
  table_->setRootIsDecorated(false);
  table_->setUniformRowHeights(true);
  table_->setAlternatingRowColors(true);
  table_->setAllColumnsShowFocus(true);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setSortingEnabled(true);
  table_->sortByColumn(CallsModel::kTime, Qt::AscendingOrder);
  table_->setAccessibleName(tr("Calls of the services"));
  const QFontMetrics metrics = table_->fontMetrics();
  const int letters[] = {19, 20, 26, 9, 28, 12, 9};
  for (int column = 0; column < static_cast<int>(std::size(letters)); ++column)
    table_->setColumnWidth(column, std::max(metrics.averageCharWidth() * letters[column],
                                            table_->header()->sectionSizeHint(column)));
  table_->header()->setStretchLastSection(true);
  copy_ = new QAction(themedIcon(QStringLiteral("copy")), tr("&Copy"), this);
  copy_->setShortcut(QKeySequence::Copy);
  copy_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  copy_->setToolTip(tr("Copy the selected calls, request ids included (Ctrl+C)"));
  connect(copy_, &QAction::triggered, this, &CallsPanel::copySelected);
  table_->addAction(copy_);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  const auto updateCopy = [this] { copy_->setEnabled(table_->selectionModel()->hasSelection()); };
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, updateCopy);
  updateCopy();
  return table_;
}

QWidget* CallsPanel::makeEmptyState() {
  empty_ = new PlainLabel(this);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  makeCaption(empty_);
  return empty_;
}

void CallsPanel::append(std::vector<oci::CallRecord> calls) {
  if (calls.empty()) return;
  const QScrollBar* bar = table_->verticalScrollBar();
  const bool follows = bar->value() == bar->maximum();
  model_->append(std::move(calls));
  showRightView();
  if (follows) table_->scrollToBottom();
}

void CallsPanel::clear() {
  model_->clear();
  statusBar_->clear();
  showRightView();
}

void CallsPanel::showError(const Error& error) {
  statusBar_->showError(error);
}

void CallsPanel::applyFilter() {
  filtered_->setFilterFixedString(filter_->text());
  filtered_->setFailuresOnly(failuresOnly_->isChecked());
  showRightView();
}

void CallsPanel::showRightView() {
  const bool none = model_->rowCount() == 0;
  empty_->setText(none ? tr("Nothing was asked of the services yet. Each call appears here with its status, "
                            "duration and request id.")
                       : tr("No call matches the filter."));
  stack_->setCurrentIndex(filtered_->rowCount() == 0 ? 0 : 1);
  updateCount();
}

void CallsPanel::updateCount() {
  const int all = model_->rowCount(), shown = filtered_->rowCount();
  count_->setText(all == shown ? tr("%Ln call(s)", nullptr, all)
                               : tr("%1 of %Ln call(s)", nullptr, all).arg(shown));
}

void CallsPanel::copySelected() {
  QModelIndexList rows = table_->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row() < b.row(); });
  QStringList lines;
  for (const QModelIndex& row : rows) {
    QStringList cells;
    for (int column = 0; column < CallsModel::kColumnCount; ++column)
      cells << row.siblingAtColumn(column).data().toString();
    lines << cells.join(QLatin1Char('\t'));
  }
  if (!lines.isEmpty()) QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace lockstep
