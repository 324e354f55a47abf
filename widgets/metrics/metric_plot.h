// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QWidget>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "metrics/metric_store.h"

namespace lockstep {

/// What a plot shows: one quantity, a curve per rank.
struct PlotQuantity {
  std::string metric;                   // its name in the store
  QString title;                        // "Loss"
  std::function<QString(double)> text;  // a value with its unit, for the readout
  bool fromZero = false;                // the value axis begins at 0
  double atLeastTo = 0;                 // and reaches at least this far; 0: as far as the data do
};

/// Which steps a plot shows.
struct PlotView {
  bool showsAll = true;      // from the first to the newest
  bool isFollowing = false;  // a window of this width that ends at the newest step
  double from = 0, to = 1;
  bool operator==(const PlotView&) const = default;
};

/// Draws one quantity of a MetricStore over the steps. Wheel zooms, drag moves, double click (or Home) shows
/// all; the value axis fits what is in sight. Every redraw costs in proportion to the pixels, not the
/// samples. The store must outlive it.
class MetricPlot : public QWidget {
  Q_OBJECT
 public:
  MetricPlot(const MetricStore& store, PlotQuantity quantity, QWidget* parent = nullptr);
  ~MetricPlot() override;

  /// The store has changed; drawn soon, at most ten times a second.
  void scheduleRefresh();
  /// Draws now, e.g. before a picture is taken.
  void refreshNow();

  void setEmptyText(const QString& text);
  void setLogScale(bool on);
  /// 0: off. With smoothing the raw curve stays as a ghost behind.
  void setSmoothing(double weight);
  void setHiddenRanks(const std::set<Rank>& ranks);
  void setView(const PlotView& view);
  [[nodiscard]] const PlotView& view() const;
  [[nodiscard]] bool hasData() const;
  /// "Loss of 3 ranks. Rank 0: 1.234 at step 120. …": what a screen reader says.
  [[nodiscard]] QString textAlternative() const;
  /// The values of all ranks at a step, as the readout shows them: one line a rank.
  [[nodiscard]] QStringList readoutAt(double step) const;

  [[nodiscard]] QSize sizeHint() const override { return {420, 220}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {180, 96}; }

 public slots:
  void showAll();

 signals:
  /// The user zoomed or moved.
  void viewChanged(const lockstep::PlotView& view);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep
