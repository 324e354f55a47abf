// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/canvas/cluster_canvas_group.h"

#include <QLocale>
#include <algorithm>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/canvas/cluster_canvas_edits.h"

namespace lockstep {
namespace {

constexpr long long kMaxSingly = 6;
constexpr int kMaxRows = 2;

/// How the nodes of a group share its cards.
struct Cards {
  long long singles = 0;
  bool hasStack = false;
  [[nodiscard]] int count() const { return static_cast<int>(singles) + (hasStack ? 1 : 0); }
};

Cards cardsFor(long long nodes, int inARow) {
  const long long room = std::min<long long>(kMaxSingly, static_cast<long long>(inARow) * kMaxRows);
  if (nodes <= room) return {nodes, false};
  return {std::clamp<long long>(inARow - 1, 1, 2), true};
}

CanvasItem part(CanvasKey::Kind kind, const CanvasRole& role, const QRectF& rect) {
  CanvasItem out;
  out.key.kind = kind;
  out.key.role = role.role;
  out.rect = rect;
  out.field = role.field;
  return out;
}

CanvasItem single(const CanvasRole& role, long long index, const QRectF& rect) {
  CanvasItem out = part(CanvasKey::Kind::Node, role, rect);
  out.key.index = index;
  out.last = index;
  out.title = nodeTitle(role, index);
  out.subtitle = rankText(role, index, index);
  return out;
}

CanvasItem stack(const CanvasRole& role, long long first, const QRectF& rect, qreal depth) {
  CanvasItem out = part(CanvasKey::Kind::Stack, role, rect.adjusted(0, 0, -depth, -depth));
  out.key.index = first;
  out.last = role.count - 1;
  out.title = QStringLiteral("× %1").arg(QLocale().toString(role.count - first));
  out.subtitle = rankText(role, first, out.last);
  if (out.subtitle.isEmpty()) out.subtitle = ClusterCanvas::tr("%1–%2").arg(first).arg(out.last);
  return out;
}

void addStepper(const CanvasRole& role, const CanvasGroupSizes& sizes, const QPointF& corner, qreal right,
                std::vector<CanvasItem>& items) {
  const qreal button = sizes.stepperHeight;
  QRectF whole(right - sizes.stepperWidth, corner.y(), sizes.stepperWidth, button);
  CanvasItem fewer = part(CanvasKey::Kind::Fewer, role, {whole.topLeft(), QSizeF(button, button)});
  CanvasItem more = part(CanvasKey::Kind::More, role, {whole.right() - button, whole.top(), button, button});
  CanvasItem count = part(CanvasKey::Kind::Count, role, whole.adjusted(button, 0, -button, 0));
  count.title = QLocale().toString(role.count);
  count.field = replicasField(role.role);
  fewer.canFocus = more.canFocus = count.canFocus = false;
  items.insert(items.end(), {fewer, count, more});
}

}  // namespace

CanvasGroupSizes::CanvasGroupSizes(const CanvasModel& model, const CanvasMetrics& m) {
  const qreal u = m.unit;
  gap = 8 * u;
  pad = 10 * u;
  grip = 12 * u;
  qreal words = m.boldSize.horizontalAdvance(ClusterCanvas::tr("worker %1").arg(99));
  long long largest = 1;
  bool showsGpus = model.main.gpus > 0;
  words = std::max(words, m.smallSize.horizontalAdvance(rankText(model.main, 0, 0)));
  for (const CanvasRole& role : model.groups) {
    largest = std::max(largest, role.count);
    words = std::max(words, m.smallSize.horizontalAdvance(rankText(role, role.count - 1, role.count - 1)));
    words = std::max(words, m.smallSize.horizontalAdvance(rankText(role, 2, role.count - 1)) + 4 * u);
    showsGpus = showsGpus || role.gpus > 0;
    headerWidth = std::max(headerWidth, m.boldSize.horizontalAdvance(role.title));
  }
  const qreal height = m.boldSize.height() + m.smallSize.height() + (showsGpus ? 30 : 18) * u;
  card = {std::max(words + 20 * u, 92 * u), height};
  stepperHeight = m.bodySize.height() + 6 * u;
  stepperWidth = 2 * stepperHeight +
                 std::max(26 * u, m.bodySize.horizontalAdvance(QLocale().toString(largest)) + 12 * u);
  headerWidth += stepperWidth + 14 * u;
}

qreal CanvasGroupSizes::minGroupWidth(int cardsInARow) const {
  const qreal cards = cardsInARow * card.width() + (cardsInARow - 1) * gap;
  return std::max(cards, headerWidth) + 2 * pad + grip / 2;
}

int CanvasGroupSizes::cardsIn(qreal groupWidth) const {
  return std::max(1, static_cast<int>((groupWidth - 2 * pad - grip / 2 + gap) / (card.width() + gap)));
}

QRectF layoutGroup(const CanvasRole& role, const CanvasGroupSizes& sizes, const CanvasMetrics& m,
                   const QPointF& corner, qreal width, std::vector<CanvasItem>& items) {
  const Cards cards = cardsFor(role.count, sizes.cardsIn(width));
  const int columns = std::min(sizes.cardsIn(width), cards.count());
  const int rows = (cards.count() + columns - 1) / columns;
  const qreal inside = std::max(columns * sizes.card.width() + (columns - 1) * sizes.gap, sizes.headerWidth);
  const qreal noteHeight = role.note.isEmpty() ? 0 : m.smallSize.height() + 4 * m.unit;
  const qreal noteWidth = role.note.isEmpty() ? 0 : m.smallSize.horizontalAdvance(role.note) + 2 * m.unit;
  const qreal max = width - 2 * sizes.pad - sizes.grip / 2;
  QRectF frame(corner, QSizeF(std::min(std::max(inside, noteWidth), max) + 2 * sizes.pad, 0));
  const qreal cardsTop = corner.y() + sizes.pad + sizes.stepperHeight + noteHeight + 8 * m.unit;
  frame.setBottom(cardsTop + rows * sizes.card.height() + (rows - 1) * sizes.gap + sizes.pad);

  CanvasItem group = part(CanvasKey::Kind::Group, role, frame);
  group.title = role.title;
  group.subtitle = role.note;
  items.push_back(group);
  addStepper(role, sizes, corner + QPointF(0, sizes.pad), frame.right() - sizes.pad, items);
  for (int i = 0; i < cards.count(); ++i) {
    const int column = i % columns, line = i / columns;
    const QPointF place(corner.x() + sizes.pad + column * (sizes.card.width() + sizes.gap),
                        cardsTop + line * (sizes.card.height() + sizes.gap));
    const QRectF rect(place, sizes.card);
    items.push_back(i < cards.singles ? single(role, i, rect) : stack(role, i, rect, 6 * m.unit));
  }
  CanvasItem grip = part(CanvasKey::Kind::Grip, role, {0, 0, sizes.grip, 34 * m.unit});
  grip.rect.moveCenter({frame.right(), (cardsTop + frame.bottom() - sizes.pad) / 2});
  grip.canFocus = false;
  grip.isDrawnOver = true;
  items.push_back(grip);
  return frame;
}

}  // namespace lockstep
