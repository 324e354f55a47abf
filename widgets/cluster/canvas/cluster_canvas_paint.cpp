// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/canvas/cluster_canvas_paint.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kMaxGpuMarks = 8;

/// One pass over the drawing; every colour comes from the palette of the look.
class Brush {
 public:
  Brush(QPainter& painter, const CanvasModel& model, const CanvasMetrics& metrics, const CanvasLook& look)
      : painter_(painter),
        model_(model),
        m_(metrics),
        look_(look),
        u_(metrics.unit),
        card_(cardColor(look.palette)),
        text_(look.palette.color(QPalette::Text)),
        muted_(mutedColor(look.palette)),
        accent_(accentColor(look.palette)),
        border_(borderColor(look.palette)) {}

  void ground(const CanvasScene& scene) {
    const QColor line = model_.hasSubnet ? tinted(card_, accent_, 0.42) : tinted(card_, text_, 0.3);
    box(scene.subnet, 10 * u_, tinted(card_, model_.hasSubnet ? accent_ : text_, 0.035),
        QPen(line, 1.2, model_.hasSubnet ? Qt::SolidLine : Qt::DashLine));
    if (scene.run.isNull()) return;
    box(scene.run, 9 * u_, tinted(card_, text_, 0.02), QPen(tinted(card_, text_, 0.28), 1));
    words(scene.runTitle, m_.small, muted_, model_.runCaption);
  }

  void edge(const CanvasEdge& edge) {
    QPen pen(tinted(card_, muted_, 0.75), 1.2, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (edge.isDashed) pen.setDashPattern({4, 3.5});
    painter_.setPen(pen);
    painter_.setBrush(Qt::NoBrush);
    painter_.drawPath(rounded(edge.points));
  }

  void edgeLabel(const CanvasEdge& edge) {
    if (edge.label.isEmpty()) return;
    box(edge.labelRect, edge.labelRect.height() / 2, card_, QPen(border_, 1));
    words(edge.labelRect, m_.small, muted_, edge.label, Qt::AlignCenter);
  }

  void item(const CanvasItem& item) {
    switch (item.key.kind) {
      case CanvasKey::Kind::None:
        break;
      case CanvasKey::Kind::Subnet:
        subnetTitle(item);
        break;
      case CanvasKey::Kind::Node:
      case CanvasKey::Kind::Stack:
        if (item.key == look_.lifted)
          box(item.rect, 7 * u_, Qt::transparent, QPen(border_, 1, Qt::DashLine));
        else
          card(item, item.rect);
        break;
      case CanvasKey::Kind::Group:
        group(item);
        break;
      case CanvasKey::Kind::Fewer:
      case CanvasKey::Kind::Count:
      case CanvasKey::Kind::More:
        stepper(item);
        break;
      case CanvasKey::Kind::Grip:
        grip(item);
        break;
      case CanvasKey::Kind::Add:
        add(item);
        break;
      case CanvasKey::Kind::Shape:
        link(item, m_.small);
        break;
      case CanvasKey::Kind::Chip:
        chip(item);
        break;
    }
    if (item.key == look_.focused) focusRing(item);
  }

  void card(const CanvasItem& item, const QRectF& rect) {
    const bool isMain = item.key.role == NodeRole::Main;
    const bool isHot = item.key == look_.hovered;
    const QColor ink = isMain ? accent_ : tinted(card_, text_, 0.9);
    const QColor line = isHot ? accent_ : isMain ? tinted(card_, accent_, 0.85) : tinted(card_, text_, 0.24);
    const QPen pen(line, isMain ? 1.5 : 1);
    const QColor fill = isMain ? tinted(card_, ink, 0.11) : card_;
    if (item.key.kind == CanvasKey::Kind::Stack)
      for (const qreal depth : {6.0, 3.0}) box(rect.translated(depth * u_, depth * u_), 7 * u_, fill, pen);
    box(rect, 7 * u_, fill, pen);
    cardText(item, rect);
    if (isHot) removeMark(item);
  }

  void lines(const CanvasScene& scene) {
    words(scene.note, m_.body, text_, model_.note, Qt::AlignLeading | Qt::AlignTop, true);
    const bool rtl = look_.direction == Qt::RightToLeft;
    const qreal y = scene.legend.center().y();
    const qreal from = rtl ? scene.legend.right() : scene.legend.left();
    QPen pen(muted_, 1.2);
    pen.setDashPattern({4, 3.5});
    painter_.setPen(pen);
    painter_.drawLine(QPointF(from, y), QPointF(from + (rtl ? -24 : 24) * u_, y));
    const qreal gap = 30 * u_;
    words(scene.legend.adjusted(rtl ? 0 : gap, 0, rtl ? -gap : 0, 0), m_.small, muted_,
          ClusterCanvas::tr("not checked yet"));
  }

 private:
  void box(const QRectF& rect, qreal radius, const QColor& fill, const QPen& pen) {
    painter_.setPen(pen);
    painter_.setBrush(fill);
    const qreal half = pen.widthF() / 2;
    painter_.drawRoundedRect(rect.adjusted(half, half, -half, -half), radius, radius);
  }

  void words(const QRectF& rect, const QFont& font, const QColor& color, const QString& text,
             Qt::Alignment alignment = Qt::AlignLeading | Qt::AlignVCenter, bool wraps = false) {
    painter_.setFont(font);
    painter_.setPen(color);
    const int flags = static_cast<int>(alignment) | (wraps ? Qt::TextWordWrap : Qt::TextSingleLine);
    const QString shown =
        wraps ? text : QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, rect.width() + 1);
    painter_.drawText(rect, flags, shown);
  }

  /// The part of `rect` after the first `advance` units of text, in the direction of reading.
  [[nodiscard]] QRectF after(const QRectF& rect, qreal advance) const {
    return look_.direction == Qt::RightToLeft ? rect.adjusted(0, 0, -advance, 0)
                                              : rect.adjusted(advance, 0, 0, 0);
  }

  [[nodiscard]] QPainterPath rounded(const std::vector<QPointF>& points) const {
    QPainterPath path(points.front());
    for (size_t i = 1; i + 1 < points.size(); ++i) {
      const QLineF in(points[i], points[i - 1]);
      const QLineF out(points[i], points[i + 1]);
      const qreal radius = std::min({8 * u_, in.length() / 2, out.length() / 2});
      path.lineTo(in.length() > 0 ? in.pointAt(radius / in.length()) : points[i]);
      path.quadTo(points[i], out.length() > 0 ? out.pointAt(radius / out.length()) : points[i]);
    }
    path.lineTo(points.back());
    return path;
  }

  void subnetTitle(const CanvasItem& item) {
    const bool isHot = item.key == look_.hovered;
    words(item.rect, m_.bold, isHot ? accent_ : text_, item.title);
    words(after(item.rect, m_.boldSize.horizontalAdvance(item.title) + 9 * u_), m_.small, muted_,
          item.subtitle);
  }

  void cardText(const CanvasItem& item, const QRectF& rect) {
    const CanvasRole* role = model_.role(item.key.role);
    const int gpus = std::min(role ? role->gpus : 0, kMaxGpuMarks);
    const qreal marks = gpus > 0 ? 12 * u_ : 0;
    const bool hasSubtitle = !item.subtitle.isEmpty();
    const qreal height = m_.boldSize.height() + (hasSubtitle ? m_.smallSize.height() : 0) + marks;
    QRectF line(rect.left() + 6 * u_, rect.center().y() - height / 2, rect.width() - 12 * u_,
                m_.boldSize.height());
    words(line, m_.bold, text_, item.title, Qt::AlignCenter);
    line = {line.left(), line.bottom(), line.width(), m_.smallSize.height()};
    if (hasSubtitle) words(line, m_.small, muted_, item.subtitle, Qt::AlignCenter);
    if (gpus == 0) return;
    const qreal side = 6 * u_;
    const qreal gap = 3 * u_;
    const qreal y = rect.center().y() + height / 2 - side;
    qreal x = rect.center().x() - (gpus * side + (gpus - 1) * gap) / 2;
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(tinted(card_, accent_, 0.6));
    for (int i = 0; i < gpus; ++i, x += side + gap)
      painter_.drawRoundedRect(QRectF(x, y, side, side), 1.5 * u_, 1.5 * u_);
  }

  void removeMark(const CanvasItem& item) {
    const QRectF button = removeButton(item, m_, look_.direction);
    if (button.isNull()) return;
    box(button, button.height() / 2, tinted(card_, text_, 0.1), Qt::NoPen);
    cross(button, text_);
  }

  void cross(const QRectF& rect, const QColor& color) {
    const qreal arm = 3 * u_;
    const QPointF c = rect.center();
    painter_.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap));
    painter_.drawLine(c + QPointF(-arm, -arm), c + QPointF(arm, arm));
    painter_.drawLine(c + QPointF(-arm, arm), c + QPointF(arm, -arm));
  }

  void group(const CanvasItem& item) {
    const bool isHot = item.key == look_.hovered;
    box(item.rect, 9 * u_, tinted(card_, text_, 0.045), QPen(tinted(card_, text_, isHot ? 0.3 : 0.14), 1));
    const qreal pad = 10 * u_;
    const QRectF header(item.rect.left() + pad, item.rect.top() + pad, item.rect.width() - 2 * pad,
                        m_.bodySize.height() + 6 * u_);
    words(header, m_.bold, text_, item.title);
    if (item.subtitle.isEmpty()) return;
    words({header.left(), header.bottom() + 2 * u_, header.width(), m_.smallSize.height()}, m_.small, muted_,
          item.subtitle);
  }

  void stepper(const CanvasItem& item) {
    const bool isHot = item.key == look_.hovered;
    const QColor fill = isHot ? tinted(card_, text_, 0.1) : card_;
    box(item.rect, 4 * u_, fill, QPen(tinted(card_, text_, 0.18), 1));
    if (item.key.kind == CanvasKey::Kind::Count)
      return words(item.rect, m_.body, text_, item.title, Qt::AlignCenter);
    const QPointF c = item.rect.center();
    const qreal arm = 4 * u_;
    painter_.setPen(QPen(isHot ? accent_ : text_, 1.5, Qt::SolidLine, Qt::RoundCap));
    painter_.drawLine(c - QPointF(arm, 0), c + QPointF(arm, 0));
    if (item.key.kind == CanvasKey::Kind::More) painter_.drawLine(c - QPointF(0, arm), c + QPointF(0, arm));
  }

  void grip(const CanvasItem& item) {
    const bool isHot = item.key == look_.hovered;
    const QColor line = isHot ? accent_ : tinted(card_, text_, 0.24);
    box(item.rect, item.rect.width() / 2, isHot ? tinted(card_, accent_, 0.16) : card_, QPen(line, 1));
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(isHot ? accent_ : muted_);
    for (const int row : {-1, 0, 1})
      painter_.drawEllipse(item.rect.center() + QPointF(0, row * 6 * u_), 1.4 * u_, 1.4 * u_);
  }

  void add(const CanvasItem& item) {
    const bool isHot = item.key == look_.hovered;
    QPen pen(isHot ? accent_ : tinted(card_, text_, 0.35), 1.1);
    pen.setDashPattern({4, 3});
    box(item.rect, 8 * u_, isHot ? tinted(card_, accent_, 0.08) : QColor(Qt::transparent), pen);
    words(item.rect, m_.body, isHot ? accent_ : muted_, item.title, Qt::AlignCenter);
  }

  void link(const CanvasItem& item, const QFont& font) {
    words(item.rect.adjusted(6 * u_, 0, -6 * u_, 0), font, item.key == look_.hovered ? accent_ : muted_,
          item.title);
  }

  void chip(const CanvasItem& item) {
    const CanvasChip& chip = model_.chips[static_cast<size_t>(item.key.index)];
    const bool isHot = item.key == look_.hovered;
    QPen pen(isHot ? accent_ : tinted(card_, text_, 0.22), 1);
    if (chip.isMissing) pen.setStyle(Qt::DashLine);
    box(item.rect, 8 * u_, card_, pen);
    const qreal icon = 18 * u_;
    QRectF place(item.rect.left() + 9 * u_, item.rect.center().y() - icon / 2, icon, icon);
    if (look_.direction == Qt::RightToLeft) place.moveRight(item.rect.right() - 9 * u_);
    static const char* const kIcons[] = {"bucket", "logs", "image", "image"};
    themedIcon(QLatin1String(kIcons[static_cast<size_t>(chip.kind)]),
               chip.isMissing ? IconColor::Muted : IconColor::Accent)
        .paint(&painter_, place.toAlignedRect());
    const QRectF text = after(item.rect.adjusted(9 * u_, 6 * u_, -9 * u_, -6 * u_), icon + 8 * u_);
    words({text.left(), text.top(), text.width(), m_.smallSize.height()}, m_.small, muted_, chip.caption);
    words({text.left(), text.bottom() - m_.bodySize.height(), text.width(), m_.bodySize.height()}, m_.body,
          chip.isMissing ? warningColor(look_.palette) : text_, chip.value);
  }

  void focusRing(const CanvasItem& item) {
    painter_.setPen(QPen(accent_, 2));
    painter_.setBrush(Qt::NoBrush);
    const qreal gap = 2.5 * u_;
    painter_.drawRoundedRect(item.rect.adjusted(-gap, -gap, gap, gap), 9 * u_, 9 * u_);
  }

  QPainter& painter_;
  const CanvasModel& model_;
  const CanvasMetrics& m_;
  const CanvasLook& look_;
  qreal u_;
  QColor card_, text_, muted_, accent_, border_;
};

}  // namespace

void paintCanvas(QPainter& painter, const CanvasModel& model, const CanvasMetrics& metrics,
                 const CanvasScene& scene, const CanvasLook& look) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setLayoutDirection(look.direction);
  Brush brush(painter, model, metrics, look);
  brush.ground(scene);
  for (const CanvasEdge& edge : scene.edges) brush.edge(edge);
  for (const CanvasItem& item : scene.items)
    if (!item.isDrawnOver) brush.item(item);
  for (const CanvasEdge& edge : scene.edges) brush.edgeLabel(edge);
  for (const CanvasItem& item : scene.items)
    if (item.isDrawnOver) brush.item(item);
  brush.lines(scene);
}

void paintCard(QPainter& painter, const CanvasModel& model, const CanvasMetrics& metrics,
               const CanvasItem& item, const QRectF& rect, const CanvasLook& look) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setLayoutDirection(look.direction);
  Brush(painter, model, metrics, look).card(item, rect);
}

}  // namespace lockstep
