// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QImage>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "metrics/grid/value_scale.h"
#include "metrics/metric_store.h"
#include "widgets/metrics/rank_views/heat_axes.h"
#include "widgets/metrics/rank_views/heat_tiles.h"
#include "widgets/metrics/rank_views/heat_view.h"

class QLabel;
class QTimer;

namespace lockstep {

/// What a heat map shows.
struct HeatSource {
  std::shared_ptr<const MetricStore> metrics;
  std::string name;  // of the quantity
  HeatRows rows;
  ValueScale scale;
  std::function<QString(double)> text;  // a value with its unit
};

/// Ranks over steps, a colour for each value. Drag moves, the wheel zooms the steps (with Ctrl the ranks), Home and a double
/// click show all, Shift and drag chooses steps and ranks. By keyboard: arrows move a cursor whose cell is said, with Shift
/// they choose, Enter tells of it, Escape forgets it; + and - zoom, Page Up and Page Down move by ten lines.
///
/// Where several steps or ranks share a pixel it shows the value that is furthest from the median of the ranks, so that a spike
/// is seen at every zoom. Painted into an image that is kept until something changes; new cells are computed in slices of some
/// milliseconds, and meanwhile wider ones stand for them. Cost: pixels x ranks.
class HeatCanvas : public QWidget {
  Q_OBJECT
 public:
  explicit HeatCanvas(QWidget* parent = nullptr);

  void setSource(HeatSource source);
  [[nodiscard]] const HeatView& view() const { return view_; }
  void setSteps(double from, double to);
  void showAll();
  /// Their rows have the colour of the rank at the left edge.
  void setChosenRanks(const std::set<Rank>& ranks);
  /// A line at that step, to which something else on the page points; costs no more than painting it.
  void setPointed(std::optional<Step> step);
  /// Computes and draws all that is in view now, e.g. before a picture is taken.
  void finishNow();
  /// Whether nothing of what is in view is still to be computed.
  [[nodiscard]] bool isFinished() const { return isFinished_; }
  /// "rank 12, step 3,400: 81 ms": the cell at that place, as it is drawn.
  [[nodiscard]] QString readoutAt(double step, double row) const;
  /// Where the cells are, in this widget.
  [[nodiscard]] QRectF cellArea() const;

  [[nodiscard]] QSize sizeHint() const override { return {520, 260}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 100}; }

 signals:
  /// The user zoomed or moved: the steps [from, to) are in view now.
  void viewChanged(double from, double to);
  /// The mouse, or the cursor of the keyboard, is at that step of that rank; with nothing: at none any more.
  void pointedAt(const std::optional<lockstep::Step>& step, lockstep::Rank rank);
  /// The user has chosen these steps, both included, of these ranks, in the order of their rows.
  void brushed(lockstep::Step fromStep, lockstep::Step toStep, const std::vector<lockstep::Rank>& ranks);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  /// A column and a line: their first step and row.
  struct Place {
    Step step = 0;
    int row = 0;
  };
  enum class Drag { None, Moves, Chooses };

  [[nodiscard]] int level() const;
  [[nodiscard]] Step stepsPerColumn() const { return Step{1} << level(); }
  [[nodiscard]] int rowsPerLine() const;
  [[nodiscard]] Place placeAt(double step, double row) const;
  [[nodiscard]] Place placeAt(const QPointF& point) const;
  [[nodiscard]] QRectF boundsOf(const Place& one, const Place& other) const;
  /// Of all ranks, in the column of that step.
  [[nodiscard]] double medianAt(Step step) const;
  [[nodiscard]] QString cellText(const RankCell& cell) const;
  void changeView(const std::function<void(HeatView&)>& change);
  void forgetPicture();
  void layOut();
  void fill(std::chrono::nanoseconds time);
  void drawPicture();
  void paintChoice(QPainter& painter) const;
  void showReadout(const QPointF& point);
  void tellPointed(const std::optional<Place>& place);
  void moveCursor(int columns, int lines, bool chooses);
  bool zoomByKey(int key);
  void tellChoice();

  HeatSource source_;
  HeatView view_;
  HeatTiles tiles_;
  QImage picture_;     // of the cells, in pixels of the screen; null: to be drawn
  QImage unmeasured_;  // what stands where nothing was measured; likewise
  int labels_ = 0;     // how wide those of the rows are
  bool isFinished_ = true;
  std::optional<Step> pointed_;
  std::set<Rank> chosenRanks_;
  std::optional<Place> cursor_, anchor_;  // chosen is what lies between the two
  Drag drag_ = Drag::None;
  QPointF dragged_;      // where the mouse was last
  QElapsedTimer moved_;  // since the view changed last
  QLabel* readout_;
  QTimer* timer_;
};

}  // namespace lockstep
