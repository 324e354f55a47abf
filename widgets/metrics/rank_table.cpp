// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <algorithm>

#include "widgets/common/text/table_text.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/metrics/rank_table_model.h"

namespace lockstep {
namespace {

constexpr int kRowsThatSizeColumns =
    10;  // beside those in sight: of a thousand ranks it would take longer than a picture

constexpr int kMaxWidth = 220;
constexpr int kHeaderMargin = 16, kCellMargin = 8;
constexpr int kMinNodeLetters = 10;

/// The rank with the colour that its curves have.
class RankDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const QColor color = rankColor(Rank(index.data(RankTableModel::RankRole).toInt()), option.palette);
    QRect mark(0, 0, 4, option.rect.height() - 8);
    mark.moveCenter(QPoint(option.rect.left() + 6, option.rect.center().y()));
    painter->fillRect(mark, color);
  }
};

}  // namespace

RankTable::RankTable(RankTableModel* model, QWidget* parent)
    : QTableView(parent), ranks_(model), sorted_(new QSortFilterProxyModel(this)) {
  sorted_->setSourceModel(model);
  sorted_->setSortRole(RankTableModel::SortRole);
  setModel(sorted_);
  setItemDelegateForColumn(RankTableModel::RankColumn, new RankDelegate(this));
  setSortingEnabled(true);
  horizontalHeader()->setSortIndicatorClearable(true);
  sortByColumn(-1, Qt::AscendingOrder);  // by rank, as the model has them
  setShowGrid(false);
  setWordWrap(false);
  setTextElideMode(Qt::ElideMiddle);
  setAlternatingRowColors(true);
  setSelectionBehavior(SelectRows);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setAccessibleName(tr("Ranks"));
  setToolTip({});
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setMinimumSectionSize(30);
  horizontalHeader()->setDefaultSectionSize(30);
  horizontalHeader()->setResizeContentsPrecision(kRowsThatSizeColumns);
  fitColumns();
  connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    emit rankActivated(index.data(RankTableModel::RankRole).toInt());
  });
}

void RankTable::setEmptyText(const QString& text) {
  emptyText_ = text;
  viewport()->update();
}

int RankTable::wantedWidth(int column) const {
  const QString title = ranks_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  const int ofTitle = horizontalHeader()->fontMetrics().horizontalAdvance(title) + kHeaderMargin;
  const int ofWidest = fontMetrics().horizontalAdvance(ranks_->widestText(column)) + kCellMargin;
  return std::min(std::max({sizeHintForColumn(column), ofTitle, ofWidest}) + 2, kMaxWidth);
}

void RankTable::fitColumns() {
  for (int column = 0; column < ranks_->columnCount(); ++column) {
    setColumnHidden(column, !ranks_->isOfUse(column));
    if (isColumnHidden(column)) continue;
    const int wanted = wantedWidth(column);
    if (column == RankTableModel::NodeColumn) {
      nodeWidth_ = ranks_->rowCount() == 0 ? wanted : std::max(wanted, nodeWidth_);
      continue;
    }
    // Columns only grow: numbers that change must not make the table jump.
    if (wanted > columnWidth(column) || ranks_->rowCount() == 0) setColumnWidth(column, wanted);
  }
  fitNodes();
}

void RankTable::fitNodes() {
  int others = 0;
  for (int column = 0; column < ranks_->columnCount(); ++column)
    if (column != RankTableModel::NodeColumn && !isColumnHidden(column)) others += columnWidth(column);
  const int least = std::min(nodeWidth_, fontMetrics().averageCharWidth() * kMinNodeLetters);
  const int room = viewport()->width() - others;
  // Where even short names leave the table too wide, they may as well be read.
  setColumnWidth(RankTableModel::NodeColumn, room < least ? nodeWidth_ : std::min(room, nodeWidth_));
}

void RankTable::showChosen(const std::set<Rank>& ranks) {
  if (ranks == chosen_) return;
  chosen_ = ranks;
  QItemSelection rows;
  for (int row = 0; row < sorted_->rowCount(); ++row) {
    const QModelIndex index = sorted_->index(row, 0);
    if (ranks.contains(Rank(index.data(RankTableModel::RankRole).toInt()))) rows.select(index, index);
  }
  selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (!rows.isEmpty()) scrollTo(rows.first().topLeft());
}

void RankTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  paintEmptyText(*this, emptyText_);
}

void RankTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fitNodes();
}

void RankTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copySelection();
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isEnter && currentIndex().isValid()) {
    emit rankActivated(currentIndex().data(RankTableModel::RankRole).toInt());
    return;
  }
  QTableView::keyPressEvent(event);
}

void RankTable::copySelection() const {
  QModelIndexList rows = selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  QStringList lines;
  for (const auto& row : rows) {
    QStringList cells;
    for (int column = 0; column < ranks_->columnCount(); ++column)
      if (!isColumnHidden(column)) cells.append(row.siblingAtColumn(column).data().toString());
    lines.append(cells.join(QLatin1Char('\t')));
  }
  if (!lines.isEmpty()) QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace lockstep
