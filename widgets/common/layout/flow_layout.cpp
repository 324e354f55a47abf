// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/layout/flow_layout.h"

#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace lockstep {
namespace {

int heightOf(const QList<QLayoutItem*>& line) {
  int height = 0;
  for (const QLayoutItem* item : line) height = std::max(height, item->sizeHint().height());
  return height;
}

bool expands(const QLayoutItem* item) {
  return item->expandingDirections() & Qt::Horizontal;
}

}  // namespace

FlowLayout::~FlowLayout() {
  qDeleteAll(items_);
}

void FlowLayout::setGaps(int horizontal, int vertical) {
  gap_ = horizontal;
  lineGap_ = vertical;
  invalidate();
}

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

int FlowLayout::widthOf(const Line& line) const {
  int width = line.isEmpty() ? 0 : (static_cast<int>(line.size()) - 1) * gap_;
  for (const QLayoutItem* item : line) width += item->sizeHint().width();
  return width;
}

QList<FlowLayout::Line> FlowLayout::linesIn(int width) const {
  QList<Line> lines;
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;  // hidden
    const bool fits = !lines.isEmpty() && widthOf(lines.back()) + gap_ + item->sizeHint().width() <= width;
    if (!fits) lines << Line();
    lines.back() << item;
  }
  return lines;
}

int FlowLayout::heightForWidth(int width) const {
  const QMargins margins = contentsMargins();
  int height = margins.top() + margins.bottom();
  const QList<Line> lines = linesIn(width - margins.left() - margins.right());
  for (const Line& line : lines) height += heightOf(line);
  return height + std::max(0, static_cast<int>(lines.size()) - 1) * lineGap_;
}

QSize FlowLayout::sizeHint() const {
  const QMargins margins = contentsMargins();
  Line all;
  for (QLayoutItem* item : items_)
    if (!item->isEmpty()) all << item;
  return QSize(widthOf(all), heightOf(all)).grownBy(margins);
}

QSize FlowLayout::minimumSize() const {
  QSize min;
  for (const QLayoutItem* item : items_)
    if (!item->isEmpty()) min = min.expandedTo(item->minimumSize());
  return min.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  const QRect room = rect.marginsRemoved(contentsMargins());
  int y = room.top();
  for (const Line& line : linesIn(room.width())) {
    const int height = heightOf(line);
    place(line, QRect(room.left(), y, room.width(), height));
    y += height + lineGap_;
  }
}

void FlowLayout::place(const Line& line, const QRect& rect) {
  const auto takers = std::count_if(line.begin(), line.end(), expands);
  const int spare = std::max(0, rect.width() - widthOf(line));
  const Qt::LayoutDirection direction = parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight;
  int x = rect.left();
  for (QLayoutItem* item : line) {
    const int more = takers > 0 && expands(item) ? spare / static_cast<int>(takers) : 0;
    const int width = std::min(item->sizeHint().width() + more, rect.right() + 1 - x);
    const QRect place(x, rect.top(), width, rect.height());
    item->setGeometry(QStyle::visualRect(direction, rect, place));
    x += width + gap_;
  }
}

}  // namespace lockstep
