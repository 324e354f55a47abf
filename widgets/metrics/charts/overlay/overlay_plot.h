// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointF>
#include <QString>
#include <QWidget>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QCPGraph;
class QCustomPlot;

namespace lockstep {

/// Curves that lie over each other, each of which says itself what is to be drawn of it between two places of the axis. Zooms and
/// moves along that axis alone, by mouse and by keys: + and -, left and right; Home or a double click shows all.
class OverlayPlot : public QWidget {
  Q_OBJECT
 public:
  struct Curve {
    QString name;
    std::optional<std::pair<double, double>> extent;  // from where to where it goes; absent: it is empty
    /// At most `columns` points from there to there, ascending. Called for each picture.
    std::function<std::vector<QPointF>(double from, double to, int columns)> points;
  };

  explicit OverlayPlot(QWidget* parent = nullptr);

  /// What somebody has zoomed into stays in sight, unless `horizontal` is another one than before.
  void setCurves(std::vector<Curve> curves, const QString& horizontal, const QString& vertical);
  void showAll();
  [[nodiscard]] QStringList curveNames() const;
  /// From where to where of the axis is in sight.
  [[nodiscard]] std::pair<double, double> range() const;
  /// How many values are drawn now, of all curves.
  [[nodiscard]] std::size_t pointCount() const;

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void draw();
  void colorAll();

  QCustomPlot* plot_;
  std::vector<Curve> curves_;
  std::vector<QCPGraph*> graphs_;  // of the plot, one a curve
  bool isDrawing_ = false;
  bool isZoomed_ = false;  // by somebody
};

}  // namespace lockstep
