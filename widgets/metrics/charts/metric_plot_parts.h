// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <qcustomplot.h>

#include <QLabel>
#include <QStackedLayout>
#include <QTimer>
#include <memory>
#include <optional>

#include "widgets/metrics/charts/chart_canvas.h"
#include "widgets/metrics/charts/frame_budget.h"
#include "widgets/metrics/charts/metric_plot.h"
#include "widgets/metrics/charts/plot_menu.h"
#include "widgets/metrics/charts/plot_picture.h"
#include "widgets/metrics/charts/plot_pointer.h"
#include "widgets/metrics/charts/plot_readout.h"

namespace lockstep {

/// How long drawing may take: while the user moves, when there are new samples, as long as it takes.
enum class Effort { Frame, News, Whole };

/// What a MetricPlot is made of. Only its own files include this.
struct MetricPlot::Impl {
  Impl(MetricPlot* widget, ChartSpec what) : self(widget), spec(std::move(what)) {}

  MetricPlot* self;
  ChartSpec spec;
  ChartXAxis xAxis = ChartXAxis::Steps;
  PlotView view;
  bool isSettingRange = false;
  bool isCoarse = false;  // for want of time
  bool isBlank = true;    // likewise, or because there is nothing
  bool isDirty = false;   // not drawn, because it was not in sight

  QLabel* title = nullptr;
  std::pair<QString, int> titled;  // what it says where there is room, and how much there was
  PlotMenu* menu = nullptr;
  QLabel* hint = nullptr;
  QStackedLayout* stack = nullptr;
  QCustomPlot* plot = nullptr;
  QTimer* timer = nullptr;    // until what is new is drawn
  QTimer* settler = nullptr;  // until what is coarse is drawn finely
  QTimer* speaker = nullptr;  // until it is said what is shown
  std::shared_ptr<FrameBudget> budget = std::make_shared<FrameBudget>();
  std::unique_ptr<ChartCanvas> canvas;
  std::unique_ptr<PlotReadout> readout;
  PlotPointer* pointer = nullptr;

  std::optional<ChartCursor> cursor;
  std::optional<QPoint> hover;  // of the mouse, where it is over the plot
  std::optional<Step> anchor;   // from where keys choose steps

  // How it is built (metric_plot_build.cpp).
  void build();
  void buildTimers();
  void connectPlot();
  void connectMenu();
  void showName();

  // What it shows.
  void applyColors();
  void showTitle();
  void speak();
  [[nodiscard]] bool isInSight() const;
  [[nodiscard]] QCPRange wantedSteps() const;
  void refresh(Effort effort = Effort::Frame);
  void layOut();
  void settle();
  [[nodiscard]] PlotPicture picture();

  // What the user does to it (metric_plot_view.cpp).
  void onRangeChanged(const QCPRange& range);
  void showAllByUser();
  void moveBy(double share);
  void zoomBy(double factor);
  void zoomValuesBy(double factor);
  void zoomIntoBox(const QRect& box);
  void brush(double from, double to);
  void hoverAt(const QPoint& position);
  void leave();
  void pointAt(const std::optional<Step>& step);
  void moveCursor(int direction, bool chooses);
  void showCursor();
};

}  // namespace lockstep
