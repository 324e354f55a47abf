// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/step_time_stack.h"

#include <QComboBox>
#include <QLocale>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "metrics/grid/rank_cells.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/layout/flow_layout.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/metrics/charts/metric_texts.h"
#include "widgets/metrics/rank_views/step_areas.h"
#include "widgets/metrics/rank_views/step_bars.h"

namespace lockstep {
namespace {

constexpr Step kInView = 0;  // the choice; the others are how many of the newest steps

StepTexts stepTexts() {
  StepTexts texts;
  for (std::size_t part = 0; part < kStepParts.size(); ++part)
    if (const MetricInfo* info = findMetric(kStepParts[part])) texts.parts[part] = titleOfMetric(*info);
  texts.text = [](double ms) { return metricValueText(MetricUnit::Milliseconds, ms); };
  return texts;
}

Step asStep(double x) {
  return static_cast<Step>(std::clamp(x, -static_cast<double>(kMaxStep), static_cast<double>(kMaxStep)));
}

}  // namespace

StepTimeStack::StepTimeStack(QWidget* parent)
    : QWidget(parent),
      span_(new QComboBox(this)),
      kind_(new QComboBox(this)),
      rank_(new QSpinBox(this)),
      hint_(new PlainLabel(this)),
      summary_(new ElidedLabel(this)),
      unmeasured_(new ElidedLabel(this)),
      bars_(new StepBars(stepTexts())),
      areas_(new StepAreas(stepTexts(), this)),
      scroll_(new QScrollArea(this)) {
  setObjectName(QStringLiteral("stepTimeStack"));
  span_->setObjectName(QStringLiteral("stepTimeSpan"));
  span_->setAccessibleName(tr("Which steps"));
  span_->addItem(tr("Steps in view"), QVariant::fromValue(kInView));
  span_->addItem(tr("Newest 100 steps"), QVariant::fromValue(Step{100}));
  span_->addItem(tr("Newest 1,000 steps"), QVariant::fromValue(Step{1000}));
  connect(span_, &QComboBox::currentIndexChanged, this, &StepTimeStack::change);
  connect(bars_, &StepBars::rankActivated, this, &StepTimeStack::rankActivated);
  connect(bars_, &StepBars::rankToggled, this, &StepTimeStack::rankToggled);
  createChoices();
  arrange();
  refresh();
}

void StepTimeStack::createChoices() {
  kind_->setObjectName(QStringLiteral("stepTimeKind"));
  kind_->setAccessibleName(tr("By rank or over time"));
  kind_->addItem(tr("By rank"));
  kind_->addItem(tr("Over time"));
  connect(kind_, &QComboBox::currentIndexChanged, this, &StepTimeStack::change);
  connect(kind_, &QComboBox::activated, this, [this] { emit overTimeChosen(isOverTime()); });
  rank_->setObjectName(QStringLiteral("stepTimeRank"));
  rank_->setAccessibleName(tr("Which rank"));
  rank_->setPrefix(tr("Rank %1").arg(QString()));
  connect(rank_, &QSpinBox::valueChanged, this, [this] {
    isRankChosen_ = true;
    change();
  });
}

bool StepTimeStack::isOverTime() const {
  return kind_->currentIndex() == 1;
}

void StepTimeStack::setOverTime(bool overTime) {
  kind_->setCurrentIndex(overTime ? 1 : 0);
}

void StepTimeStack::setPointed(std::optional<Step> step) {
  areas_->setPointed(step);
}

Rank StepTimeStack::rank() const {
  return Rank(rank_->value());
}

/// Unless the user has: the first of those that are chosen on the page, else the one that takes longest itself.
void StepTimeStack::chooseRank(const std::vector<StepTimes>& times) {
  const QSignalBlocker byUs(rank_);
  int last = 0;
  for (const Rank rank : metrics_->ranks()) last = std::max(last, rank.value);
  rank_->setRange(0, last);
  if (isRankChosen_ || times.empty()) return;
  const Rank slowest = std::ranges::max_element(times, {}, &StepTimes::own)->rank;
  rank_->setValue(chosen_.empty() ? slowest.value : chosen_.begin()->value);
}

void StepTimeStack::arrange() {
  hint_->setText(tr("No samples yet."));
  hint_->setAlignment(Qt::AlignCenter);
  hint_->setWordWrap(true);
  for (ElidedLabel* const label : {summary_, unmeasured_}) label->setMuted(true);
  unmeasured_->setObjectName(QStringLiteral("unmeasuredParts"));
  scroll_->setWidget(bars_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  auto* controls = new FlowLayout;
  controls->setGaps(10, 4);
  for (QWidget* const choice : std::initializer_list<QWidget*>{kind_, rank_, span_})
    controls->addWidget(choice);
  const StepTexts texts = stepTexts();
  for (std::size_t part = 0; part < kStepParts.size(); ++part) {
    keys_[part] = new StepPartKey(part, texts.parts[part], this);
    controls->addWidget(keys_[part]);
  }
  controls->addWidget(unmeasured_);
  stack_ = new QStackedLayout;
  stack_->addWidget(hint_);
  stack_->addWidget(scroll_);
  stack_->addWidget(areas_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 4);
  column->setSpacing(4);
  column->addLayout(controls);
  column->addLayout(stack_, 1);
  column->addWidget(summary_);
}

void StepTimeStack::setMetrics(std::shared_ptr<const MetricStore> metrics) {
  metrics_ = std::move(metrics);
  isRankChosen_ = isRankChosen_ && metrics_ && !metrics_->ranks().empty();  // not that of another run
  change();
}

void StepTimeStack::setNodes(const std::vector<RankNode>& nodes) {
  nodes_ = nodes;
  change();
}

void StepTimeStack::setChosenRanks(const std::set<Rank>& ranks) {
  if (ranks == chosen_) return;
  chosen_ = ranks;
  isRankChosen_ = false;
  bars_->setChosen(ranks);
  change();
}

void StepTimeStack::setEmptyText(const QString& text) {
  hint_->setText(text);
}

void StepTimeStack::setView(double from, double to) {
  view_ = std::pair(from, to);
  change();
}

void StepTimeStack::showAll() {
  view_.reset();
  change();
}

void StepTimeStack::change() {
  isOld_ = true;
  if (isVisible()) refresh();
}

void StepTimeStack::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (isOld_) refresh();
}

void StepTimeStack::refreshNow() {
  refresh();
  repaint();
}

std::optional<std::pair<Step, Step>> StepTimeStack::steps() const {
  const auto all = metrics_ ? stepsOfStepTimes(*metrics_) : std::nullopt;
  if (!all) return all;
  const Step newest = span_->currentData().value<Step>();
  if (newest != kInView) return std::pair(std::max(all->first, all->second - newest + 1), all->second);
  if (!view_) return all;
  return std::pair(asStep(std::floor(view_->first)), asStep(std::ceil(view_->second) - 1));
}

QString StepTimeStack::nodeOf(Rank rank) const {
  const auto found = std::ranges::find(nodes_, rank, &RankNode::rank);
  return found == nodes_.end() ? QString() : found->node;
}

/// Behind the median those that are chosen and not among the slowest; those that are stay where they are.
void StepTimeStack::addChosen(std::vector<StepTimes>& times, const std::pair<Step, Step>& range) const {
  if (times.empty() || !times.front().isMedian) return;
  auto place = times.begin() + 1;
  for (const Rank rank : chosen_) {
    if (std::ranges::find(times, rank, &StepTimes::rank) != times.end()) continue;
    StepTimes one = stepTimes(*metrics_, rank, range.first, range.second);
    if (!one.isEmpty()) place = std::next(times.insert(place, one));
  }
}

void StepTimeStack::refresh() {
  isOld_ = false;
  const auto range = steps();
  std::vector<StepTimes> times;
  measured_ = 0;
  if (range) {
    const std::vector<Rank> ranks = metrics_->ranks();
    times = stepTimesOf(*metrics_, ranks, range->first, range->second, kMaxRanks);
    measured_ = times.size() < kMaxRanks ? times.size() : ranks.size();
  }
  shown_ = times.size();
  if (range) addChosen(times, *range);
  if (metrics_) chooseRank(times);
  rank_->setVisible(isOverTime());
  if (range)
    areas_->setSource(metrics_, rank(), static_cast<double>(range->first),
                      static_cast<double>(range->second));
  QWidget* const shown = isOverTime() ? static_cast<QWidget*>(areas_) : scroll_;
  stack_->setCurrentWidget(times.empty() ? hint_ : shown);
  showTimes(times);
  summary_->setText(summary());
}

void StepTimeStack::showTimes(const std::vector<StepTimes>& times) {
  std::vector<StepBar> bars;
  for (const StepTimes& one : times) {
    const QString node = nodeOf(one.rank);
    const QString rank = tr("Rank %1").arg(one.rank.value);
    const QString name = node.isEmpty() ? rank : tr("%1 on %2").arg(rank, node);
    bars.push_back({one,
                    one.isMedian ? tr("median: %1").arg(one.rank.value) : QString::number(one.rank.value),
                    one.isMedian ? tr("%1, the median").arg(name) : name});
  }
  bars_->setBars(std::move(bars));
  QStringList unmeasured;
  const StepTexts texts = stepTexts();
  for (std::size_t part = 0; part < kStepParts.size(); ++part) {
    const bool isMeasured =
        std::ranges::any_of(times, [part](const StepTimes& one) { return one.parts[part].has_value(); });
    keys_[part]->setVisible(isMeasured);
    if (!isMeasured) unmeasured << texts.parts[part];
  }
  unmeasured_->setVisible(!times.empty() && !unmeasured.isEmpty());
  unmeasured_->setText(tr("Not measured: %1").arg(unmeasured.join(QStringLiteral(", "))));
}

QString StepTimeStack::summary() const {
  const auto range = steps();
  if (!range || shown_ == 0) return {};
  if (isOverTime())
    return tr("Rank %1, the steps %2 to %3, in ms.")
        .arg(rank().value)
        .arg(QLocale().toString(range->first), QLocale().toString(range->second));
  const QString of = tr("Mean of the steps %1 to %2, in ms.")
                         .arg(QLocale().toString(range->first), QLocale().toString(range->second));
  if (shown_ < kMaxRanks || measured_ <= kMaxRanks) return of;
  return tr("%1 The median and the %2 slowest of %3 ranks.")
      .arg(of)
      .arg(shown_ - 1)
      .arg(QLocale().toString(static_cast<qulonglong>(measured_)));
}

}  // namespace lockstep
