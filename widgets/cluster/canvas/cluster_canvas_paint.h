// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPalette>

#include "widgets/cluster/canvas/cluster_canvas_scene.h"

class QPainter;

namespace lockstep {

/// What of the drawing is special right now.
struct CanvasLook {
  QPalette palette;
  Qt::LayoutDirection direction = Qt::LeftToRight;
  CanvasKey hovered, focused;  // focused: None while the keyboard is elsewhere
  CanvasKey lifted;            // the card that is being dragged
};

void paintCanvas(QPainter& painter, const CanvasModel& model, const CanvasMetrics& metrics,
                 const CanvasScene& scene, const CanvasLook& look);

/// One card, as the drawing has it: also the ghost under the mouse while it is dragged.
void paintCard(QPainter& painter, const CanvasModel& model, const CanvasMetrics& metrics,
               const CanvasItem& item, const QRectF& rect, const CanvasLook& look);

}  // namespace lockstep
