// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QImage>
#include <vector>

namespace lockstep {

/// From where to where a line goes in each column of pixels. So it costs as much as there are columns, whatever the line
/// does in them, and no extreme is lost. Coordinates are in pixels, y downwards.
class ColumnExtents {
 public:
  explicit ColumnExtents(int columns) : columns_(static_cast<std::size_t>(columns)) {}

  /// x0 <= x1. What is no number is left out.
  void addLine(double x0, double y0, double x1, double y1);

  struct Extent {
    float top = 1, bottom = -1;
    [[nodiscard]] bool isEmpty() const { return top > bottom; }
  };
  [[nodiscard]] const std::vector<Extent>& columns() const { return columns_; }

 private:
  void include(std::size_t column, double y);

  std::vector<Extent> columns_;
};

// Onto an image of Format_ARGB32_Premultiplied.

/// The area between two lines, its edges included.
void fillBetween(QImage& image, const ColumnExtents& upper, const ColumnExtents& lower, const QColor& color);
/// The line itself, `width` pixels wide. `dashes`: lengths of what is drawn and what is not, in turns, in pixels; empty: all
/// is drawn.
void strokeColumns(QImage& image, const ColumnExtents& line, double width, const QColor& color,
                   const std::vector<double>& dashes);

}  // namespace lockstep
