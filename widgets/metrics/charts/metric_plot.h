// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QImage>
#include <QString>
#include <QWidget>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "metrics/metric_store.h"
#include "metrics/sample_csv.h"
#include "widgets/metrics/charts/chart_spec.h"

namespace lockstep {

class FrameBudget;

/// Draws quantities over the steps: of up to kMaxCurves ranks a curve each; of more a band, their median, and curves of
/// those that are chosen or lie apart (outlyingRanks). Of several quantities all but the first have no band; ranks keep their
/// colours, and quantities are told apart by their dashes.
///
/// Wheel zooms, drag moves, Ctrl and drag zooms into a box, Shift and drag chooses steps, double click (or Home) shows
/// all; the value axes fit what is in sight, unless a box said otherwise. A redraw costs in proportion to pixels x ranks,
/// not to the samples, and never takes longer than a moment: while it moves, what is not computed by then is drawn
/// coarsely, and finely when the picture has come to rest.
class MetricPlot : public QWidget {
  Q_OBJECT
 public:
  static constexpr std::size_t kMaxCurves = 16;
  static constexpr std::size_t kMaxOutliers = 4;

  explicit MetricPlot(const ChartSpec& spec, QWidget* parent = nullptr);
  explicit MetricPlot(PlotQuantity quantity, QWidget* parent = nullptr);
  ~MetricPlot() override;

  void setSpec(const ChartSpec& spec);
  [[nodiscard]] const ChartSpec& spec() const;

  /// The time that it shares with the other charts of its page; never null. Default: it is alone.
  void setBudget(std::shared_ptr<FrameBudget> budget);
  /// Never null. Drawn soon, at most ten times a second, and only while it is in sight.
  void setSamples(std::shared_ptr<const MetricStore> samples);
  void scheduleRefresh();
  /// Draws now, whole, e.g. before a picture is taken.
  void refreshNow();

  void setEmptyText(const QString& text);
  /// Of both value axes.
  void setLogScale(bool on);
  /// With smoothing the raw curve stays as a ghost behind.
  void setSmoothing(const ChartSmoothing& smoothing);
  /// Where that was not measured steps stand below the chart, and the title says so.
  void setXAxis(ChartXAxis axis);
  [[nodiscard]] bool isMeasured(ChartXAxis axis) const;
  void setMarks(std::vector<ChartMark> marks);
  /// Nothing later is drawn or read out; absent: all.
  void setEnd(std::optional<TimePoint> end);
  void setHiddenRanks(const std::set<Rank>& ranks);
  /// Drawn as curves over the band, where there is one.
  void setChosenRanks(const std::set<Rank>& ranks);
  /// Of which ranks nothing comes any more while others go on, and since when: an open circle is where such a curve ends, and
  /// what is read of it says so.
  void setStale(const std::map<Rank, TimePoint>& stale);
  /// Those that have a curve of the first quantity now, in ascending order.
  [[nodiscard]] const std::vector<Rank>& drawnRanks() const;
  void setView(const PlotView& view);
  [[nodiscard]] const PlotView& view() const;
  [[nodiscard]] bool hasData() const;
  /// Whether what it has drawn last is as fine as there are pixels. False: nothing is drawn yet.
  [[nodiscard]] bool isWhole() const;

  /// A line at that step, and what is there.
  void setCursor(const std::optional<ChartCursor>& cursor);
  [[nodiscard]] const std::optional<ChartCursor>& cursor() const;

  /// "Loss of 3 ranks. Rank 0: 1.234 at step 120. …", of the ranks that have no curve the median, and the marks in sight:
  /// what a screen reader says.
  [[nodiscard]] QString textAlternative() const;
  /// The values at a step, as the readout shows them: one line for each rank that has a curve, and one for the median.
  [[nodiscard]] QStringList readoutAt(double step) const;

  /// What is in sight, as a picture: drawn anew, at twice the pixels or as SVG.
  [[nodiscard]] QImage image();
  [[nodiscard]] QByteArray svg();
  /// The samples in sight, one selection for each quantity: those of the ranks that are not hidden, also of ranks that are
  /// in a band. Where the newest step is in sight because all are, or because it is followed, whatever is behind it, too.
  [[nodiscard]] std::vector<SampleSelection> samplesInSight() const;
  [[nodiscard]] std::shared_ptr<const MetricStore> samples() const;

  [[nodiscard]] QSize sizeHint() const override { return {420, 220}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {180, 96}; }

 public slots:
  void showAll();

 signals:
  /// The user zoomed or moved.
  void viewChanged(const lockstep::PlotView& view);
  /// The user points at a moment, by mouse or with Ctrl and the arrows; absent: no more.
  void cursorMoved(const std::optional<lockstep::ChartCursor>& cursor);
  /// The user chose steps (from <= to), by Shift and drag or with Ctrl, Shift and the arrows; when they were done.
  void rangeBrushed(lockstep::Step from, lockstep::Step to, lockstep::TimePoint fromTime,
                    lockstep::TimePoint toTime);
  /// The picture, or the samples in sight, are to be saved to a file of the user's choice.
  void savePictureRequested();
  void saveValuesRequested();

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep
