// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <qcustomplot.h>

#include <span>
#include <vector>

namespace lockstep {

/// Lines and areas over the steps, drawn in the order in which they were added: on a screen column by column of pixels, which
/// costs a tenth of stroking them; where points are few, as smooth lines; in a drawing (SVG) as what they are.
/// `y` that is no number interrupts a line.
class ColumnPlottable final : public QCPAbstractPlottable {
 public:
  struct Point {
    double x = 0, y = 0;  // step, value
  };
  using Points = std::vector<Point>;
  struct Line {
    Points points;  // ascending in x
    QColor color;
    double width = 1.6;
    std::vector<double> dashes;  // in widths; empty: none
  };
  struct Area {
    Points upper, lower;  // at the same x
    QColor color;
  };

  /// Belongs to the plot of the axes.
  ColumnPlottable(QCPAxis* steps, QCPAxis* values);

  void clear();
  void add(Area area) { areas_.push_back(std::move(area)); }
  void add(Line line) { lines_.push_back(std::move(line)); }
  /// A sample that no line leads to or from.
  void addDisc(Point at, const QColor& color) { discs_.push_back({at, color}); }
  /// That a line ends here though others go on, as a small open circle.
  void addEnd(Point at, const QColor& color) { ends_.push_back({at, color}); }
  /// That there is something that is no number, as a cross at the bottom.
  void addGap(double step) { gaps_.push_back(step); }
  /// Of gaps, and of what is within the circle of an end.
  void setMarkColors(const QColor& gap, const QColor& ground) {
    gapColor_ = gap;
    ground_ = ground;
  }

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
  QCPRange getKeyRange(bool& found, QCP::SignDomain) const override {
    found = false;
    return {};
  }
  QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
    found = false;
    return {};
  }

 protected:
  void draw(QCPPainter* painter) override;
  void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

 private:
  struct Disc {
    Point at;
    QColor color;
  };
  class Places;
  [[nodiscard]] QPointF pixelOf(const Point& point) const;
  void drawColumns(QCPPainter* painter);
  void drawShapes(QCPPainter* painter);
  void drawLine(QCPPainter* painter, const Line& line);
  void drawMarks(QCPPainter* painter);
  [[nodiscard]] bool isDense(const Line& line) const;

  std::vector<Area> areas_;
  std::vector<Line> lines_;
  std::vector<Disc> discs_, ends_;
  std::vector<double> gaps_;
  QColor gapColor_, ground_;
};

}  // namespace lockstep
