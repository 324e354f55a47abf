// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QSpinBox>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/canvas/cluster_canvas_edits.h"

// The keyboard's side of the canvas, and the menu; the mouse is in cluster_canvas_mouse.cpp.

namespace lockstep {
namespace {

/// What stands for a part when the way from one to another is measured: of a group only its header, because
/// its cards are parts of their own.
QRectF anchorOf(const CanvasItem& item, qreal unit) {
  QRectF rect = item.rect;
  if (item.key.kind == CanvasKey::Kind::Group) rect.setHeight(30 * unit);
  return rect;
}

/// How far a part lies in the direction of an arrow key; negative: not in that direction at all.
qreal distance(const QPointF& from, const QPointF& to, Qt::Key key) {
  const QPointF way = to - from;
  const bool isLevel = key == Qt::Key_Left || key == Qt::Key_Right;
  const qreal along =
      isLevel ? (key == Qt::Key_Left ? -way.x() : way.x()) : (key == Qt::Key_Up ? -way.y() : way.y());
  const qreal across = std::abs(isLevel ? way.y() : way.x());
  return along <= 1 ? -1 : along + 2.5 * across;
}

}  // namespace

bool ClusterCanvas::event(QEvent* event) {
  // Keys that the drawing uses are not shortcuts of the window while it has the focus.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isOurs = key->key() == Qt::Key_Delete ||
                        (key->key() == Qt::Key_D && key->modifiers() == Qt::ControlModifier) ||
                        (key->key() == Qt::Key_Escape && gesture_ != Gesture::None);
    if (isOurs) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void ClusterCanvas::keyPressEvent(QKeyEvent* event) {
  if (!handleKey(event)) QWidget::keyPressEvent(event);
}

bool ClusterCanvas::handleKey(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Escape:
      if (gesture_ == Gesture::None) {
        hideCard();
        return false;
      }
      endGesture(false);
      return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
      return moveFocus(static_cast<Qt::Key>(event->key()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      activatePart(focused_);
      return true;
    default:
      return hasReplicas(focused_) && handleRoleKey(event, focused_.role);
  }
}

bool ClusterCanvas::handleRoleKey(QKeyEvent* event, NodeRole role) {
  const CanvasItem* item = scene_.find(focused_);
  if (event->key() == Qt::Key_D && event->modifiers() == Qt::ControlModifier) return step(role, 1), true;
  if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) return item && removePart(*item);
  if (event->key() == Qt::Key_F2) return editCount(role), true;
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
  const QString text = event->text();
  if (text == QLatin1String("+")) return step(role, 1), true;
  if (text == QLatin1String("-")) return step(role, -1), true;
  if (text.size() == 1 && text[0].isDigit()) return editCount(role, text), true;
  return false;
}

bool ClusterCanvas::moveFocus(Qt::Key key) {
  const CanvasItem* present = scene_.find(focused_);
  const CanvasItem* best = nullptr;
  qreal nearest = 0;
  for (const CanvasItem& item : scene_.items) {
    if (!item.canFocus || &item == present) continue;
    if (key == Qt::Key_Home && best) break;
    if (key == Qt::Key_Home || key == Qt::Key_End || !present) {
      best = &item;
      continue;
    }
    const qreal way =
        distance(anchorOf(*present, metrics_.unit).center(), anchorOf(item, metrics_.unit).center(), key);
    if (way < 0 || (best && way >= nearest)) continue;
    best = &item;
    nearest = way;
  }
  if (best) {
    setFocusedPart(best->key);
    showCard();
  }
  return best != nullptr;
}

bool ClusterCanvas::removePart(const CanvasItem& item) {
  if (!hasReplicas(item.key)) return false;
  const CanvasRole* role = model_.role(item.key.role);
  if (!role) return false;
  // A group goes as a whole; of its nodes, which are all alike, one.
  change(item.key.role, item.key.kind == CanvasKey::Kind::Group ? 0 : role->count - 1);
  return true;
}

void ClusterCanvas::editCount(NodeRole role, const QString& firstDigits) {
  const CanvasItem* place = scene_.find({CanvasKey::Kind::Count, role, 0});
  const CanvasRole* present = model_.role(role);
  if (!place || !present || !isEnabled()) return;
  hideCard();
  if (!countBox_) {
    countBox_ = new QSpinBox(this);
    countBox_->setRange(0, static_cast<int>(kMaxReplicas));
    countBox_->setAccelerated(true);
    countBox_->installEventFilter(this);
  }
  countRole_ = role;
  countBox_->setAccessibleName(tr("Number of %1").arg(rolePlural(role)));
  countShown_ = static_cast<int>(std::min(present->count, kMaxReplicas));
  countBox_->setValue(countShown_);
  const QSize size(std::max(countBox_->sizeHint().width(), static_cast<int>(place->rect.width())),
                   countBox_->sizeHint().height());
  QRect box(QPoint(), size);
  box.moveCenter(place->rect.center().toPoint());
  box.moveLeft(std::clamp(box.left(), 0, std::max(0, width() - box.width())));
  countBox_->setGeometry(box);
  countBox_->show();
  countBox_->setFocus(Qt::OtherFocusReason);
  countBox_->selectAll();
  if (!firstDigits.isEmpty()) {
    QKeyEvent typed(QEvent::KeyPress, 0, Qt::NoModifier, firstDigits);
    QApplication::sendEvent(countBox_, &typed);
  }
}

bool ClusterCanvas::eventFilter(QObject* watched, QEvent* event) {
  watchForCard(*event);
  if (watched != countBox_) return QWidget::eventFilter(watched, event);
  if (event->type() == QEvent::FocusOut && countBox_->isVisible()) finishCount(true);
  if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) return false;
  const int key = static_cast<QKeyEvent*>(event)->key();
  const bool isEnd = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape;
  if (!isEnd) return false;
  event->accept();
  if (event->type() == QEvent::KeyPress) {
    finishCount(key != Qt::Key_Escape);
    setFocus(Qt::OtherFocusReason);
  }
  return true;
}

void ClusterCanvas::finishCount(bool takeIt) {
  if (!countBox_ || countBox_->isHidden()) return;
  countBox_->interpretText();
  const int count = countBox_->value();
  countBox_->hide();
  if (takeIt && count != countShown_) change(countRole_, count);
}

void ClusterCanvas::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  relayout();
  if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) showCard();
}

void ClusterCanvas::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  ++visit_;
  hideCard();
  update();
}

void ClusterCanvas::contextMenuEvent(QContextMenuEvent* event) {
  hideCard();
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  const CanvasItem* item = byKey ? scene_.find(focused_) : scene_.at(event->pos());
  if (!item || !isEnabled()) return;
  const CanvasKey key = item->key;
  QMenu menu(this);
  if (key.kind == CanvasKey::Kind::Add)
    menu.addAction(tr("Add %1").arg(rolePlural(key.role)), this, [this, key] { activatePart(key); });
  else
    menu.addAction(tr("Edit in the form"), this, [this, key] { activatePart(key); });
  if (key.role != NodeRole::Main && model_.role(key.role)) {
    const bool isNode = key.kind == CanvasKey::Kind::Node || key.kind == CanvasKey::Kind::Stack;
    menu.addAction(tr("One more"), this, [this, key] { step(key.role, 1); });
    if (isNode) menu.addAction(tr("Remove one"), this, [this, key] { step(key.role, -1); });
    menu.addAction(tr("Set the number…"), this, [this, key] { editCount(key.role); });
    menu.addSeparator();
    menu.addAction(tr("Remove all %1").arg(rolePlural(key.role)), this, [this, key] { change(key.role, 0); });
  }
  menu.exec(byKey ? mapToGlobal(item->rect.center().toPoint()) : event->globalPos());
}

}  // namespace lockstep
