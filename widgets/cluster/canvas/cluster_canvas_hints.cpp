// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QHideEvent>
#include <QTimer>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/canvas/cluster_canvas_card.h"
#include "widgets/common/text/qt_convert.h"

// The card with what there is to know of the part that one points at or has the focus on.

namespace lockstep {
namespace {

constexpr int kHoverPauseMs = 450;
constexpr int kKeyPauseMs = 150;

bool isNode(const CanvasKey& key) {
  return key.kind == CanvasKey::Kind::Node || key.kind == CanvasKey::Kind::Stack;
}

QString chipText(const CanvasChip& chip) {
  return QStringLiteral("<b>%1</b><p style='margin:4px 0 0 0'>%2</p>")
      .arg(chip.caption.toHtmlEscaped(), chip.toolTip.toHtmlEscaped());
}

}  // namespace

QString ClusterCanvas::cardText(const CanvasItem& item) const {
  const ClusterSpec& spec = cluster_->lastGood().spec();
  if (item.key.kind == CanvasKey::Kind::Chip)
    return chipText(model_.chips[static_cast<size_t>(item.key.index)]);
  const CanvasRole* role = isNode(item.key) ? model_.role(item.key.role) : nullptr;
  if (!role || item.key.index >= nodeCount(spec, item.key.role)) return {};
  const bool isStack = item.key.kind == CanvasKey::Kind::Stack;
  const QString title = nodeTitle(*role, item.key.index);
  return nodeCardText(
      isStack ? tr("%1, the first of %2 alike").arg(title).arg(item.last - item.key.index + 1) : title,
      nodeDetails(spec, item.key.role, item.key.index));
}

QString ClusterCanvas::detailsOf(const CanvasItem& item) const {
  const ClusterSpec& spec = cluster_->lastGood().spec();
  const CanvasRole* role = isNode(item.key) ? model_.role(item.key.role) : nullptr;
  if (!role || item.key.index >= nodeCount(spec, item.key.role)) return {};
  return nodeCardWords(nodeTitle(*role, item.key.index), nodeDetails(spec, item.key.role, item.key.index));
}

void ClusterCanvas::showCard() {
  hideCard();
  if (!cardTimer_) {
    cardTimer_ = new QTimer(this);
    cardTimer_->setSingleShot(true);
    connect(cardTimer_, &QTimer::timeout, this, &ClusterCanvas::presentCard);
  }
  cardOfFocus_ = hovered_.kind == CanvasKey::Kind::None;
  cardTimer_->start(cardOfFocus_ ? kKeyPauseMs : kHoverPauseMs);
}

void ClusterCanvas::presentCard() {
  const CanvasItem* item = scene_.find(cardOfFocus_ ? focused_ : hovered_);
  const bool isOver = gesture_ == Gesture::None && isEnabled() && isVisible() && item;
  const QString text = isOver ? cardText(*item) : QString();
  if (text.isEmpty()) return;
  const QRect part = item->rect.toAlignedRect();
  if (!visibleRegion().intersects(part)) return;  // scrolled away meanwhile
  if (!card_) card_ = new NodeCard(this);
  card_->showBeside({mapToGlobal(part.topLeft()), part.size()}, text);
  // What moves the drawing away from under the card takes the card with it.
  qApp->installEventFilter(this);
}

void ClusterCanvas::hideCard() {
  if (cardTimer_) cardTimer_->stop();
  if (!card_ || card_->isHidden()) return;
  card_->hide();
  qApp->removeEventFilter(this);
}

void ClusterCanvas::watchForCard(const QEvent& event) {
  switch (event.type()) {
    case QEvent::Wheel:
    case QEvent::MouseButtonPress:
    case QEvent::WindowDeactivate:
    case QEvent::ApplicationDeactivate:
    case QEvent::FocusOut:
      hideCard();
      break;
    default:
      break;
  }
}

void ClusterCanvas::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  hideCard();
}

}  // namespace lockstep
