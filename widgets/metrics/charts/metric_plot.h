// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QImage>
#include <QString>
#include <QWidget>
#include <memory>
#include <set>
#include <vector>

#include "metrics/metric_store.h"
#include "metrics/sample_csv.h"
#include "widgets/metrics/charts/chart_spec.h"

namespace lockstep {

/// Draws one quantity over the steps: of up to kMostCurves ranks a curve each; of more a band, their median, and curves of
/// those that are chosen or lie apart (outlyingRanks). Wheel zooms, drag moves, double click (or Home) shows all; the
/// value axis fits what is in sight. Every redraw costs in proportion to pixels x ranks, not to the samples.
class MetricPlot : public QWidget {
  Q_OBJECT
 public:
  static constexpr std::size_t kMostCurves = 16;
  static constexpr std::size_t kMostOutliers = 4;

  explicit MetricPlot(PlotQuantity quantity, QWidget* parent = nullptr);
  ~MetricPlot() override;

  /// Never null. Drawn soon, at most ten times a second.
  void setSamples(std::shared_ptr<const MetricStore> samples);
  void scheduleRefresh();
  /// Draws now, e.g. before a picture is taken.
  void refreshNow();

  void setEmptyText(const QString& text);
  void setLogScale(bool on);
  /// 0: off. With smoothing the raw curve stays as a ghost behind.
  void setSmoothing(double weight);
  void setHiddenRanks(const std::set<Rank>& ranks);
  /// Drawn as curves over the band, where there is one.
  void setChosenRanks(const std::set<Rank>& ranks);
  /// Those that have a curve now, in ascending order.
  [[nodiscard]] const std::vector<Rank>& drawnRanks() const;
  void setView(const PlotView& view);
  [[nodiscard]] const PlotView& view() const;
  [[nodiscard]] bool hasData() const;
  /// "Loss of 3 ranks. Rank 0: 1.234 at step 120. …", and of the ranks that have no curve the median: what a screen
  /// reader says.
  [[nodiscard]] QString textAlternative() const;
  /// The values at a step, as the readout shows them: one line for each rank that has a curve, and one for the median.
  [[nodiscard]] QStringList readoutAt(double step) const;

  /// What is in sight, as a picture: drawn anew, at twice the pixels or as SVG.
  [[nodiscard]] QImage image();
  [[nodiscard]] QByteArray svg();
  /// The samples in sight: those of the ranks that are not hidden, also of ranks that are in a band.
  [[nodiscard]] SampleSelection samplesInSight() const;
  [[nodiscard]] std::shared_ptr<const MetricStore> samples() const;

  [[nodiscard]] QSize sizeHint() const override { return {420, 220}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {180, 96}; }

 public slots:
  void showAll();

 signals:
  /// The user zoomed or moved.
  void viewChanged(const lockstep::PlotView& view);
  /// The picture, or the samples in sight, are to be saved to a file of the user's choice.
  void savePictureRequested();
  void saveValuesRequested();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep
