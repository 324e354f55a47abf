// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/card_bodies.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/charts/metric_plot.h"
#include "widgets/metrics/charts/metric_texts.h"
#include "widgets/metrics/rank_heat_map.h"
#include "widgets/metrics/step_time_stack.h"
#include "widgets/metrics/tiles/node_tiles.h"

namespace lockstep {
namespace {

bool isLogarithmic(const DashboardCard& card, CurveScale scale) {
  if (scale != CurveScale::Usual) return scale == CurveScale::Logarithmic;
  const MetricInfo* const known = findMetric(card.quantities.front().name);
  return known != nullptr && known->axis.scale == MetricScale::Logarithmic;
}

ChartXAxis axisOf(CurveAxis axis) {
  switch (axis) {
    case CurveAxis::Steps:
      break;
    case CurveAxis::Epochs:
      return ChartXAxis::Epoch;
    case CurveAxis::RelativeTime:
      return ChartXAxis::RelativeTime;
    case CurveAxis::WallTime:
      return ChartXAxis::WallTime;
    case CurveAxis::Samples:
      return ChartXAxis::Samples;
  }
  return ChartXAxis::Steps;
}

SmoothingKind kindOf(CurveSmoothing smoothing) {
  switch (smoothing) {
    case CurveSmoothing::None:
      break;
    case CurveSmoothing::Debiased:
      return SmoothingKind::Debiased;
    case CurveSmoothing::TimeWeighted:
      return SmoothingKind::TimeWeighted;
    case CurveSmoothing::Gaussian:
      return SmoothingKind::Gaussian;
    case CurveSmoothing::RunningMedian:
      return SmoothingKind::RunningMedian;
  }
  return SmoothingKind::None;
}

ChartSpec specOf(const DashboardCard& card) {
  std::vector<ChartLine> lines;
  for (const CardQuantity& one : card.quantities)
    lines.push_back(
        {plotQuantity(one.name), one.axis == CardAxis::Right ? ValueAxis::Right : ValueAxis::Left});
  return {toShownLine(card.title), std::move(lines)};
}

}  // namespace

CardBodies::CardBodies(QWidget* parent)
    : QObject(parent), parent_(parent), samples_(std::make_shared<const MetricStore>()) {}

CardBody CardBodies::make(const DashboardCard& card) {
  CardBody body;
  switch (card.kind) {
    case CardKind::Chart:
      body = makeChart(card);
      break;
    case CardKind::HeatMap:
      body.widget = makeHeatMap();
      break;
    case CardKind::StepTime:
      body.widget = makeStepTimes(card.overTime);
      break;
    case CardKind::Tiles:
      body.widget = makeTiles();
      break;
  }
  QWidget* const widget = body.widget;
  showPointed(*widget);
  connect(widget, &QObject::destroyed, this,
          [this, widget] { std::erase_if(bodies_, [&](const Body& one) { return one.widget == widget; }); });
  bodies_.push_back({widget, card, {}});
  return body;
}

CardBody CardBodies::makeChart(const DashboardCard& card) {
  auto* const plot = new MetricPlot(specOf(card), parent_);
  plot->setBudget(budget_);
  connect(plot, &MetricPlot::viewChanged, this, &CardBodies::viewChanged);
  connect(plot, &MetricPlot::cursorMoved, this, &CardBodies::cursorMoved);
  connect(plot, &MetricPlot::rangeBrushed, this, &CardBodies::rangeBrushed);
  connect(plot, &MetricPlot::savePictureRequested, this, [this, plot] { emit savePictureRequested(plot); });
  connect(plot, &MetricPlot::saveValuesRequested, this, [this, plot] { emit saveValuesRequested(plot); });
  return {plot, plot->findChild<QWidget*>(QStringLiteral("plotTitle")),
          plot->findChild<QToolButton*>(QStringLiteral("plotMenu"))->menu()};
}

QWidget* CardBodies::makeHeatMap() {
  auto* const map = new RankHeatMap(parent_);
  map->setOrder(RankOrder::SlowestFirst);
  connect(map, &RankHeatMap::viewChanged, this, [this](double from, double to) {
    emit viewChanged({false, false, from, to});
  });
  connect(map, &RankHeatMap::cursorMoved, this, &CardBodies::cursorMoved);
  connect(map, &RankHeatMap::brushed, this, &CardBodies::brushed);
  connect(map, &RankHeatMap::quantityChosen, this, [this, map](const std::string& name) {
    bodyOf(map)->isChosen = true;
    emit quantityChosen(map, name);
  });
  return map;
}

QWidget* CardBodies::makeTiles() {
  auto* const tiles = new NodeTiles(parent_);
  connect(tiles, &NodeTiles::ranksActivated, this, &CardBodies::ranksActivated);
  return tiles;
}

QWidget* CardBodies::makeStepTimes(bool overTime) {
  auto* const stack = new StepTimeStack(parent_);
  stack->setOverTime(overTime);
  connect(stack, &StepTimeStack::overTimeChosen, this,
          [this, stack](bool chosen) { emit overTimeChosen(stack, chosen); });
  connect(stack, &StepTimeStack::rankActivated, this, [this](Rank rank) { emit ranksActivated({rank}); });
  connect(stack, &StepTimeStack::rankToggled, this, &CardBodies::rankToggled);
  return stack;
}

CardBodies::Body* CardBodies::bodyOf(const QWidget* widget) {
  const auto found = std::ranges::find(bodies_, widget, &Body::widget);
  return found == bodies_.end() ? nullptr : &*found;
}

void CardBodies::setSamples(const std::shared_ptr<const MetricStore>& samples) {
  samples_ = samples;
  share();
}

void CardBodies::setNodes(const std::vector<RankNode>& nodes) {
  nodes_ = nodes;
  share();
}

void CardBodies::setEmptyText(const QString& text) {
  emptyText_ = text;
  share();
}

void CardBodies::setView(const PlotView& view) {
  if (view == view_) return;
  view_ = view;
  share();
}

void CardBodies::setRanks(const std::set<Rank>& hidden, const std::set<Rank>& chosen) {
  if (hidden == hidden_ && chosen == chosen_) return;
  hidden_ = hidden;
  chosen_ = chosen;
  share();
}

// Many times a second: nothing else is set anew for it.
void CardBodies::setCursor(const std::optional<ChartCursor>& cursor) {
  if (cursor == cursor_) return;
  cursor_ = cursor;
  for (Body& body : bodies_) {
    auto* const plot = qobject_cast<MetricPlot*>(body.widget);
    if (plot == nullptr)
      showPointed(*body.widget);
    else if (body.isInSight)
      plot->setCursor(cursor_);
    else
      body.isOld = true;
  }
}

/// In what is no chart; it costs no more than a line.
void CardBodies::showPointed(QWidget& body) const {
  if (auto* const map = qobject_cast<RankHeatMap*>(&body)) map->setPointed(pointedStep());
  if (auto* const stack = qobject_cast<StepTimeStack*>(&body)) stack->setPointed(pointedStep());
  if (auto* const tiles = qobject_cast<NodeTiles*>(&body)) tiles->setPointed(pointedStep());
}

std::optional<Step> CardBodies::pointedStep() const {
  return cursor_ ? std::optional(cursor_->step) : std::nullopt;
}

void CardBodies::setMarks(const std::vector<ChartMark>& marks) {
  marks_ = marks;
  share();
}

void CardBodies::setEnd(std::optional<TimePoint> end) {
  if (end == end_) return;
  end_ = end;
  share();
}

void CardBodies::setStale(const std::vector<StaleRank>& stale) {
  std::map<Rank, TimePoint> since;  // how far they are behind changes all the time
  for (const StaleRank& one : stale) since.emplace(one.rank, one.since);
  if (since == stale_) return;
  stale_ = std::move(since);
  share();
}

void CardBodies::setCurves(QWidget* widget, const CurveOptions& curves) {
  Body* const body = bodyOf(widget);
  if (body == nullptr || body->curves == curves) return;
  body->curves = curves;
  body->isOld = true;
  if (body->isInSight) update(*body);
}

void CardBodies::setCard(QWidget* widget, const DashboardCard& card) {
  Body* const body = bodyOf(widget);
  if (body == nullptr) return;
  if (auto* const stack = qobject_cast<StepTimeStack*>(widget)) stack->setOverTime(card.overTime);
  if (body->card.quantities == card.quantities) return;
  body->card = card;
  body->isChosen = false;
  body->isOld = true;
  if (body->isInSight) update(*body);
}

void CardBodies::setInSight(QWidget* widget, bool isInSight) {
  Body* const body = bodyOf(widget);
  if (body == nullptr) return;
  body->isInSight = isInSight;
  if (isInSight && body->isOld) update(*body);
}

void CardBodies::share() {
  for (Body& body : bodies_) {
    body.isOld = true;
    if (body.isInSight) update(body);
  }
}

CardExport CardBodies::exportOf(QWidget* body) const {
  const auto found = std::ranges::find(bodies_, body, &Body::widget);
  const auto* const map = qobject_cast<RankHeatMap*>(body);
  const CardKind kind = found == bodies_.end() ? CardKind::Chart : found->card.kind;
  CardExport card{body, {}, samples_, {}};
  card.name = kind == CardKind::HeatMap    ? toQString(map->quantity())
              : kind == CardKind::StepTime ? QStringLiteral("step-time")
                                           : QStringLiteral("nodes");
  for (const std::string& name : quantitiesOf(kind, map != nullptr ? map->quantity() : std::string())) {
    SampleSelection selection{name, samples_->ranks(name)};
    if (const auto in = steps()) {
      selection.from = static_cast<Step>(std::ceil(in->first));
      selection.to = static_cast<Step>(std::floor(in->second));
    }
    if (!selection.ranks.empty()) card.selections.push_back(std::move(selection));
  }
  return card;
}

void CardBodies::exportBody(QWidget* body, CardAction what) {
  if (what == CardAction::CopyPicture) return QGuiApplication::clipboard()->setImage(imageOf(*body));
  if (what == CardAction::SavePicture) emit saveCardPictureRequested(exportOf(body));
  if (what == CardAction::SaveValues) emit saveCardValuesRequested(exportOf(body));
}

std::optional<std::pair<double, double>> CardBodies::steps() const {
  return view_.showsAll ? std::nullopt : std::optional(std::pair(view_.from, view_.to));
}

void CardBodies::update(Body& body) {
  body.isOld = false;
  if (auto* const plot = qobject_cast<MetricPlot*>(body.widget)) {
    updateChart(body, *plot);
  } else if (qobject_cast<RankHeatMap*>(body.widget) != nullptr) {
    updateHeatMap(body);
  } else if (auto* const stack = qobject_cast<StepTimeStack*>(body.widget)) {
    stack->setEmptyText(emptyText_);
    stack->setNodes(nodes_);
    stack->setChosenRanks(chosen_);
    stack->setMetrics(samples_);
    steps() ? stack->setView(steps()->first, steps()->second) : stack->showAll();
  } else if (auto* const tiles = qobject_cast<NodeTiles*>(body.widget)) {
    tiles->setEmptyText(emptyText_);
    tiles->setNodes(nodes_);
    tiles->setChosenRanks(chosen_);
    tiles->setMetrics(samples_);
    tiles->setSteps(steps());
  }
}

void CardBodies::updateChart(const Body& body, MetricPlot& plot) {
  plot.setEmptyText(emptyText_);
  if (plot.samples() != samples_) plot.setSamples(samples_);
  plot.setHiddenRanks(hidden_);
  plot.setChosenRanks(chosen_);
  plot.setLogScale(isLogarithmic(body.card, body.curves.scale));
  plot.setSmoothing({kindOf(body.curves.smoothing), body.curves.amount});
  plot.setXAxis(axisOf(body.curves.x));
  plot.setMarks(marks_);
  plot.setEnd(end_);
  plot.setStale(stale_);
  plot.setView(view_);
  plot.setCursor(cursor_);
  plot.scheduleRefresh();
}

void CardBodies::updateHeatMap(Body& body) {
  auto* const map = qobject_cast<RankHeatMap*>(body.widget);
  const QSignalBlocker said(map);  // who says it knows it
  map->setEmptyText(emptyText_);
  map->setNodes(nodes_);
  map->setChosenRanks(chosen_);
  map->setMetrics(samples_);
  if (!body.isChosen) {
    const std::string wanted =
        body.card.quantities.empty() ? std::string() : body.card.quantities.front().name;
    map->setQuantity(wanted);
    body.isChosen = wanted.empty() ? !map->quantity().empty() : map->quantity() == wanted;
  }
  steps() ? map->setView(steps()->first, steps()->second) : map->showAll();
}

void CardBodies::refreshNow() {
  for (Body& body : bodies_) {
    if (!body.isInSight) continue;
    if (body.isOld) update(body);
    if (auto* const plot = qobject_cast<MetricPlot*>(body.widget)) plot->refreshNow();
    if (auto* const map = qobject_cast<RankHeatMap*>(body.widget)) map->refreshNow();
    if (auto* const stack = qobject_cast<StepTimeStack*>(body.widget)) stack->refreshNow();
    if (auto* const tiles = qobject_cast<NodeTiles*>(body.widget)) tiles->refreshNow();
  }
}

}  // namespace lockstep
