// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPainter>
#include <QPalette>
#include <QString>
#include <set>
#include <vector>

#include "base/ids.h"
#include "widgets/metrics/rank_views/heat_view.h"

namespace lockstep {

/// The rows of a picture of ranks, from the top.
struct HeatRows {
  struct Node {
    int firstRow = 0, rows = 0;
    QString name;
    bool operator==(const Node&) const = default;
  };
  std::vector<Rank> ranks;
  std::vector<Node> nodes;  // in the order of the rows; empty: not known

  /// Empty: not known.
  [[nodiscard]] QString nodeOf(int row) const;
  bool operator==(const HeatRows&) const = default;
};

/// Whole steps in [from, to] at round distances, at most `most` (at least 1).
[[nodiscard]] std::vector<double> roundSteps(double from, double to, int most);
/// "3,400"; from a million on "1.2M".
[[nodiscard]] QString stepText(double step);

/// How much room the labels of the rows take, left of them, in a picture so wide.
[[nodiscard]] int widthOfRowLabels(const HeatRows& rows, const QFontMetrics& font, int pictureWidth);
/// The labels of the steps below `area`, and a word for what they count at their right end.
void paintStepLabels(QPainter& painter, const HeatView& view, const QRectF& area, const QString& word);
/// Nodes and ranks left of `area`, as many as have room, and thin lines between the nodes across it.
void paintRowLabels(QPainter& painter, const HeatRows& rows, const HeatView& view, const QRectF& area,
                    const QColor& line);

/// Left of `area`, the colours of these ranks beside their rows. Cost: the rows.
void paintChosenRanks(QPainter& painter, const HeatRows& rows, const std::set<Rank>& chosen,
                      const HeatView& view, const QRectF& area, const QPalette& palette);

/// A line over all colours, from the upper to the lower edge.
void paintPointedStep(QPainter& painter, double x, const QRectF& area);

}  // namespace lockstep
