// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/tiles/tile_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>
#include <algorithm>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kTileGap = 6;

}  // namespace

TileView::TileView(QWidget* parent) : QAbstractScrollArea(parent), timer_(new QTimer(this)) {
  setFrameShape(NoFrame);
  setViewportMargins(3, 3, 3, 3);  // so that a ring around all of them is beside them
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleRole(this, QAccessible::Chart);
  viewport()->setAutoFillBackground(false);
  timer_->setSingleShot(true);
  timer_->setInterval(0);
  connect(timer_, &QTimer::timeout, this, [this] {
    if (computeNext()) timer_->start();
  });
}

void TileView::setEmptyText(const QString& text) {
  emptyText_ = text;
  viewport()->update();
}

QSize TileView::minimumSizeHint() const {
  return {tileSize().width() / 2, tileSize().height() / 2};
}

int TileView::columns() const {
  return std::max(1, (viewport()->width() + kTileGap) / (tileSize().width() + kTileGap));
}

int TileView::lineHeight() const {
  return tileSize().height() + kTileGap;
}

QRect TileView::rectOf(int tile) const {
  const int all = columns();
  const int left = tile % all * (viewport()->width() + kTileGap) / all;
  const int right = (tile % all + 1) * (viewport()->width() + kTileGap) / all - kTileGap;
  return {left, tile / all * lineHeight() - verticalScrollBar()->value(), right - left, tileSize().height()};
}

int TileView::tileAt(const QPoint& position) const {
  const auto [first, end] = tilesInSight();
  for (int tile = first; tile < end; ++tile)
    if (rectOf(tile).contains(position)) return tile;
  return -1;
}

std::pair<int, int> TileView::tilesInSight() const {
  const int top = verticalScrollBar()->value();
  const int first = top / lineHeight() * columns();
  const int end = ((top + std::max(1, viewport()->height()) - 1) / lineHeight() + 1) * columns();
  return {std::min(first, tileCount()), std::min(end, tileCount())};
}

void TileView::fitScrollBar() {
  const int lines = (tileCount() + columns() - 1) / columns();
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(std::max(1, lineHeight() / 4));
  verticalScrollBar()->setRange(0, std::max(0, lines * lineHeight() - kTileGap - viewport()->height()));
}

void TileView::setOld() {
  computed_.clear();
  if (current_ >= tileCount()) current_ = 0;
  fitScrollBar();
  viewport()->update();
  if (hasFocus()) setCurrent(current_);
}

// One of those in sight; false: all are.
bool TileView::computeNext() {
  const auto [first, end] = tilesInSight();
  for (int tile = first; tile < end; ++tile) {
    if (!computed_.insert(tile).second) continue;
    computeTile(tile, rectOf(tile).width());
    viewport()->update(rectOf(tile));
    return true;
  }
  return false;
}

void TileView::setPointed(std::optional<Step> step) {
  if (std::exchange(pointed_, step) != step) viewport()->update();
}

void TileView::refreshNow() {
  fitScrollBar();
  while (computeNext()) {
  }
  viewport()->repaint();
}

void TileView::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  if (tileCount() == 0) {
    painter.setPen(mutedColor(palette()));
    painter.drawText(viewport()->rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                     emptyText_);
    return;
  }
  const auto [first, end] = tilesInSight();
  for (int tile = first; tile < end; ++tile) {
    const QRect area = rectOf(tile);
    if (!computed_.contains(tile) && !timer_->isActive()) timer_->start();
    if (!area.intersects(event->rect())) continue;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isCurrent = hasFocus() && tile == current_;
    painter.setPen(QPen(isCurrent ? accentColor(palette()) : borderColor(palette()), isCurrent ? 2 : 1));
    painter.setBrush(cardColor(palette()));
    painter.drawRoundedRect(QRectF(area).adjusted(1, 1, -1, -1), 5, 5);
    painter.setBrush(Qt::NoBrush);
    painter.setClipRect(area);
    paintTile(painter, area.adjusted(9, 6, -9, -6), tile);
    painter.restore();
  }
}

void TileView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) computed_.clear();
  fitScrollBar();
}

void TileView::scrollContentsBy(int, int) {
  viewport()->update();
}

void TileView::setCurrent(int tile) {
  if (tile < 0 || tile >= tileCount()) return;
  current_ = tile;
  const QRect area = rectOf(tile);
  const int beyond = std::max(0, area.bottom() - viewport()->rect().bottom());
  const int before = std::min(0, area.top());
  verticalScrollBar()->setValue(verticalScrollBar()->value() + (before < 0 ? before : beyond));
  if (!computed_.contains(tile)) {
    computed_.insert(tile);
    computeTile(tile, area.width());
  }
  setAccessibleDescription(tileText(tile));
  viewport()->update();
}

void TileView::keyPressEvent(QKeyEvent* event) {
  const int last = tileCount() - 1;
  switch (event->key()) {
    case Qt::Key_Left:
      return setCurrent(current_ - 1);
    case Qt::Key_Right:
      return setCurrent(current_ + 1);
    case Qt::Key_Up:
      return setCurrent(current_ - columns());
    case Qt::Key_Down:
      return setCurrent(current_ + columns());
    case Qt::Key_Home:
      return setCurrent(0);
    case Qt::Key_End:
      return setCurrent(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (current_ <= last) emit tileActivated(current_);
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

void TileView::mousePressEvent(QMouseEvent* event) {
  if (const int tile = tileAt(event->pos()); tile >= 0) setCurrent(tile);
}

void TileView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const int tile = tileAt(event->pos()); tile >= 0) emit tileActivated(tile);
}

void TileView::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  setCurrent(current_);
}

void TileView::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

void TileView::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange) setOld();
}

bool TileView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* const help = static_cast<QHelpEvent*>(event);
  const int tile = tileAt(help->pos());
  if (tile < 0 || !computed_.contains(tile))
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), plainToolTip(tileText(tile)), viewport(), rectOf(tile));
  return true;
}

}  // namespace lockstep
