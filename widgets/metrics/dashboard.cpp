// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/dashboard.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics/layouts/built_in_layouts.h"
#include "metrics/layouts/card_choices.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/card_bodies.h"
#include "widgets/metrics/cards/card_grid.h"
#include "widgets/metrics/cards/card_texts.h"
#include "widgets/metrics/cards/cards_view.h"
#include "widgets/metrics/cards/curve_button.h"
#include "widgets/metrics/cards/layout_list.h"
#include "widgets/metrics/dashboard_tools.h"
#include "widgets/metrics/line_rules_button.h"
#include "widgets/metrics/rank_heat_map.h"
#include "widgets/metrics/rank_table.h"
#include "widgets/metrics/run_tables.h"
#include "widgets/metrics/step_time_stack.h"
#include "widgets/metrics/tiles/rank_page.h"
#include "widgets/metrics/tiles/rank_tiles.h"

namespace lockstep {
namespace {

constexpr int kTableWidth = 630;
constexpr int kTickMs = 1000;

QSplitter* splitter(Qt::Orientation orientation, const std::vector<QWidget*>& parts, QWidget* parent) {
  auto* result = new QSplitter(orientation, parent);
  result->setChildrenCollapsible(false);
  result->setHandleWidth(8);
  for (auto* part : parts) result->addWidget(part);
  return result;
}

}  // namespace

// In the order in which they are seen: it is also that of the Tab key.
Dashboard::Dashboard(QWidget* parent)
    : QWidget(parent),
      samples_(std::make_shared<const MetricStore>()),
      layouts_(new LayoutList(this)),
      bodies_(new CardBodies(this)),
      tools_(new DashboardTools(layouts_, this)),
      cards_(new CardsView(
          layouts_, [this](const DashboardCard& card) { return bodies_->make(card); }, this)),
      rankPage_(new RankPage(this)),
      left_(new QStackedWidget(this)),
      rankModel_(new RankTableModel(this)),
      rankTable_(new RankTable(rankModel_, this)),
      tables_(new RunTables(rankTable_, this)),
      log_(new LogView(this)),
      ticker_(new QTimer(this)) {
  arrange();
  connectCards();
  connectTools();
  setEmptyTexts();
  ticker_->setInterval(kTickMs);
  connect(ticker_, &QTimer::timeout, this, &Dashboard::tick);
  ticker_->start();
}

Dashboard::~Dashboard() = default;

void Dashboard::arrange() {
  left_->addWidget(cards_);
  left_->addWidget(rankPage_);
  columns_ = splitter(Qt::Horizontal, {left_, tables_}, this);
  rows_ = splitter(Qt::Vertical, {columns_, log_}, this);
  columns_->setStretchFactor(0, 3);
  columns_->setStretchFactor(1, 1);
  rows_->setSizes({600, 400});
  rows_->setStretchFactor(0, 3);
  rows_->setStretchFactor(1, 2);
  log_->setMinimumHeight(130);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->setSpacing(6);
  column->addWidget(tools_);
  column->addWidget(rows_, 1);
}

void Dashboard::connectCards() {
  connect(cards_->grid(), &CardGrid::sightChanged, bodies_, &CardBodies::setInSight);
  connect(cards_->grid(), &CardGrid::maximizedChanged, this, &Dashboard::setMaximized);
  connect(cards_, &CardsView::curvesChanged, bodies_, &CardBodies::setCurves);
  connect(cards_, &CardsView::cardShown, bodies_, &CardBodies::setCard);
  connect(bodies_, &CardBodies::quantityChosen, cards_, &CardsView::setQuantity);
  connect(bodies_, &CardBodies::overTimeChosen, cards_, &CardsView::setOverTime);
  cards_->showLayout();
  connect(bodies_, &CardBodies::viewChanged, this, &Dashboard::goTo);
  connect(bodies_, &CardBodies::cursorMoved, this, &Dashboard::setCursor);
  connect(tables_->heatMap(), &RankHeatMap::cursorMoved, bodies_, &CardBodies::cursorMoved);
  connect(bodies_, &CardBodies::cursorMoved, this, &Dashboard::cursorMoved);
  connect(bodies_, &CardBodies::rangeBrushed, this,
          [this](Step from, Step to) { showBrushed(from, to, {}); });
  connect(bodies_, &CardBodies::brushed, this, &Dashboard::showBrushed);
  connect(bodies_, &CardBodies::ranksActivated, this, [this](const std::vector<Rank>& ranks) {
    if (ranks.size() == 1)
      showRank(ranks.front());
    else
      tools_->chooseRanks(ranks);
  });
  connect(bodies_, &CardBodies::rankToggled, tools_, &DashboardTools::toggleRank);
  connect(tables_->stepTimes(), &StepTimeStack::rankToggled, tools_, &DashboardTools::toggleRank);
  connect(tables_->stepTimes(), &StepTimeStack::rankActivated, this, &Dashboard::showRank);
  connect(bodies_, &CardBodies::savePictureRequested, this, &Dashboard::savePictureRequested);
  connect(bodies_, &CardBodies::saveValuesRequested, this, &Dashboard::saveValuesRequested);
  connect(cards_, &CardsView::exportAsked, bodies_, &CardBodies::exportBody);
  connect(bodies_, &CardBodies::saveCardPictureRequested, this, &Dashboard::saveCardPictureRequested);
  connect(bodies_, &CardBodies::saveCardValuesRequested, this, &Dashboard::saveCardValuesRequested);
  connect(rankPage_, &RankPage::backRequested, this, &Dashboard::showCards);
  connect(rankTable_, &RankTable::rankActivated, this, [this](int rank) { showRank(Rank(rank)); });
  connect(tables_->heatMap(), &RankHeatMap::viewChanged, this, [this](double from, double to) {
    goTo({false, false, from, to});
  });
  connect(tables_->heatMap(), &RankHeatMap::brushed, this, &Dashboard::showBrushed);
  connect(log_, &LogView::saveRequested, this, &Dashboard::saveRequested);
}

void Dashboard::connectTools() {
  connect(tools_, &DashboardTools::addRequested, cards_, &CardsView::addCard);
  connect(tools_, &DashboardTools::ranksChanged, this, &Dashboard::applyRanks);
  connect(tools_, &DashboardTools::allRequested, this, [this] { goTo({}); });
  connect(tools_->curves(), &CurveButton::chosen, cards_, &CardsView::setCurves);
  connect(tools_->lineRules(), &LineRulesButton::chosen, this, &Dashboard::lineChoiceWanted);
  const auto back = [this] { shareView(history_.back()); };
  const auto forward = [this] { shareView(history_.forward()); };
  connect(tools_, &DashboardTools::backRequested, this, back);
  connect(tools_, &DashboardTools::forwardRequested, this, forward);
  const auto onKeys = [this](const QKeySequence& keys, const auto& what) {
    connect(new QShortcut(keys, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
            &QShortcut::activated, this, what);
  };
  onKeys(Qt::ALT | Qt::Key_Left, back);
  onKeys(Qt::ALT | Qt::Key_Right, forward);
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
  bodies_->setEmptyText(emptyText());
  tables_->setEmptyText(emptyText());
  rankTable_->setEmptyText(filling_ == Filling::Ended ? tr("No rank was started.")
                                                      : tr("No ranks yet: the nodes are being created."));
}

void Dashboard::clear() {
  showSamples(std::make_shared<const MetricStore>());
  rankModel_->clear();
  tables_->setHealth(nullptr);
  tables_->setRunning(true);
  log_->clear();
  tools_->clearRanks();
  setLineRules(std::nullopt);
  updateRanks();
  filling_ = Filling::Loading;
  setEmptyTexts();
  history_.clear();
  shareView({});
  showCards();
}

void Dashboard::setNodes(const std::vector<RankNode>& nodes) {
  rankModel_->setNodes(nodes);
  tables_->setNodes(nodes);
  bodies_->setNodes(nodes);
  tools_->setNodes(nodes);
  rankPage_->setNodes(nodes);
  updateRanks();
}

void Dashboard::setRankState(Rank rank, const QString& state) {
  rankModel_->setRankState(rank, state);
  updateRanks();
}

void Dashboard::showSamples(std::shared_ptr<const MetricStore> samples) {
  samples_ = std::move(samples);
  cards_->setMetrics(samples_);
  bodies_->setSamples(samples_);
  tables_->setMetrics(samples_);
  tools_->setSamples(samples_);
  rankPage_->setMetrics(samples_);
}

void Dashboard::setSamples(std::shared_ptr<const MetricStore> samples) {
  showSamples(std::move(samples));
  rankModel_->update(*samples_);
  updateRanks();
}

void Dashboard::setLog(std::shared_ptr<const LogSnapshot> log) {
  log_->setLog(std::move(log));
}

void Dashboard::setLineRules(const std::optional<std::vector<LineRuleUse>>& uses) {
  tools_->setReadsLines(uses.has_value());
  tools_->lineRules()->setUses(uses.value_or(std::vector<LineRuleUse>()));
}

void Dashboard::setLineChoice(const LineChoice& choice) {
  tools_->lineRules()->setChoice(choice);
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
  tools_->setRanks(ranks);
  applyRanks();
  log_->setRanks(ranks);
  rankTable_->fitColumns();
}

void Dashboard::chooseRanks(const std::vector<Rank>& ranks) {
  tools_->chooseRanks(ranks);
}

void Dashboard::applyRanks() {
  bodies_->setRanks(tools_->hiddenRanks(), tools_->chosenRanks());
  rankTable_->showChosen(tools_->chosenRanks());
  tables_->setChosenRanks(tools_->chosenRanks());
}

void Dashboard::setFilling(Filling filling) {
  if (filling == filling_) return;
  filling_ = filling;
  setEmptyTexts();
}

void Dashboard::refreshNow() {
  tick();
  bodies_->refreshNow();
  if (left_->currentWidget() == rankPage_) rankPage_->refreshNow();
}

void Dashboard::tick() {
  const SystemClock clock;
  rankModel_->setNow(time_.value_or(clock.now()));
  tables_->setNow(clock.steady());
}

void Dashboard::setTime(std::optional<TimePoint> time) {
  if (time == time_) return;
  time_ = time;
  tables_->setPast(time.has_value());
  tick();
}

void Dashboard::setStale(const std::vector<StaleRank>& stale) {
  rankModel_->setStale(stale);
  tools_->setStale(stale);
  bodies_->setStale(stale);
}

void Dashboard::goTo(const PlotView& view) {
  history_.note(view, SystemClock().steady());
  shareView(view);
}

void Dashboard::shareView(const PlotView& view) {
  const auto steps = view.showsAll ? std::nullopt : std::optional(std::pair(view.from, view.to));
  bodies_->setView(view);
  tables_->setSteps(steps);
  rankPage_->setSteps(steps);
  tools_->setHistory(history_.hasBack(), history_.hasForward(), view.showsAll);
  tellSteps(view);
}

void Dashboard::tellSteps(const PlotView& view) {
  constexpr double kMost = 9e15;                               // steps, whatever a view says
  StepsInSight sight{{}, 0, static_cast<Step>(kMost), kMost};  // all of them need nothing finer
  if (!view.showsAll) {
    sight.from = static_cast<Step>(std::floor(std::clamp(view.from, -kMost, kMost)));
    sight.to = static_cast<Step>(std::ceil(std::clamp(view.to, -kMost, kMost)));
    sight.stepsPerPixel = (view.to - view.from) / std::max(1, cards_->width());
  }
  emit stepsInSight(sight);
}

// The steps in every chart, and the ranks where they can be chosen: as curves, and in the log.
void Dashboard::showBrushed(Step from, Step to, const std::vector<Rank>& ranks) {
  showSteps(from, to);
  if (!ranks.empty()) tools_->chooseRanks(ranks);
  if (ranks.size() == 1) log_->showOnlyRank(ranks.front());
  emit brushed(from, to, ranks);
}

void Dashboard::setCursor(const std::optional<ChartCursor>& cursor) {
  bodies_->setCursor(cursor);
  const auto step = cursor ? std::optional(cursor->step) : std::nullopt;
  tables_->heatMap()->setPointed(step);
  tables_->stepTimes()->setPointed(step);
  rankPage_->tiles()->setPointed(step);
}

void Dashboard::setMarks(const std::vector<ChartMark>& marks) {
  bodies_->setMarks(marks);
}

void Dashboard::showSteps(Step from, Step to) {
  goTo({false, false, static_cast<double>(from), static_cast<double>(std::max(to, from + 1))});
}

void Dashboard::showRank(Rank rank) {
  log_->showOnlyRank(rank);
  rankPage_->setRank(rank);
  left_->setCurrentWidget(rankPage_);
  rankPage_->setFocus(Qt::OtherFocusReason);  // Escape leads back
}

void Dashboard::showCards() {
  const bool hadFocus = rankPage_->isAncestorOf(focusWidget());
  left_->setCurrentWidget(cards_);
  if (hadFocus) rankTable_->setFocus(Qt::OtherFocusReason);
}

// A card that takes all the room takes that of the tables and the log, too.
void Dashboard::setMaximized(bool isMaximized) {
  tables_->setVisible(!isMaximized);
  log_->setVisible(hasLog_ && !isMaximized);
}

void Dashboard::setHasLog(bool hasLog) {
  hasLog_ = hasLog;
  log_->setVisible(hasLog && !tables_->isHidden());
}

bool Dashboard::showLayout(const QString& name) {
  std::vector<std::string> names;
  for (const DashboardLayout& layout : builtInLayouts()) names.push_back(layout.name);
  for (const DashboardLayout& layout : layouts_->own()) names.push_back(layout.name);
  const auto found = std::ranges::find_if(names, [&](const std::string& one) {
    return name.compare(toQString(one), Qt::CaseInsensitive) == 0 ||
           name.compare(titleOfLayout(one), Qt::CaseInsensitive) == 0;
  });
  return found != names.end() && layouts_->choose(*found);
}

void Dashboard::showCharts(int count) {
  DashboardLayout layout = layouts_->current();
  layout.cards.clear();
  for (const QuantityGroup& group : quantitiesToChoose(*samples_))
    for (const std::string& name : group.names) {
      if (!group.isMeasured || std::ssize(layout.cards) >= count) break;
      DashboardCard card;
      card.quantities.push_back({name, CardAxis::Left});
      layout.cards.push_back(card);
    }
  layouts_->change(tr("Show other cards"), layout);
}

QByteArray Dashboard::saveState() const {
  const auto sizes = [](const QSplitter* part) { return QString::fromLatin1(part->saveState().toBase64()); };
  const QJsonObject state{{QStringLiteral("rows"), sizes(rows_)},
                          {QStringLiteral("columns"), sizes(columns_)},
                          {QStringLiteral("cards"), QString::fromUtf8(layouts_->save())},
                          {QStringLiteral("log"), QString::fromUtf8(log_->saveState())}};
  return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

// At first the rank table has what all its columns take, and the cards have the rest.
void Dashboard::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (!std::exchange(areColumnsPlaced_, true))
    columns_->setSizes({std::max(1, width() - kTableWidth), kTableWidth});
}

void Dashboard::restoreState(const QByteArray& state) {
  const QJsonObject object = QJsonDocument::fromJson(state).object();
  if (object.isEmpty()) return;
  areColumnsPlaced_ = true;
  const auto restore = [&](QSplitter* part, const QString& key) {
    part->restoreState(QByteArray::fromBase64(object[key].toString().toLatin1()));
  };
  restore(rows_, QStringLiteral("rows"));
  restore(columns_, QStringLiteral("columns"));
  layouts_->restore(object[QStringLiteral("cards")].toString().toUtf8());
  log_->restoreState(object[QStringLiteral("log")].toString().toUtf8());
}

}  // namespace lockstep
