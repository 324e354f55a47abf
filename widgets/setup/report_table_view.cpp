// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/report_table_view.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>
#include <numeric>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/text/table_text.h"
#include "widgets/setup/step_texts.h"

namespace lockstep {
namespace {

constexpr double kTint = 0.12;
constexpr int kMinChars = 14;  // of a column that gives way
constexpr int kColumnPad = 12;
constexpr int kWidthStep = 8;

QString spoken(const ReportTable::Cell& cell) {
  const QString text = toQString(cell.text);
  QStringList parts;
  if (cell.state != StepState::Unknown) parts << nameOf(cell.state);
  if (!text.isEmpty() && !parts.contains(text)) parts << text;
  if (!cell.detail.empty()) parts << toQString(cell.detail);
  return parts.join(QStringLiteral(", "));
}

}  // namespace

ReportTableModel::ReportTableModel(ReportTable table, QObject* parent)
    : QAbstractTableModel(parent), table_(std::move(table)) {}

int ReportTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}

int ReportTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.columns.size());
}

const ReportTable::Cell* ReportTableModel::cell(const QModelIndex& index) const {
  const auto& row = table_.rows[static_cast<std::size_t>(index.row())];
  const auto column = static_cast<std::size_t>(index.column());
  return column < row.size() ? &row[column] : nullptr;
}

QVariant ReportTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const ReportTable::Cell* shown = cell(index);
  if (!shown) return {};
  const bool hasState = shown->state != StepState::Unknown;
  switch (role) {
    case Qt::DisplayRole:
      return toQString(shown->text);
    case Qt::DecorationRole:
      return hasState ? QVariant(iconFor(toneOf(shown->state))) : QVariant();
    case Qt::BackgroundRole: {
      const QPalette colors = QApplication::palette();
      return hasState ? QVariant(QBrush(tinted(colors.color(QPalette::Base),
                                               colorFor(toneOf(shown->state), colors), kTint)))
                      : QVariant();
    }
    case Qt::ToolTipRole:
      return plainToolTip(spoken(*shown));
    case Qt::AccessibleTextRole:
      return spoken(*shown);
    default:
      return {};
  }
}

QVariant ReportTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeading | Qt::AlignVCenter);
  return role == Qt::DisplayRole ? QVariant(toQString(table_.columns[static_cast<std::size_t>(section)]))
                                 : QVariant();
}

ReportTableView::ReportTableView(const ReportTable& table, QWidget* parent) : QTableView(parent) {
  setModel(new ReportTableModel(table, this));
  setAccessibleName(toQString(table.title));
  setEditTriggers(NoEditTriggers);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollMode(ScrollPerPixel);
  setWordWrap(true);
  setTextElideMode(Qt::ElideNone);
  setShowGrid(true);
  setTabKeyNavigation(false);
  setIconSize(QSize(16, 16));
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setStretchLastSection(true);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  resizeColumnsToContents();
  for (int column = 0; column < model()->columnCount(); ++column)
    natural_.push_back(columnWidth(column) + kColumnPad);
  fit();
}

void ReportTableView::fit() {
  if (fitting_) return;
  fitting_ = true;
  fitColumns();
  resizeRowsToContents();
  fitting_ = false;
  updateGeometry();
}

// Where there is no room for all of them the widest columns give way, and their texts wrap.
void ReportTableView::fitColumns() {
  if (natural_.empty()) return;
  const int min = fontMetrics().averageCharWidth() * kMinChars;
  const int room = viewport()->width();
  int widest = *std::max_element(natural_.begin(), natural_.end());
  const auto total = [&] {
    return std::accumulate(natural_.begin(), natural_.end(), 0,
                           [&](int sum, int width) { return sum + std::min(width, widest); });
  };
  while (widest > min && total() > room) widest -= kWidthStep;
  for (int column = 0; column < model()->columnCount(); ++column)
    setColumnWidth(column, std::min(widest, natural_[static_cast<std::size_t>(column)]));
}

QSize ReportTableView::sizeHint() const {
  const int bar = horizontalScrollBar()->isVisible() ? horizontalScrollBar()->sizeHint().height() : 0;
  return {QTableView::sizeHint().width(),
          horizontalHeader()->sizeHint().height() + verticalHeader()->length() + bar + 2 * frameWidth() + 2};
}

void ReportTableView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit();  // another width of the last column wraps its texts elsewhere
}

void ReportTableView::keyPressEvent(QKeyEvent* event) {
  if (!event->matches(QKeySequence::Copy)) return QTableView::keyPressEvent(event);
  copySelectedCells(*this);
}

// The page scrolls, not the table: it is as tall as its rows.
void ReportTableView::wheelEvent(QWheelEvent* event) {
  event->ignore();
}

}  // namespace lockstep
