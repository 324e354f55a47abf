// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFont>
#include <QFontMetricsF>
#include <QRectF>
#include <QWidget>
#include <vector>

#include "widgets/cluster/canvas/cluster_canvas_model.h"

namespace lockstep {

/// The sizes that everything else follows: the drawing scales with the font.
struct CanvasMetrics {
  explicit CanvasMetrics(const QFont& font);
  QFont body, bold, small;
  QFontMetricsF bodySize, boldSize, smallSize;
  qreal unit;  // a 16th of a line of text
};

/// What a part of the drawing is; two parts of one drawing never have the same.
struct CanvasKey {
  enum class Kind { None, Subnet, Node, Stack, Group, Fewer, Count, More, Grip, Add, Shape, Chip };
  Kind kind = Kind::None;
  NodeRole role = NodeRole::Main;
  long long index = 0;  // Node: of the role, from 0; Stack: its first node; Chip: of the model's chips
  bool operator==(const CanvasKey&) const = default;
};

/// Whether it stands for nodes of which there can be more or fewer.
[[nodiscard]] bool hasReplicas(const CanvasKey& key);

/// One part of the drawing that can be pointed at.
struct CanvasItem {
  CanvasKey key;
  QRectF rect;
  QString title, subtitle;
  FieldPath field;
  long long last = 0;        // Stack: its last node
  bool canFocus = true;      // false: a mouse handle whose work a key does elsewhere
  bool isDrawnOver = false;  // drawn after all others
};

/// A connection between two parts; `points` are joined by straight lines with round corners.
struct CanvasEdge {
  std::vector<QPointF> points;
  bool isDashed = true;  // not verified
  QString label;
  QRectF labelRect;
};

/// The drawing: where everything is. In widget coordinates, mirrored already when text runs right to left.
struct CanvasScene {
  std::vector<CanvasItem> items;  // in the order in which arrow keys and screen readers meet them
  std::vector<CanvasEdge> edges;
  QRectF subnet, subnetTitle, run, runTitle, note, legend;
  QSizeF size;

  [[nodiscard]] const CanvasItem* find(const CanvasKey& key) const;
  /// The topmost part at a point; nullptr: none.
  [[nodiscard]] const CanvasItem* at(const QPointF& point) const;
};

/// Lays the drawing out in a width; its height follows.
[[nodiscard]] CanvasScene layoutCanvas(const CanvasModel& model, const CanvasMetrics& metrics, qreal width,
                                       Qt::LayoutDirection direction);
/// Where a card shows the button that removes it: the card itself, or null for a part without one.
[[nodiscard]] QRectF removeButton(const CanvasItem& item, const CanvasMetrics& metrics,
                                  Qt::LayoutDirection direction);
/// Narrower than this the drawing is cut.
[[nodiscard]] qreal minCanvasWidth(const CanvasModel& model, const CanvasMetrics& metrics);

}  // namespace lockstep
