// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/cluster/canvas/cluster_canvas_scene.h"

namespace lockstep {

/// What the cards and steppers of a drawing measure: all cards are alike.
struct CanvasGroupSizes {
  CanvasGroupSizes(const CanvasModel& model, const CanvasMetrics& metrics);
  [[nodiscard]] qreal minGroupWidth(int cardsInARow) const;
  [[nodiscard]] int cardsIn(qreal groupWidth) const;

  QSizeF card;
  qreal gap = 0, pad = 0, grip = 0;
  qreal stepperHeight = 0, stepperWidth = 0, headerWidth = 0;
};

/// Lays out one group of nodes with its header, cards and grip at `corner`, at most `width` wide, and adds
/// its parts to `items`. A handful of nodes are drawn one by one; of more, the first ones and a stack for the
/// rest. Returns the frame of the group.
QRectF layoutGroup(const CanvasRole& role, const CanvasGroupSizes& sizes, const CanvasMetrics& metrics,
                   const QPointF& corner, qreal width, std::vector<CanvasItem>& items);

}  // namespace lockstep
