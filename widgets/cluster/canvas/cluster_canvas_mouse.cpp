// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/canvas/cluster_canvas_edits.h"
#include "widgets/cluster/canvas/cluster_canvas_paint.h"
#include "widgets/common/theme/theme.h"

// The mouse's side of the canvas: pointing, clicking, and the two things that can be dragged.

namespace lockstep {
namespace {

constexpr qreal kGripStep = 22;  // units of the way for one node more or less
constexpr qreal kEvenSteps = 8;  // after these the number grows faster than the way

bool isNode(const CanvasKey& key) {
  return key.kind == CanvasKey::Kind::Node || key.kind == CanvasKey::Kind::Stack;
}

/// Nodes for the way that a grip was dragged, in units.
long long nodesForWay(qreal way) {
  const qreal steps = std::abs(way) / kGripStep;
  const qreal nodes = steps <= kEvenSteps ? steps : kEvenSteps + std::pow(steps - kEvenSteps, 1.8);
  return static_cast<long long>(nodes) * (way < 0 ? -1 : 1);
}

}  // namespace

void ClusterCanvas::setHovered(const CanvasKey& key) {
  if (hovered_ == key) return;
  hovered_ = key;
  updateCursor();
  if (isNode(key) || key.kind == CanvasKey::Kind::Chip)
    showCard();
  else
    hideCard();
  update();
}

void ClusterCanvas::updateCursor() {
  using Kind = CanvasKey::Kind;
  if (gesture_ == Gesture::DraggingCard) return setCursor(Qt::ClosedHandCursor);
  switch (hovered_.kind) {
    case Kind::Grip:
      return setCursor(Qt::SizeHorCursor);
    case Kind::Count:
      return setCursor(Qt::IBeamCursor);
    case Kind::Node:
    case Kind::Stack:
      return setCursor(hovered_.role == NodeRole::Main ? Qt::ArrowCursor : Qt::OpenHandCursor);
    case Kind::Fewer:
    case Kind::More:
    case Kind::Add:
      return setCursor(Qt::PointingHandCursor);
    default:
      return unsetCursor();
  }
}

void ClusterCanvas::mousePressEvent(QMouseEvent* event) {
  hideCard();
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  const CanvasItem* item = scene_.at(event->position());
  if (!item) return;
  gesture_ = Gesture::Pressed;
  pressed_ = item->key;
  pressedAt_ = mouseAt_ = event->position();
  setFocusedPart(item->canFocus ? item->key : CanvasKey{CanvasKey::Kind::Group, item->key.role, 0});
}

void ClusterCanvas::mouseMoveEvent(QMouseEvent* event) {
  mouseAt_ = event->position();
  const bool isFar = (mouseAt_ - pressedAt_).manhattanLength() >= QApplication::startDragDistance();
  if (gesture_ == Gesture::Pressed && isFar) {
    if (pressed_.kind == CanvasKey::Kind::Grip) gesture_ = Gesture::DraggingGrip;
    if (isNode(pressed_) && pressed_.role != NodeRole::Main) gesture_ = Gesture::DraggingCard;
    updateCursor();
  }
  if (gesture_ == Gesture::DraggingGrip) return dragGrip(mouseAt_);
  if (gesture_ == Gesture::DraggingCard) return update();
  if (gesture_ != Gesture::None) return;
  const CanvasItem* item = scene_.at(mouseAt_);
  setHovered(item ? item->key : CanvasKey{});
}

void ClusterCanvas::dragGrip(const QPointF& place) {
  const CanvasRole* role = cluster_->lastGood().isParsable() ? model_.role(pressed_.role) : nullptr;
  if (!role) return;
  const qreal way = (place.x() - pressedAt_.x()) / metrics_.unit;
  const qreal outward = layoutDirection() == Qt::RightToLeft ? -way : way;
  const long long start = nodeCount(cluster_->lastGood().spec(), pressed_.role);
  preview_ = std::clamp(start + nodesForWay(outward), 1LL, kMaxReplicas);
  relayout();
}

void ClusterCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || gesture_ == Gesture::None)
    return QWidget::mouseReleaseEvent(event);
  mouseAt_ = event->position();
  const CanvasItem* item = scene_.at(mouseAt_);
  const bool isClick = gesture_ == Gesture::Pressed && item && item->key == pressed_;
  const CanvasItem clicked = isClick ? *item : CanvasItem();
  endGesture(true);
  if (isClick) clickPart(clicked, mouseAt_);
  const CanvasItem* below = scene_.at(mouseAt_);
  hovered_ = below ? below->key : CanvasKey{};
  updateCursor();
}

bool ClusterCanvas::clickPart(const CanvasItem& item, const QPointF& place) {
  switch (item.key.kind) {
    case CanvasKey::Kind::Fewer:
      return step(item.key.role, -1), true;
    case CanvasKey::Kind::More:
      return step(item.key.role, 1), true;
    case CanvasKey::Kind::Count:
      return editCount(item.key.role), true;
    case CanvasKey::Kind::Add:
      return activatePart(item.key), true;
    default:
      if (!removeButton(item, metrics_, layoutDirection()).contains(place)) return false;
      return removePart(item);
  }
}

void ClusterCanvas::endGesture(bool takeIt) {
  const Gesture gesture = std::exchange(gesture_, Gesture::None);
  const std::optional<long long> count = std::exchange(preview_, std::nullopt);
  if (takeIt && gesture == Gesture::DraggingCard) {
    const Drop drop = dropAt(mouseAt_);
    const CanvasRole* role = model_.role(pressed_.role);
    if (role && drop != Drop::Nothing) change(pressed_.role, role->count + (drop == Drop::OneMore ? 1 : -1));
  }
  if (takeIt && count) change(pressed_.role, *count);
  if (gesture == Gesture::DraggingGrip) refresh();
  updateCursor();
  update();
}

void ClusterCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  const CanvasItem* item = event->button() == Qt::LeftButton ? scene_.at(event->position()) : nullptr;
  if (!item) return;
  using Kind = CanvasKey::Kind;
  const Kind kind = item->key.kind;
  const bool isButton = kind == Kind::Fewer || kind == Kind::More || kind == Kind::Add ||
                        removeButton(*item, metrics_, layoutDirection()).contains(event->position());
  // Two quick clicks on a button are two clicks.
  if (isButton || kind == Kind::Count || kind == Kind::Grip) return mousePressEvent(event);
  activatePart(item->key);
}

void ClusterCanvas::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  setHovered({});
}

ClusterCanvas::Drop ClusterCanvas::dropAt(const QPointF& place) const {
  if (binRect().contains(place) || !scene_.subnet.contains(place)) return Drop::OneLess;
  const CanvasItem* own = scene_.find(pressed_);
  return own && own->rect.contains(place) ? Drop::Nothing : Drop::OneMore;
}

QRectF ClusterCanvas::binRect() const {
  const qreal u = metrics_.unit;
  const qreal width = metrics_.smallSize.horizontalAdvance(tr("drop here to remove")) + 28 * u;
  const qreal height = metrics_.smallSize.height() + 10 * u;
  QRectF rect(0, 0, width, height);
  rect.moveBottom(scene_.subnet.bottom() - 6 * u);
  if (layoutDirection() == Qt::RightToLeft)
    rect.moveLeft(scene_.subnet.left() + 8 * u);
  else
    rect.moveRight(scene_.subnet.right() - 8 * u);
  return rect;
}

QString ClusterCanvas::dropText() const {
  switch (dropAt(mouseAt_)) {
    case Drop::OneMore:
      return tr("one more");
    case Drop::OneLess:
      return tr("remove one");
    case Drop::Nothing:
      break;
  }
  return {};
}

void ClusterCanvas::paintGesture(QPainter& painter) {
  const CanvasRole* role = model_.role(pressed_.role);
  if (gesture_ == Gesture::DraggingGrip && preview_ && role)
    return paintBubble(painter, roleCountText(role->role, *preview_), mouseAt_, false);
  const CanvasItem* item = scene_.find(pressed_);
  if (gesture_ != Gesture::DraggingCard || !item) return;
  const bool isRemoval = dropAt(mouseAt_) == Drop::OneLess;
  const QColor color = isRemoval ? errorColor(palette()) : mutedColor(palette());
  painter.setPen(QPen(color, 1.2, Qt::DashLine));
  painter.setBrush(tinted(cardColor(palette()), color, isRemoval ? 0.16 : 0.06));
  painter.drawRoundedRect(binRect(), 7 * metrics_.unit, 7 * metrics_.unit);
  painter.setFont(metrics_.small);
  painter.setPen(color);
  painter.drawText(binRect(), Qt::AlignCenter, tr("drop here to remove"));
  QRectF ghost = item->rect.translated(mouseAt_ - pressedAt_);
  CanvasLook ghostLook = look();
  ghostLook.lifted = ghostLook.hovered = {};
  painter.setOpacity(0.8);
  paintCard(painter, model_, metrics_, *item, ghost, ghostLook);
  painter.setOpacity(1);
  if (const QString text = dropText(); !text.isEmpty())
    paintBubble(painter, text, {ghost.center().x(), ghost.top()}, isRemoval);
}

void ClusterCanvas::paintBubble(QPainter& painter, const QString& text, const QPointF& place,
                                bool isRemoval) {
  const qreal u = metrics_.unit;
  QRectF bubble(0, 0, metrics_.boldSize.horizontalAdvance(text) + 18 * u, metrics_.boldSize.height() + 8 * u);
  bubble.moveCenter(place + QPointF(0, -bubble.height() - 6 * u));
  bubble.moveLeft(std::clamp(bubble.left(), 0.0, std::max(0.0, width() - bubble.width())));
  bubble.moveTop(std::max(0.0, bubble.top()));
  const QColor fill = isRemoval ? errorColor(palette()) : accentColor(palette());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawRoundedRect(bubble, bubble.height() / 2, bubble.height() / 2);
  painter.setFont(metrics_.bold);
  painter.setPen(cardColor(palette()));
  painter.drawText(bubble, Qt::AlignCenter, text);
}

}  // namespace lockstep
