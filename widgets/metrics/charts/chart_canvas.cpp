// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/chart_canvas.h"

#include <algorithm>

#include "widgets/metrics/charts/plot_axes.h"
#include "widgets/metrics/charts/plot_marks.h"

namespace lockstep {
namespace {

constexpr int kFewestPixels = 50;

bool isRight(const ChartLine& line) {
  return line.axis == ValueAxis::Right;
}

}  // namespace

ChartCanvas::ChartCanvas(QCustomPlot& plot)
    : plot_(plot), ticker_(QSharedPointer<StepTicker>::create()), marks_(new PlotMarks(&plot)) {
  setUpAxes(plot_);
  plot_.xAxis->setTicker(ticker_);
}

ChartCanvas::~ChartCanvas() = default;

void ChartCanvas::setSpec(const ChartSpec& spec) {
  spec_ = spec;
  if (spec_.lines.size() > ChartSpec::kMaxLines) spec_.lines.resize(ChartSpec::kMaxLines);
  if (std::ranges::all_of(spec_.lines, isRight))
    for (ChartLine& line : spec_.lines)
      line.axis = ValueAxis::Left;  // an axis alone stands where it is looked for
  quantities_.clear();
  for (std::size_t i = 0; i < spec_.lines.size(); ++i)
    quantities_.push_back(std::make_unique<PlottedQuantity>(plot_, spec_.lines[i], i, spec_.lines.size()));
  plot_.yAxis2->setVisible(hasRightAxis());
  plot_.yAxis2->setTickLabels(hasRightAxis());
  followValues();
  setSamples(samples_);
}

bool ChartCanvas::hasRightAxis() const {
  return std::ranges::any_of(spec_.lines, isRight);
}

void ChartCanvas::setSamples(std::shared_ptr<const MetricStore> samples) {
  samples_ = std::move(samples);
  steps_ = {};
  for (const auto& quantity : quantities_) {
    quantity->setSamples(samples_);
    if (!quantity->steps()) continue;
    steps_.add(static_cast<double>(quantity->steps()->first));
    steps_.add(static_cast<double>(quantity->steps()->second));
  }
  isScaleOld_ = true;
  if (!wantedMarks_.empty()) placeMarks();
}

void ChartCanvas::setColors(const QPalette& colors, const QFont& font) {
  scene_.colors = colors;
  colorAxes(plot_, colors, font);
  marks_->setColors(colors);
}

void ChartCanvas::setLogScale(bool on) {
  scene_.isLog = on;
  for (QCPAxis* axis : {plot_.yAxis, plot_.yAxis2}) setLogarithmic(*axis, on);
  followValues();
}

void ChartCanvas::setXAxis(ChartXAxis axis) {
  axis_ = axis;
  isScaleOld_ = true;
}

void ChartCanvas::setMarks(std::vector<ChartMark> marks) {
  wantedMarks_ = std::move(marks);
  placeMarks();
}

void ChartCanvas::placeMarks() {
  const std::vector<Rank> ranks = samples_->ranks();
  std::vector<PlotMarks::Placed> placed;
  for (const ChartMark& mark : wantedMarks_) {
    if (mark.step) {
      placed.push_back({static_cast<double>(*mark.step), mark});
    } else if (!ranks.empty()) {
      if (const auto reached = samples_->reachedAt(ranks.front(), mark.time))
        placed.push_back({static_cast<double>(reached->step), mark});
    }
  }
  marks_->setMarks(std::move(placed));
}

std::optional<StepScale> ChartCanvas::scaleOf(ChartXAxis axis) const {
  for (const auto& quantity : quantities_)
    if (quantity->steps()) return StepScale::make(axis, samples_, quantity->line().quantity.metric);
  return std::nullopt;
}

ChartXAxis ChartCanvas::shownAxis() const {
  return ticker_->scale() ? ticker_->scale()->unit() : ChartXAxis::Steps;
}

QString ChartCanvas::reachedText(double step) const {
  return ticker_->scale() ? lockstep::reachedText(*ticker_->scale(), step) : QString();
}

TimePoint ChartCanvas::timeOf(double step) const {
  const std::vector<Rank> ranks = samples_->ranks();
  const auto row = ranks.empty() ? std::nullopt : samples_->nearestRow(ranks.front(), step);
  return row ? row->time : TimePoint{};
}

void ChartCanvas::setGrid(const QCPRange& steps) {
  const int pixels = std::max(kFewestPixels, plot_.axisRect()->width());
  scene_.grid = {steps.lower, steps.upper, pixels + pixels % 2};  // even: a column takes two
}

bool ChartCanvas::prepare(const QCPRange& steps, double around, const SpreadColumns::IsOver& isOver,
                          SpreadColumns::Pieces pieces) {
  setGrid(steps);
  bool isWhole = true;
  for (const auto& quantity : quantities_)
    isWhole = quantity->prepare(scene_, around, isOver, pieces) && isWhole;
  return isWhole;
}

bool ChartCanvas::hasPicture() const {
  return std::ranges::all_of(quantities_, [this](const auto& one) { return one->hasPicture(scene_); });
}

void ChartCanvas::draw(const QCPRange& steps) {
  if (std::exchange(isScaleOld_, false))
    ticker_->setScale(axis_ == ChartXAxis::Steps ? std::nullopt : scaleOf(axis_));
  setGrid(steps);
  std::vector<ValueBounds> values;
  for (const auto& quantity : quantities_) values.push_back(quantity->draw(scene_));
  fitTicks(plot_);
  fit(plot_.yAxis, ValueAxis::Left, values);
  fit(plot_.yAxis2, ValueAxis::Right, values);
}

void ChartCanvas::fit(QCPAxis* axis, ValueAxis side, const std::vector<ValueBounds>& values) {
  if (fixed_) return axis->setRange(side == ValueAxis::Left ? fixed_->first : fixed_->second);
  ValueBounds all;
  bool fromZero = true;
  double atLeastTo = 0;
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    const ChartLine& line = quantities_[i]->line();
    if (line.axis != side) continue;
    all.add(values[i]);
    fromZero = fromZero && line.quantity.fromZero;
    atLeastTo = std::max(atLeastTo, line.quantity.atLeastTo);
  }
  axis->setRange(valueRange(all, fromZero, atLeastTo, scene_.isLog));
}

void ChartCanvas::fixValues(int top, int bottom) {
  const auto between = [&](const QCPAxis* axis) {
    return QCPRange(axis->pixelToCoord(bottom), axis->pixelToCoord(top));
  };
  fixed_ = {between(plot_.yAxis), between(plot_.yAxis2)};
}

}  // namespace lockstep
