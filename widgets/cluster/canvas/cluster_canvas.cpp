// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/canvas/cluster_canvas.h"

#include <QAccessible>
#include <QEvent>
#include <QPainter>
#include <QSpinBox>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "widgets/cluster/canvas/cluster_canvas_access.h"
#include "widgets/cluster/canvas/cluster_canvas_edits.h"
#include "widgets/cluster/canvas/cluster_canvas_paint.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kUsualWidth = 460;  // units
constexpr qreal kFaded = 0.5;

}  // namespace

ClusterCanvas::ClusterCanvas(EditableCluster* cluster, QWidget* parent)
    : QWidget(parent), cluster_(cluster), metrics_(font()) {
  static const bool hasFactory = (QAccessible::installFactory(canvasAccessibleFactory), true);
  Q_UNUSED(hasFactory)
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(tr("Cluster drawing"));
  connect(cluster_, &EditableCluster::documentChanged, this, &ClusterCanvas::refresh);
  refresh();
}

ClusterCanvas::~ClusterCanvas() = default;

QString ClusterCanvas::summary() const {
  return model_.summary;
}

void ClusterCanvas::refresh() {
  if (gesture_ != Gesture::None && !preview_) endGesture(false);
  setEnabled(cluster_->document().isParsable());
  model_ = canvasModelOf(cluster_->lastGood().spec());
  relayout();
}

void ClusterCanvas::relayout() {
  if (preview_) previewCount(model_, pressed_.role, *preview_);
  const QSizeF before = scene_.size;
  scene_ = layoutCanvas(model_, metrics_, width(), layoutDirection());
  if (before.height() != scene_.size.height()) updateGeometry();
  keepFocusOnSomething();
  describeFocus();
  update();
}

void ClusterCanvas::keepFocusOnSomething() {
  if (scene_.find(focused_)) return;
  CanvasKey key = focused_;
  for (const auto kind : {CanvasKey::Kind::Stack, CanvasKey::Kind::Node, CanvasKey::Kind::Group})
    for (auto item = scene_.items.rbegin(); item != scene_.items.rend(); ++item)
      if (item->key.kind == kind && item->key.role == key.role && key.kind != CanvasKey::Kind::None) {
        focused_ = item->key;
        return;
      }
  focused_ = {CanvasKey::Kind::Node, NodeRole::Main, 0};
}

void ClusterCanvas::setFocusedPart(const CanvasKey& key) {
  const CanvasItem* item = scene_.find(key);
  if (!item || !item->canFocus || key == focused_) return;
  focused_ = key;
  ++visit_;
  describeFocus();
  const std::vector<CanvasKey> parts = focusableParts();
  QAccessibleEvent event(this, QAccessible::Focus);
  event.setChild(static_cast<int>(std::find(parts.begin(), parts.end(), focused_) - parts.begin()));
  if (hasFocus()) QAccessible::updateAccessibility(&event);
  update();
}

std::vector<CanvasKey> ClusterCanvas::focusableParts() const {
  std::vector<CanvasKey> parts;
  for (const CanvasItem& item : scene_.items)
    if (item.canFocus) parts.push_back(item.key);
  return parts;
}

void ClusterCanvas::describeFocus() {
  QStringList words;
  if (const CanvasItem* item = hasFocus() ? scene_.find(focused_) : nullptr)
    words << describePart(*item) << detailsOf(*item);
  words << model_.summary;
  words.removeAll(QString());
  const QString text = words.join(QLatin1Char('\n'));
  if (text == accessibleDescription()) return;
  setAccessibleDescription(text);
}

QString ClusterCanvas::describePart(const CanvasItem& item) const {
  QStringList words{item.title, item.subtitle};
  if (const CanvasRole* role = model_.role(item.key.role); role && item.key.kind == CanvasKey::Kind::Group)
    words = {roleCountText(role->role, role->count), role->note};
  if (item.key.kind == CanvasKey::Kind::Stack)
    words.prepend(tr("%1 to %2").arg(item.key.index).arg(item.last));
  words.removeAll(QString());
  return words.join(QStringLiteral(", "));
}

void ClusterCanvas::activatePart(const CanvasKey& key) {
  const CanvasItem* item = scene_.find(key);
  if (!item || !isEnabled()) return;
  if (key.kind == CanvasKey::Kind::Add) return change(key.role, 1);
  emit fieldRequested(item->field);
}

void ClusterCanvas::change(NodeRole role, long long count, const QString& mergeKey) {
  if (const auto done = setReplicas(*cluster_, role, count, mergeKey); !done) emit editFailed(done.error());
  cluster_->document();
}

void ClusterCanvas::step(NodeRole role, int by) {
  const CanvasRole* present = model_.role(role);
  if (!present || role == NodeRole::Main) return;
  change(role, present->count + by, QStringLiteral("canvas %1 %2").arg(static_cast<int>(role)).arg(visit_));
}

QSize ClusterCanvas::sizeHint() const {
  const int width = static_cast<int>(std::ceil(kUsualWidth * metrics_.unit));
  return {width, heightForWidth(width)};
}

QSize ClusterCanvas::minimumSizeHint() const {
  const int min = static_cast<int>(std::ceil(minCanvasWidth(model_, metrics_)));
  return {min, std::min(heightForWidth(std::max(min, width())), heightForWidth(min))};
}

int ClusterCanvas::heightForWidth(int width) const {
  return static_cast<int>(std::ceil(layoutCanvas(model_, metrics_, width, Qt::LeftToRight).size.height()));
}

CanvasLook ClusterCanvas::look() const {
  CanvasLook out;
  out.palette = palette();
  out.palette.setCurrentColorGroup(QPalette::Active);
  out.direction = layoutDirection();
  if (isEnabled()) {
    out.hovered = hovered_;
    if (hasFocus()) out.focused = focused_;
    if (gesture_ == Gesture::DraggingCard) out.lifted = pressed_;
    if (gesture_ == Gesture::DraggingGrip) out.hovered = pressed_;
  }
  return out;
}

void ClusterCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (isEnabled()) {
    paintCanvas(painter, model_, metrics_, scene_, look());
    return paintGesture(painter);
  }
  // Faded as a whole: part by part, what lies behind would show through.
  QPixmap whole(size() * devicePixelRatioF());
  whole.setDevicePixelRatio(devicePixelRatioF());
  whole.fill(Qt::transparent);
  QPainter onWhole(&whole);
  paintCanvas(onWhole, model_, metrics_, scene_, look());
  onWhole.end();
  painter.setOpacity(kFaded);
  painter.drawPixmap(0, 0, whole);
}

void ClusterCanvas::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  hideCard();
  relayout();
}

void ClusterCanvas::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  switch (event->type()) {
    case QEvent::FontChange:
    case QEvent::StyleChange:
      metrics_ = CanvasMetrics(font());
      relayout();
      updateGeometry();
      break;
    case QEvent::LayoutDirectionChange:
    case QEvent::PaletteChange:
      relayout();
      break;
    case QEvent::LanguageChange:
      refresh();
      break;
    case QEvent::EnabledChange:
      hideCard();
      if (!isEnabled()) endGesture(false);
      break;
    default:
      break;
  }
}

}  // namespace lockstep
