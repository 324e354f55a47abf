// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/dashboard.h"

#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "metrics/rank_list.h"
#include "widgets/common/layout/tool_row.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/metric_plot.h"
#include "widgets/metrics/metric_texts.h"
#include "widgets/metrics/number_text.h"
#include "widgets/metrics/rank_heat_map.h"
#include "widgets/metrics/rank_legend.h"
#include "widgets/metrics/rank_picker.h"
#include "widgets/metrics/rank_table.h"
#include "widgets/metrics/run_tables.h"

namespace lockstep {
namespace {

constexpr int kTickMs = 1000;
constexpr auto kOldData = std::chrono::seconds(15);  // from here on the lag is worth a look

/// `widget` as a raised area.
QWidget* card(QWidget* widget) {
  auto* frame = new QFrame;
  makeCard(frame);
  auto* layout = new QVBoxLayout(frame);
  layout->setContentsMargins(1, 1, 1, 1);
  layout->addWidget(widget);
  return frame;
}

QSplitter* splitter(Qt::Orientation orientation, const std::vector<QWidget*>& parts, QWidget* parent) {
  auto* result = new QSplitter(orientation, parent);
  result->setChildrenCollapsible(false);
  result->setHandleWidth(8);
  for (auto* part : parts) result->addWidget(part);
  return result;
}

}  // namespace

Dashboard::Dashboard(QWidget* parent) : QWidget(parent), samples_(std::make_shared<const MetricStore>()) {
  // In the order in which they are seen: it is also that of the Tab key.
  createControls();
  createPlots();
  rankModel_ = new RankTableModel(this);
  rankTable_ = new RankTable(rankModel_, this);
  tables_ = new RunTables(rankTable_, this);
  log_ = new LogView(this);
  arrange();
  connectPlots();
  setEmptyTexts();
  ticker_ = new QTimer(this);
  ticker_->setInterval(kTickMs);
  connect(ticker_, &QTimer::timeout, this, &Dashboard::tick);
  ticker_->start();
}

Dashboard::~Dashboard() = default;

void Dashboard::createPlots() {
  const auto plotOf = [this](std::string_view name) { return new MetricPlot(plotQuantity(name), this); };
  loss_ = plotOf(metric::kLoss);
  cpu_ = plotOf(metric::kCpuPercent);
  gpu_ = plotOf(metric::kGpuPercent);
  speed_ = plotOf(metric::kSamplesPerSecond);
  plots_ = {loss_, cpu_, gpu_, speed_};
}

void Dashboard::createControls() {
  legend_ = new RankLegend(this);
  picker_ = new RankPicker(this);
  smoothing_ = new QComboBox(this);
  smoothing_->setObjectName(QStringLiteral("smoothing"));
  smoothing_->addItem(tr("Loss: not smoothed"), 0.0);
  smoothing_->addItem(tr("Loss: lightly smoothed"), 0.6);
  smoothing_->addItem(tr("Loss: smoothed"), 0.9);
  smoothing_->addItem(tr("Loss: strongly smoothed"), 0.98);
  smoothing_->setToolTip(
      tr("Moving average of the loss, no other chart; the measured curve stays behind it"));
  smoothing_->setAccessibleDescription(smoothing_->toolTip());
  connect(smoothing_, &QComboBox::currentIndexChanged, this, &Dashboard::applySmoothing);

  logScale_ = new QToolButton(this);
  logScale_->setObjectName(QStringLiteral("logScale"));
  logScale_->setText(tr("Log scale"));
  logScale_->setToolTip(tr("Logarithmic loss axis"));
  logScale_->setCheckable(true);
  logScale_->setAutoRaise(true);

  showAll_ = new QToolButton(this);
  showAll_->setObjectName(QStringLiteral("showAll"));
  showAll_->setText(tr("All steps"));
  showAll_->setToolTip(tr("Show all steps in every plot (double click on a plot)"));
  showAll_->setAutoRaise(true);
  showAll_->setEnabled(false);
  connect(showAll_, &QToolButton::clicked, this, [this] { shareView({}); });

  lag_ = new PlainLabel(this);
  lag_->setObjectName(QStringLiteral("dataLag"));
  lag_->setToolTip(tr("How old the newest data are: writing, storing and fetching them takes time"));
  makeCaption(lag_);
}

void Dashboard::arrange() {
  bar_ = new ToolRow(this);
  bar_->setMargins({2, 0, 2, 0});
  bar_->addWidget(legend_, 1);
  bar_->addWidget(picker_, 1);
  bar_->setOffered(picker_, false);
  bar_->addWidget(smoothing_);
  bar_->addButton(logScale_);
  bar_->addButton(showAll_);
  bar_->addWidget(lag_);
  arrangeColumns();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->setSpacing(6);
  column->addWidget(bar_);
  column->addWidget(rows_, 1);
}

void Dashboard::arrangeColumns() {
  left_ = splitter(Qt::Vertical, {card(loss_), card(speed_)}, this);
  right_ = splitter(Qt::Vertical, {card(cpu_), card(gpu_), tables_}, this);
  columns_ = splitter(Qt::Horizontal, {left_, right_}, this);
  rows_ = splitter(Qt::Vertical, {columns_, log_}, this);
  left_->setSizes({600, 400});
  right_->setSizes({400, 300, 300});
  columns_->setSizes({450, 550});  // the rank table shows all its columns in a window of 1280
  rows_->setSizes({600, 400});
  rows_->setStretchFactor(0, 3);
  rows_->setStretchFactor(1, 2);
  log_->setMinimumHeight(130);
  gpu_->parentWidget()->hide();
}

void Dashboard::connectPlots() {
  connect(logScale_, &QToolButton::toggled, loss_, &MetricPlot::setLogScale);
  for (auto* plot : plots_) {
    connect(plot, &MetricPlot::viewChanged, this, &Dashboard::shareView);
    connect(plot, &MetricPlot::savePictureRequested, this, [this, plot] { emit savePictureRequested(plot); });
    connect(plot, &MetricPlot::saveValuesRequested, this, [this, plot] { emit saveValuesRequested(plot); });
  }
  connect(legend_, &RankLegend::hiddenRanksChanged, this, &Dashboard::applyRanks);
  connect(picker_, &RankPicker::chosenChanged, this, &Dashboard::applyRanks);
  connect(rankTable_, &RankTable::rankActivated, this, [this](int rank) { log_->showOnlyRank(Rank(rank)); });
  connect(tables_->heatMap(), &RankHeatMap::viewChanged, this, [this](double from, double to) {
    shareView({false, false, from, to});
  });
  connect(tables_->heatMap(), &RankHeatMap::brushed, this, &Dashboard::showBrushed);
  connect(log_, &LogView::saveRequested, this, &Dashboard::saveRequested);
}

QString Dashboard::emptyText() const {
  switch (filling_) {
    case Filling::Loading:
      return tr("Loading the samples …");
    case Filling::Live:
      return tr("No samples yet: the first arrive a few seconds after the first step.");
    case Filling::Ended:
      return tr("This run left no samples.");
    case Filling::Stopped:
      return tr("The samples were not loaded.");
    case Filling::Unreadable:
      break;
  }
  return tr("The samples cannot be read now.");
}

void Dashboard::setEmptyTexts() {
  for (auto* plot : plots_) {
    plot->setEmptyText(emptyText());
    plot->scheduleRefresh();
  }
  tables_->setEmptyText(emptyText());
  rankTable_->setEmptyText(filling_ == Filling::Ended ? tr("No rank was started.")
                                                      : tr("No ranks yet: the nodes are being created."));
  log_->setFilling(filling_);
}

void Dashboard::clear() {
  showSamples(std::make_shared<const MetricStore>());
  rankModel_->clear();
  tables_->setHealth(nullptr);
  tables_->setRunning(true);
  log_->clear();
  picker_->clear();
  updateRanks();
  filling_ = Filling::Loading;
  setEmptyTexts();
  shareView({});
  updateGpu();
  setDataLag({});
}

void Dashboard::setNodes(const std::vector<RankNode>& nodes) {
  rankModel_->setNodes(nodes);
  tables_->setNodes(nodes);
  updateRanks();
}

void Dashboard::setRankState(Rank rank, const QString& state) {
  rankModel_->setRankState(rank, state);
  updateRanks();
}

void Dashboard::showSamples(std::shared_ptr<const MetricStore> samples) {
  samples_ = std::move(samples);
  for (auto* plot : plots_) plot->setSamples(samples_);
  tables_->setMetrics(samples_);
}

void Dashboard::setSamples(std::shared_ptr<const MetricStore> samples) {
  showSamples(std::move(samples));
  rankModel_->update(*samples_);
  updateRanks();
  updateGpu();
}

void Dashboard::addLines(const std::vector<LogLine>& lines) {
  log_->addLines(lines);
}

void Dashboard::setHealth(const std::shared_ptr<const RunHealth>& health) {
  tables_->setHealth(health);
}

void Dashboard::setRunning(bool isRunning) {
  tables_->setRunning(isRunning);
}

void Dashboard::setRanksKnown(bool areKnown) {
  tables_->setReadable(areKnown);
}

void Dashboard::updateRanks() {
  const auto ranks = rankModel_->ranks();
  const bool isMany = ranks.size() > MetricPlot::kMostCurves;
  legend_->setRanks(isMany ? std::vector<Rank>() : ranks);
  picker_->setEnd(isMany ? ranks.back().value + 1 : 0);
  bar_->setOffered(legend_, !isMany);
  bar_->setOffered(picker_, isMany);
  applyRanks();
  log_->setRanks(ranks);
  rankTable_->fitColumns();
}

void Dashboard::applyRanks() {
  for (auto* plot : plots_) {
    plot->setHiddenRanks(legend_->hiddenRanks());
    plot->setChosenRanks(picker_->chosen());
  }
}

void Dashboard::updateGpu() {
  gpu_->parentWidget()->setVisible(gpu_->hasData());
}

void Dashboard::setDataLag(std::chrono::nanoseconds lag) {
  const bool isKnown = lag.count() > 0 && filling_ != Filling::Ended;
  lag_->setText(isKnown ? tr("Data lag %1").arg(lagText(lag)) : QString());
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, lag > kOldData ? warningColor(palette()) : mutedColor(palette()));
  lag_->setPalette(colors);
}

void Dashboard::setFilling(Filling filling) {
  if (filling == filling_) return;
  filling_ = filling;
  setEmptyTexts();
  if (filling == Filling::Ended) setDataLag({});
}

void Dashboard::refreshNow() {
  tick();
  for (auto* plot : plots_) plot->refreshNow();
}

void Dashboard::tick() {
  const SystemClock clock;
  rankModel_->setNow(clock.now());
  tables_->setNow(clock.steady());
}

void Dashboard::applySmoothing() {
  loss_->setSmoothing(smoothing_->currentData().toDouble());
}

void Dashboard::shareView(const PlotView& view) {
  for (auto* plot : plots_) plot->setView(view);
  tables_->setSteps(view.showsAll ? std::nullopt : std::optional(std::pair(view.from, view.to)));
  showAll_->setEnabled(!view.showsAll);
  tellSteps(view);
}

void Dashboard::tellSteps(const PlotView& view) {
  constexpr double kMost = 9e15;                               // steps, whatever a view says
  StepsInSight sight{{}, 0, static_cast<Step>(kMost), kMost};  // all of them need nothing finer
  if (!view.showsAll) {
    sight.from = static_cast<Step>(std::floor(std::clamp(view.from, -kMost, kMost)));
    sight.to = static_cast<Step>(std::ceil(std::clamp(view.to, -kMost, kMost)));
    sight.stepsPerPixel = (view.to - view.from) / std::max(1, loss_->width());
  }
  emit stepsInSight(sight);
}

// The steps in every chart, and the ranks where they can be chosen: as curves, and in the log.
void Dashboard::showBrushed(Step from, Step to, const std::vector<Rank>& ranks) {
  shareView({false, false, static_cast<double>(from), static_cast<double>(std::max(to, from + 1))});
  if (ranks.size() <= MetricPlot::kMostCurves) picker_->setText(toQString(rankListText(ranks)));
  if (ranks.size() == 1) log_->showOnlyRank(ranks.front());
}

QByteArray Dashboard::saveState() const {
  const auto sizes = [](const QSplitter* part) { return QString::fromLatin1(part->saveState().toBase64()); };
  const QJsonObject state{{QStringLiteral("rows"), sizes(rows_)},
                          {QStringLiteral("columns"), sizes(columns_)},
                          {QStringLiteral("left"), sizes(left_)},
                          {QStringLiteral("right"), sizes(right_)},
                          {QStringLiteral("smoothing"), smoothing_->currentIndex()},
                          {QStringLiteral("logScale"), logScale_->isChecked()},
                          {QStringLiteral("log"), QString::fromUtf8(log_->saveState())}};
  return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void Dashboard::restoreState(const QByteArray& state) {
  const QJsonObject object = QJsonDocument::fromJson(state).object();
  if (object.isEmpty()) return;
  const auto restore = [&](QSplitter* part, const QString& key) {
    part->restoreState(QByteArray::fromBase64(object[key].toString().toLatin1()));
  };
  restore(rows_, QStringLiteral("rows"));
  restore(columns_, QStringLiteral("columns"));
  restore(left_, QStringLiteral("left"));
  restore(right_, QStringLiteral("right"));
  smoothing_->setCurrentIndex(
      qBound(0, object[QStringLiteral("smoothing")].toInt(), smoothing_->count() - 1));
  logScale_->setChecked(object[QStringLiteral("logScale")].toBool());
  log_->restoreState(object[QStringLiteral("log")].toString().toUtf8());
  updateGpu();
}

}  // namespace lockstep
