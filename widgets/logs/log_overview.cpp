// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_overview.h"

#include <QEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/log_table.h"

namespace lockstep {
namespace {

constexpr int kLanes = 3;
constexpr int kMinMark = 2;  // pixels, so that one line in a million is seen

}  // namespace

LogOverview::LogOverview(LogTable* table, const LogModel* matches, QWidget* parent)
    : QWidget(parent), table_(table), model_(table->logModel()), matches_(matches) {
  setObjectName(QStringLiteral("logOverview"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
  setAccessibleRole(this, QAccessible::Graphic);
  setAccessibleName(tr("Overview of the log"));
  setToolTip(tr("The whole log: errors and warnings, matches, marks. Click to go there."));
  const auto refresh = qOverload<>(&QWidget::update);
  for (const QAbstractItemModel* model :
       {static_cast<const QAbstractItemModel*>(model_), static_cast<const QAbstractItemModel*>(matches_)}) {
    connect(model, &QAbstractItemModel::modelReset, this, refresh);
    connect(model, &QAbstractItemModel::rowsInserted, this, refresh);
    connect(model, &QAbstractItemModel::rowsRemoved, this, refresh);
  }
  for (const LogModel* model : {model_, matches_}) connect(model, &LogModel::scanAdvanced, this, refresh);
  connect(model_->lines(), &LogLines::marksChanged, this, refresh);
  connect(table->verticalScrollBar(), &QScrollBar::valueChanged, this, refresh);
}

QSize LogOverview::sizeHint() const {
  return {std::max(12, fontMetrics().height()), 40};
}

int LogOverview::rowAtPixel(int pixel, int height) const {
  return static_cast<int>(static_cast<qint64>(pixel) * model_->rowCount() / std::max(1, height));
}

std::uint64_t LogOverview::lineAtRow(int row) const {
  return row < model_->rowCount() ? model_->lineOfRow(row) : model_->lines()->size();
}

LogOverview::Counts LogOverview::countsAt(int pixel, int height) const {
  const int rows = model_->rowCount();
  if (rows == 0) return {};
  const int first = std::min(rowAtPixel(pixel, height), rows - 1);
  const std::uint64_t from = lineAtRow(first);
  const std::uint64_t end = lineAtRow(std::max(first + 1, rowAtPixel(pixel + 1, height)));
  const bool isSearching = matches_->accepted().size() > 0;
  return {model_->errors().countIn(from, end), model_->warnings().countIn(from, end),
          isSearching ? matches_->accepted().countIn(from, end) : 0,
          model_->lines()->marks().countIn(from, end)};
}

void LogOverview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  const int rows = model_->rowCount();
  if (rows == 0) return;
  const int top = std::max(0, table_->rowAt(0));
  const int last = table_->rowAt(table_->viewport()->height() - 1);
  const int bottom = last < 0 ? rows : last + 1;
  const auto pixelOf = [&](int row) { return static_cast<int>(static_cast<qint64>(row) * height() / rows); };
  const QRect inSight(0, pixelOf(top), width(), std::max(3, pixelOf(bottom) - pixelOf(top)));
  painter.fillRect(inSight, tinted(palette().color(QPalette::Base), palette().color(QPalette::Text), 0.14));
  const int lane = (width() - 1) / kLanes;
  const auto put = [&](int which, int y, const QColor& color) {
    painter.fillRect(QRect(1 + which * lane, y, lane - 1, kMinMark), color);
  };
  for (int y = 0; y < height(); ++y) {
    const Counts counts = countsAt(y, height());
    if (counts.errors > 0)
      put(0, y, errorColor(palette()));
    else if (counts.warnings > 0)
      put(0, y, warningColor(palette()));
    if (counts.matches > 0) put(1, y, accentColor(palette()));
    if (counts.marks > 0) put(2, y, palette().color(QPalette::Text));
  }
  painter.fillRect(QRect(0, 0, 1, height()), borderColor(palette()));
}

void LogOverview::goTo(const QPoint& at) {
  if (model_->rowCount() == 0) return;
  const int row = std::clamp(rowAtPixel(at.y(), height()), 0, model_->rowCount() - 1);
  table_->setFollowing(false);
  table_->scrollTo(model_->index(row, LogModel::TimeColumn), QAbstractItemView::PositionAtCenter);
}

void LogOverview::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) goTo(event->position().toPoint());
}

void LogOverview::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) goTo(event->position().toPoint());
}

// Told when somebody may ask: whenever it is drawn anew.
bool LogOverview::event(QEvent* event) {
  if (event->type() == QEvent::UpdateRequest || event->type() == QEvent::Paint) describe();
  return QWidget::event(event);
}

void LogOverview::describe() {
  const QLocale locale;
  const auto number = [&](std::uint64_t count) { return locale.toString(static_cast<qulonglong>(count)); };
  const QString text = tr("%1 errors, %2 warnings, %3 matches, %4 marks")
                           .arg(number(model_->errors().size()), number(model_->warnings().size()),
                                number(matches_->accepted().size()), number(model_->lines()->marks().size()));
  if (text != accessibleDescription()) setAccessibleDescription(text);
}

}  // namespace lockstep
