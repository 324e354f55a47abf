// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_heat_map.h"

#include <QLabel>
#include <QLocale>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <set>

#include "metrics/grid/rank_cells.h"
#include "widgets/common/layout/elided_combo.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/layout/flow_layout.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/charts/metric_texts.h"
#include "widgets/metrics/rank_views/heat_canvas.h"
#include "widgets/metrics/rank_views/heat_legend.h"

namespace lockstep {
namespace {

/// In the order of the catalogue, then a training script's own.
std::vector<std::string> quantitiesOf(const MetricStore& metrics) {
  std::vector<std::string> own = metrics.names(), all;
  for (const MetricInfo& info : metricCatalogue())
    if (std::erase(own, info.name) > 0) all.emplace_back(info.name);
  all.insert(all.end(), own.begin(), own.end());
  std::erase_if(all, [&](const std::string& name) { return !metrics.steps(name); });
  return all;
}

HeatRows heatRows(const std::vector<OrderedRank>& rows, const std::vector<QString>& names) {
  HeatRows result;
  for (const OrderedRank& row : rows) {
    const int at = static_cast<int>(result.ranks.size());
    result.ranks.push_back(row.rank);
    if (row.node < 0) continue;
    const QString& name = names[static_cast<std::size_t>(row.node)];
    const bool goesOn = !result.nodes.empty() && result.nodes.back().name == name &&
                        result.nodes.back().firstRow + result.nodes.back().rows == at;
    if (!goesOn) result.nodes.push_back({at, 0, name});
    ++result.nodes.back().rows;
  }
  return result;
}

}  // namespace

RankHeatMap::RankHeatMap(QWidget* parent)
    : QWidget(parent),
      quantity_(new ElidedCombo(this)),
      order_(new ElidedCombo(this)),
      legend_(new HeatLegend(this)),
      canvas_(new HeatCanvas(this)),
      hint_(new PlainLabel(this)),
      summary_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("rankHeatMap"));
  hint_->setText(tr("No samples yet."));
  hint_->setAlignment(Qt::AlignCenter);
  hint_->setWordWrap(true);
  summary_->setMuted(true);
  createControls();
  connect(canvas_, &HeatCanvas::pointedAt, this, [this](const std::optional<Step>& step, Rank rank) {
    if (!step || !metrics_) return emit cursorMoved(std::nullopt);
    const auto row = metrics_->nearestRow(rank, static_cast<double>(*step));
    emit cursorMoved(ChartCursor{*step, row ? row->time : TimePoint{}});
  });
  auto* controls = new FlowLayout;
  controls->setGaps(8, 4);
  for (QWidget* control : std::initializer_list<QWidget*>{quantity_, order_, legend_})
    controls->addWidget(control);
  stack_ = new QStackedLayout;
  stack_->addWidget(hint_);
  stack_->addWidget(canvas_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 4);
  column->setSpacing(4);
  column->addLayout(controls);
  column->addLayout(stack_, 1);
  column->addWidget(summary_);
  refresh();
}

void RankHeatMap::setPointed(std::optional<Step> step) {
  canvas_->setPointed(step);
}

void RankHeatMap::createControls() {
  quantity_->setObjectName(QStringLiteral("heatQuantity"));
  quantity_->setAccessibleName(tr("Quantity"));
  quantity_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  order_->setObjectName(QStringLiteral("heatOrder"));
  order_->setAccessibleName(tr("Order of the ranks"));
  order_->addItem(tr("By rank"));
  order_->addItem(tr("Slowest first"));
  order_->setToolTip(
      plainToolTip(tr("Slowest first: by what a step takes without waiting for peers, since the rank that "
                      "waits least is the one that "
                      "the others wait for. Ranks of one node stay together.")));
  connect(quantity_, &QComboBox::currentIndexChanged, this, &RankHeatMap::change);
  connect(order_, &QComboBox::currentIndexChanged, this, &RankHeatMap::change);
  connect(quantity_, &QComboBox::activated, this, [this] { emit quantityChosen(quantity()); });
  connect(canvas_, &HeatCanvas::viewChanged, this, &RankHeatMap::viewChanged);
  connect(canvas_, &HeatCanvas::brushed, this, &RankHeatMap::brushed);
}

void RankHeatMap::setMetrics(std::shared_ptr<const MetricStore> metrics) {
  metrics_ = std::move(metrics);
  fillQuantities();
  change();
}

void RankHeatMap::setNodes(const std::vector<RankNode>& nodes) {
  nodes_ = nodes;
  change();
}

void RankHeatMap::setChosenRanks(const std::set<Rank>& ranks) {
  canvas_->setChosenRanks(ranks);
}

void RankHeatMap::setEmptyText(const QString& text) {
  hint_->setText(text);
  change();
}

void RankHeatMap::setView(double from, double to) {
  showSteps(std::pair(from, to));
}

void RankHeatMap::showAll() {
  showSteps(std::nullopt);
}

void RankHeatMap::showSteps(const Steps& steps) {
  if (isOld_) {  // how far the steps go is known once it is new
    asked_ = steps;
    return;
  }
  steps ? canvas_->setSteps(steps->first, steps->second) : canvas_->showAll();
}

void RankHeatMap::setQuantity(std::string_view name) {
  if (name.empty()) {
    for (const std::string_view usual : {metric::kStepMs, metric::kWaitMs}) setQuantity(usual);
    return;
  }
  if (const int at = quantity_->findData(toQString(name)); at >= 0) quantity_->setCurrentIndex(at);
}

std::string RankHeatMap::quantity() const {
  return toStdString(quantity_->currentData().toString());
}

void RankHeatMap::setOrder(RankOrder order) {
  order_->setCurrentIndex(order == RankOrder::SlowestFirst ? 1 : 0);
}

void RankHeatMap::fillQuantities() {
  const auto names = metrics_ ? quantitiesOf(*metrics_) : std::vector<std::string>{};
  bool isSame = static_cast<int>(names.size()) == quantity_->count();
  for (std::size_t i = 0; isSame && i < names.size(); ++i)
    isSame = quantity_->itemData(static_cast<int>(i)).toString() == toQString(names[i]);
  if (isSame) return;
  const std::string before = quantity();
  const QSignalBlocker quiet(quantity_);
  quantity_->clear();
  for (const std::string& name : names) {
    const MetricInfo* info = findMetric(name);
    quantity_->addItem(info != nullptr ? titleOfMetric(*info) : toShownLine(name), toQString(name));
  }
  setQuantity({});
  if (!before.empty()) setQuantity(before);
}

void RankHeatMap::change() {
  isOld_ = true;
  if (isVisible()) refresh();
}

void RankHeatMap::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (isOld_) refresh();
}

std::vector<OrderedRank> RankHeatMap::rows() const {
  std::map<Rank, int> nodeOf;
  std::map<QString, int> numbers;
  for (const RankNode& node : nodes_) {
    if (node.node.isEmpty()) continue;
    nodeOf[node.rank] = numbers.emplace(node.node, static_cast<int>(numbers.size())).first->second;
  }
  std::set<Rank> ranks;
  for (const RankNode& node : nodes_) ranks.insert(node.rank);
  for (const Rank rank : metrics_->ranks()) ranks.insert(rank);
  std::vector<OrderedRank> rows;
  for (const Rank rank : ranks) {
    const auto node = nodeOf.find(rank);
    rows.push_back({rank, node == nodeOf.end() ? -1 : node->second});
  }
  return inOrder(std::move(rows), order_->currentIndex() == 1 ? RankOrder::SlowestFirst : RankOrder::ByRank,
                 *metrics_);
}

void RankHeatMap::refresh() {
  isOld_ = false;
  showSource();
  if (const auto asked = std::exchange(asked_, std::nullopt)) showSteps(*asked);
}

void RankHeatMap::showSource() {
  const std::string name = quantity();
  const bool hasData = metrics_ && !name.empty();
  stack_->setCurrentWidget(hasData ? static_cast<QWidget*>(canvas_) : hint_);
  legend_->setVisible(hasData);
  if (!hasData) {
    canvas_->setSource({});
    summary_->setText({});
    return;
  }
  std::vector<QString> names;  // by the number that rows() gives them
  for (const RankNode& node : nodes_)
    if (!node.node.isEmpty() && std::ranges::find(names, node.node) == names.end())
      names.push_back(node.node);
  const PlotQuantity shown = plotQuantity(name);
  const std::vector<Rank> ranks = metrics_->ranks(name);
  const ValueScale scale = valueScale(*metrics_, name, ranks);
  legend_->setScale(scale, shown.text);
  canvas_->setSource({metrics_, name, heatRows(rows(), names), scale, shown.text});
  canvas_->setAccessibleName(tr("%1, ranks over steps").arg(shown.title));
  summary_->setText(summary());
  canvas_->setAccessibleDescription(summary_->text());
}

QString RankHeatMap::summary() const {
  const std::string name = quantity();
  const auto steps = metrics_ ? stepsOf(*metrics_, name) : std::nullopt;
  if (!steps) return {};
  const std::vector<Rank> ranks = metrics_->ranks(name);
  const QString count = tr("%Ln ranks", nullptr, static_cast<int>(ranks.size()));
  const QString all = tr("%1, %2 steps").arg(count, QLocale().toString(steps->second - steps->first + 1));
  const auto extremes = findExtremes(*metrics_, name, ranks);
  if (!extremes) return tr("%1; no value is a number").arg(all);
  const MetricInfo* info = findMetric(name);
  const bool largerIsBetter = info != nullptr && info->better == BetterValue::Larger;
  const Extreme& one = largerIsBetter ? extremes->smallest : extremes->largest;
  return (largerIsBetter ? tr("%1; smallest: rank %2 at step %3, %4")
                         : tr("%1; largest: rank %2 at step %3, %4"))
      .arg(all)
      .arg(one.rank.value)
      .arg(QLocale().toString(one.step), plotQuantity(name).text(one.value));
}

void RankHeatMap::refreshNow() {
  if (isOld_) refresh();
  canvas_->finishNow();
}

}  // namespace lockstep
