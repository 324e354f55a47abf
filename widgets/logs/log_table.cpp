// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "widgets/common/theme/theme.h"
#include "widgets/logs/log_delegate.h"

namespace lockstep {
namespace {

constexpr qint64 kMaxKept = 10'000;   // selected rows that are found again when many are put elsewhere
constexpr int kMaxCharacters = 4000;  // as many as are drawn

/// Not smaller than other text: who enlarges that wants to read the log, too.
QFont logFont() {
  QFont font = monospaceFont();
  font.setPointSizeF(std::max(font.pointSizeF(), QGuiApplication::font().pointSizeF()));
  return font;
}

}  // namespace

LogTable::LogTable(LogModel* model, QWidget* parent)
    : QTableView(parent), model_(model), delegate_(new LogDelegate(this)) {
  setModel(model);
  setItemDelegate(delegate_);
  setFont(logFont());
  setShowGrid(false);
  setWordWrap(false);
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setHorizontalScrollMode(ScrollPerPixel);
  setVerticalScrollMode(ScrollPerItem);
  connect(this, &QAbstractItemView::clicked, this,
          [this](const QModelIndex& index) { emit rowActivated(index.row()); });
  setAccessibleName(tr("Log lines"));
  arrange();
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &LogTable::onScrolled);
  connect(model, &QAbstractItemModel::modelReset, this, &LogTable::fitColumns);
  connect(model, &QAbstractItemModel::rowsRemoved, this,
          [this](const QModelIndex&, int first, int last) { afterRemoval(first, last); });
  connect(model, &LogModel::scanAdvanced, this, &LogTable::onScanned);
  connect(model, &LogModel::aboutToRewrite, this, &LogTable::beforeRewrite);
  connect(model, &LogModel::rewritten, this, &LogTable::afterRewrite);
}

void LogTable::arrange() {
  horizontalHeader()->hide();
  horizontalHeader()->setMinimumSectionSize(8);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setMinimumSectionSize(1);
  fitColumns();
}

void LogTable::setFollowing(bool follow) {
  if (follow) {
    isMovingItself_ = true;
    executeDelayedItemsLayout();
    scrollToBottom();
    isMovingItself_ = false;
  }
  if (follow == isFollowing_) return;
  isFollowing_ = follow;
  emit followingChanged(follow);
}

void LogTable::setHighlights(const QList<LogHighlight>& highlights) {
  delegate_->setHighlights(highlights);
  viewport()->update();
}

void LogTable::setCursorTime(std::optional<TimePoint> time) {
  cursor_ = time;
  viewport()->update();
}

void LogTable::showRow(int row, ScrollHint hint) {
  if (row < 0 || row >= model_->rowCount()) return;
  setFollowing(false);
  setCurrentIndex(model_->index(row, LogModel::TextColumn));
  scrollTo(model_->index(row, LogModel::TimeColumn), hint);
}

void LogTable::setEmptyText(const QString& text) {
  emptyText_ = text;
  setAccessibleDescription(model_->rowCount() > 0 ? QString() : text);
  viewport()->update();
}

void LogTable::keepPlace() {
  const int top = rowAt(0);
  keptLine_ = top >= 0 ? model_->lineOfRow(top) : 0;
  isMovingItself_ = true;
}

void LogTable::restorePlace() {
  executeDelayedItemsLayout();
  if (isFollowing_)
    scrollToBottom();
  else if (model_->rowCount() > 0)
    scrollTo(model_->index(std::min(model_->rowOfLine(keptLine_), model_->rowCount() - 1), 0), PositionAtTop);
  isPlaceAwaited_ = !isFollowing_ && (model_->isScanning() || model_->isFilling());
  isMovingItself_ = false;
}

// The filter goes from the newest line to the oldest, so that the one that was at the top may come late.
void LogTable::onScanned() {
  fitColumns();
  if (!isPlaceAwaited_) return;
  isMovingItself_ = true;
  restorePlace();
}

// What is selected, and where the reader is, comes back with the rows.
void LogTable::beforeRewrite() {
  keptCurrent_ =
      currentIndex().isValid() ? std::optional(model_->lineOfRow(currentIndex().row())) : std::nullopt;
  keptSelection_.clear();
  if (selectedCount() <= kMaxKept)
    for (const int row : selectedRows()) keptSelection_.push_back(model_->lineOfRow(row));
  if (!isPlaceAwaited_) keepPlace();
  isMovingItself_ = true;
}

void LogTable::afterRewrite() {
  QItemSelection selection;
  for (const std::uint64_t line : keptSelection_) {
    const int row = model_->rowOfLine(line);
    if (row >= model_->rowCount() || model_->lineOfRow(row) != line) continue;
    if (!selection.isEmpty() && selection.back().bottom() == row - 1)
      selection.back() =
          QItemSelectionRange(selection.back().topLeft(), model_->index(row, LogModel::TextColumn));
    else
      selection.select(model_->index(row, 0), model_->index(row, LogModel::TextColumn));
  }
  const int row = keptCurrent_ ? model_->rowOfLine(*keptCurrent_) : -1;
  if (row >= 0 && row < model_->rowCount() && model_->lineOfRow(row) == *keptCurrent_)
    selectionModel()->setCurrentIndex(model_->index(row, LogModel::TextColumn),
                                      QItemSelectionModel::NoUpdate);
  selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  restorePlace();
}

QList<int> LogTable::selectedRows() const {
  QItemSelection ranges = selectionModel()->selection();
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.top() < b.top(); });
  QList<int> rows;
  for (const QItemSelectionRange& range : ranges)
    for (int row = range.top(); row <= range.bottom() && rows.size() < kMaxCopied; ++row)
      if (rows.isEmpty() || rows.back() < row) rows.append(row);
  return rows;
}

QString LogTable::selectedText() const {
  QStringList lines;
  for (const int row : selectedRows()) lines.append(model_->copyText(row));
  return lines.join(QLatin1Char('\n'));
}

QString LogTable::selectedRawText() const {
  QStringList lines;
  for (const int row : selectedRows()) lines.append(model_->rawText(row));
  return lines.join(QLatin1Char('\n'));
}

void LogTable::copySelection() {
  copy(selectedText());
}

void LogTable::copyRaw() {
  copy(selectedRawText());
}

void LogTable::copy(const QString& text) {
  if (text.isEmpty()) return;
  QGuiApplication::clipboard()->setText(text);
  if (selectedCount() > kMaxCopied) emit copiedPart(kMaxCopied);
}

qint64 LogTable::selectedCount() const {
  qint64 count = 0;
  for (const QItemSelectionRange& range : selectionModel()->selection()) count += range.height();
  return count;
}

// Whether there was something to fold or unfold.
bool LogTable::fold(bool isToUnfold) {
  const int row = currentIndex().row();
  if (row < 0) return false;
  const auto state = static_cast<LogModel::Fold>(currentIndex().data(LogModel::FoldRole).toInt());
  const bool isFolded = state == LogModel::Fold::Folded;
  if (state == LogModel::Fold::None || isFolded != isToUnfold) return false;
  const int first = model_->setUnfolded(row, isToUnfold);
  setCurrentIndex(model_->index(first, LogModel::TextColumn));
  return true;
}

bool LogTable::isOnArrow(const QModelIndex& index, const QPoint& at) const {
  const auto state = static_cast<LogModel::Fold>(index.data(LogModel::FoldRole).toInt());
  const bool hasArrow = state == LogModel::Fold::Folded || state == LogModel::Fold::Unfolded;
  return hasArrow && index.column() == LogModel::TextColumn &&
         at.x() < visualRect(index).left() + LogDelegate::gutterWidth(fontMetrics());
}

void LogTable::mousePressEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  const QModelIndex index = indexAt(at);
  if (event->button() == Qt::LeftButton && isOnArrow(index, at)) {
    setFollowing(false);
    setCurrentIndex(index);
    fold(index.data(LogModel::FoldRole).toInt() == static_cast<int>(LogModel::Fold::Folded));
    return;
  }
  QTableView::mousePressEvent(event);
}

void LogTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copySelection();
  const bool isPlainKey = event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier;
  if (isPlainKey && event->key() == Qt::Key_Right && fold(true)) return;
  if (isPlainKey && event->key() == Qt::Key_Left && fold(false)) return;
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isEnter && currentIndex().isValid()) {
    emit rowActivated(currentIndex().row());
    return;
  }
  if (event->key() == Qt::Key_End) {
    setFollowing(true);
    return;
  }
  if (event->key() == Qt::Key_Home) {
    verticalScrollBar()->setValue(verticalScrollBar()->minimum());
    return;
  }
  QTableView::keyPressEvent(event);
}

void LogTable::paintEvent(QPaintEvent* event) {
  delegate_->setCursorRow(cursor_ ? model_->rowAtTime(*cursor_) : -1);
  QTableView::paintEvent(event);
  if (model_->rowCount() > 0 || emptyText_.isEmpty()) return;
  QPainter painter(viewport());
  QFont plain = QGuiApplication::font();
  plain.setResolveMask(QFont::AllPropertiesResolved);  // else the viewport's fixed-width font shines through
  painter.setFont(plain);
  painter.setPen(mutedColor(palette()));
  painter.drawText(viewport()->rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                   emptyText_);
}

void LogTable::resizeEvent(QResizeEvent* event) {
  isMovingItself_ = true;
  QTableView::resizeEvent(event);
  fitColumns();
  if (isFollowing_) scrollToBottom();
  isMovingItself_ = false;
}

void LogTable::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::ApplicationFontChange) setFont(logFont());
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitColumns();
}

void LogTable::rowsInserted(const QModelIndex& parent, int first, int last) {
  isMovingItself_ = true;
  QTableView::rowsInserted(parent, first, last);
  afterInsertion(first, last);
  isMovingItself_ = false;
}

void LogTable::afterInsertion(int first, int last) {
  fitColumns();
  if (isFollowing_) {
    // Once for all insertions of a batch.
    if (std::exchange(isEndAwaited_, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
          isEndAwaited_ = false;
          if (isFollowing_) setFollowing(true);
        },
        Qt::QueuedConnection);
    return;
  }
  // What the reader looks at stays where it is when late lines come in above it.
  QScrollBar* const bar = verticalScrollBar();
  if (first > bar->value()) return;
  executeDelayedItemsLayout();
  bar->setMaximum(std::max(bar->maximum(), bar->value() + last - first + 1));
  bar->setValue(bar->value() + last - first + 1);
}

// Lines above go, because they are the oldest or others stand for them: what the reader looks at stays where it is,
// unless it is among them.
void LogTable::afterRemoval(int first, int last) {
  QScrollBar* const bar = verticalScrollBar();
  if (first >= bar->value() || isFollowing_ || model_->rowCount() == 0) return;
  isMovingItself_ = true;
  const int value = bar->value() - (std::min(last, bar->value() - 1) - first + 1);
  executeDelayedItemsLayout();
  bar->setValue(value);
  isMovingItself_ = false;
}

void LogTable::onScrolled(int value) {
  if (isMovingItself_) return;
  isPlaceAwaited_ = false;
  const bool isAtEnd = value >= verticalScrollBar()->maximum();
  if (isAtEnd == isFollowing_) return;
  isFollowing_ = isAtEnd;
  emit followingChanged(isAtEnd);
}

void LogTable::fitColumns() {
  const QFontMetrics metrics(font());
  const int character = std::max(1, metrics.horizontalAdvance(QLatin1Char('0')));
  // Costs all rows, also where nothing changes.
  const int height = metrics.height() + 3;
  if (verticalHeader()->defaultSectionSize() != height) verticalHeader()->setDefaultSectionSize(height);
  const int gutter = LogDelegate::gutterWidth(metrics);
  setColumnWidth(LogModel::TimeColumn, gutter + character * 12 + 8);
  setColumnWidth(LogModel::RankColumn, std::max(character * 5, metrics.height() + 10));
  std::size_t node = 4;
  for (const auto& name : model_->lines()->nodes())
    node = std::max(node, std::min<std::size_t>(name.size(), 16));
  setColumnWidth(LogModel::NodeColumn, character * static_cast<int>(node) + 12);
  int before = 0;
  for (int column = 0; column < LogModel::TextColumn; ++column) before += columnWidth(column);
  const int wanted = character * (std::min(model_->longestText(), kMaxCharacters) + 6) + gutter + 12;
  const int width = std::max(viewport()->width() - before, wanted);
  if (width != columnWidth(LogModel::TextColumn)) setColumnWidth(LogModel::TextColumn, width);
}

}  // namespace lockstep
