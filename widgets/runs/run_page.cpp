// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_page.h"

#include <QLocale>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/findings/finding_words.h"
#include "launch/rank_rows.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/diagnosis/finding_bar.h"
#include "widgets/diagnosis/stack_answer.h"
#include "widgets/health/health_words.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/metrics/run_tables.h"
#include "widgets/runs/file_bar.h"
#include "widgets/runs/run_header.h"
#include "widgets/runs/run_links.h"
#include "widgets/runs/run_state_text.h"
#include "widgets/runs/time/run_clock.h"
#include "widgets/runs/time/time_bar.h"

namespace lockstep {
namespace {

// What ranks and nodes publish is looked at every second; an answer that is older says nothing of the ranks, only that the
// work dir does not answer.
constexpr std::chrono::seconds kFreshHealth{10};

const NodeRun* firstFailedNode(const TrainingRun& run) {
  const NodeRun* first = nullptr;
  for (const NodeRun& node : run.nodes) {
    if (node.state != JobRunState::Failed) continue;
    if (first == nullptr || (node.finished && (!first->finished || *node.finished < *first->finished)))
      first = &node;
  }
  return first;
}

}  // namespace

RunPage::RunPage(QWidget* parent)
    : QWidget(parent),
      header_(new RunHeader(&progress_, this)),
      questionBar_(new MessageBar(this)),
      failureBar_(new MessageBar(this)),
      healthBar_(new MessageBar(this)),
      problemBar_(new MessageBar(this)),
      fileBar_(new FileBar(this)),
      findingBar_(new FindingBar(this)),
      dashboard_(new Dashboard(this)),
      time_(new RunTime({dashboard_, header_, &progress_}, this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 12);
  layout->setSpacing(8);
  layout->addWidget(header_);
  layout->addWidget(fileBar_);
  for (MessageBar* bar : {questionBar_, failureBar_, healthBar_, problemBar_}) layout->addWidget(bar);
  layout->addWidget(findingBar_);
  layout->addWidget(dashboard_, 1);
  layout->addWidget(time_->bar());
  connect(time_, &RunTime::wanted, this, &RunPage::pastWanted);
  connect(findingBar_, &FindingBar::jumpRequested, this, &RunPage::goTo);
  connect(findingBar_, &FindingBar::whereRequested, this,
          [this](const RunFinding& finding) { emit stacksWanted(finding.key(), ranksToAsk(finding)); });
  connect(findingBar_, &FindingBar::muteRequested, this, [this](const RunFinding& finding, bool isMuted) {
    emit muteRequested(run_.id, finding.key(), isMuted);
  });
  new RunLinks(time_, dashboard_, this);
  connect(header_, &RunHeader::backRequested, this, &RunPage::backRequested);
  connect(header_, &RunHeader::cancelRequested, this, &RunPage::askToCancel);
  connect(header_, &RunHeader::relaunchRequested, this, [this] { emit relaunchRequested(run_.id); });
  connect(fileBar_, &FileBar::runningChanged, header_, &RunHeader::setSaving);
  connect(header_, &RunHeader::saveRequested, this, &RunPage::saveRequested);
  connect(header_, &RunHeader::stopLoadingRequested, this, &RunPage::stopLoadingRequested);
  auto* clock = new QTimer(this);
  connect(clock, &QTimer::timeout, this, [this] {
    header_->tick(SystemClock().now(), SystemClock().steady());
    showHealth();  // silence alone holds a run up
  });
  clock->start(1000);
}

void RunPage::setRun(const TrainingRun& run) {
  const bool isOther = run.id != run_.id;
  run_ = run;
  if (isOther) forgetRun();
  dashboard_->setHasLog(run.backend != kFolderBackend);  // what a folder tells has no lines
  refreshFacts();
}

void RunPage::forgetRun() {
  time_->clear();
  shownFailure_.clear();
  shownProblem_.clear();
  shownHealth_.clear();
  health_.reset();
  log_.reset();
  report_.reset();
  findingBar_->clear();
  healthSeen_.reset();
  loaded_ = {};
  areSamplesRead_ = areLinesRead_ = isUnreadable_ = hasEnded_ = isStopped_ = false;
  dashboard_->clear();
  header_->setDataLag(std::nullopt, {});
  header_->setCanceling(false);
  for (MessageBar* bar : {questionBar_, failureBar_, healthBar_, problemBar_}) bar->clear();
}

void RunPage::apply(const RunUpdate& update) {
  if (update.run.id != run_.id) return;
  run_ = update.run;
  if (update.samples) time_->setSamples(update.samples);
  if (update.log) log_ = update.log;
  dashboard_->setLog(update.log);
  if (update.health) {
    health_ = update.health;
    dashboard_->setHealth(health_);
    time_->noteHealth(*health_, stateOf(run_), SystemClock().steady());
  }
  // Zero says that nothing came yet; what came before in this window still counts.
  if (update.dataLag.count() > 0) header_->setDataLag(update.dataLag, SystemClock().steady());
  if (update.isWithoutMetrics && dashboard_->hasLog()) dashboard_->setLineRules(update.lineRules);
  if (update.diagnosis) report_ = update.diagnosis;
  noteLook(update);
  showProblems(update);
  refreshFacts();
}

void RunPage::noteLook(const RunUpdate& update) {
  loaded_ = {update.segmentsRead, update.segmentsKnown};
  if (update.problems.empty()) {
    areSamplesRead_ = areSamplesRead_ || !(update.areSamplesBehind || update.areSamplesAwaited);
    areLinesRead_ = areLinesRead_ || !(update.areLinesBehind || update.areLinesAwaited);
  }
  isUnreadable_ = !update.problems.empty();
  if (update.ended) hasEnded_ = true;
  if (update.isHealthKnown) {
    healthSeen_ = std::chrono::steady_clock::now();
  } else {
    healthSeen_.reset();
  }
}

void RunPage::refreshFacts() {
  header_->setRun(run_);
  time_->setRun(run_, SystemClock().now());
  const bool isLoading =
      !areSamplesRead_ && !isUnreadable_ && !hasEnded_ && !isStopped_ && !run_.id.value.empty();
  header_->setLoading(isLoading ? std::optional(loaded_) : std::nullopt);
  header_->tick(SystemClock().now(), SystemClock().steady());
  if (isTerminal(stateOf(run_))) {
    header_->setCanceling(false);
    if (std::exchange(isAskingToCancel_, false)) questionBar_->clear();
  }
  dashboard_->setRunning(!isTerminal(stateOf(run_)));
  dashboard_->setRanksKnown(isHealthFresh());
  showFilling();
  showNodes();
  showFailure();
  showHealth();
  showFindings();
}

// What an empty place of the dashboard stands for.
Filling RunPage::fillingOf(bool isRead) const {
  if (hasEnded_) return Filling::Ended;
  if (isStopped_) return Filling::Stopped;
  if (isUnreadable_) return Filling::Unreadable;
  if (!isRead) return Filling::Loading;
  if (!isTerminal(stateOf(run_))) return Filling::Live;
  // What a run left last comes late.
  const bool isLongOver = run_.finished && SystemClock().now() - *run_.finished > kLateDataLimit;
  return isLongOver ? Filling::Ended : Filling::Loading;
}

void RunPage::showFilling() {
  dashboard_->setFilling(fillingOf(areSamplesRead_));
  dashboard_->logView()->setFilling(fillingOf(areLinesRead_));
  dashboard_->logView()->setReadingPast(!areLinesRead_ && !isStopped_ && !hasEnded_);
}

// Also those that had not begun at the time that is shown.
std::set<Rank> RunPage::knownRanks() const {
  return ranksIn(time_->samples());
}

void RunPage::showNodes() {
  std::vector<RankNode> nodes;
  for (const auto& [rank, node] : nodesOfRanks(run_, knownRanks())) {
    if (rank && node != nullptr) nodes.push_back({*rank, toShownLine(labelOf(*node)), textOf(node->state)});
  }
  dashboard_->setNodes(nodes);
}

void RunPage::showFailure() {
  if (run_.failure == shownFailure_) return;
  shownFailure_ = run_.failure;
  if (run_.failure.empty()) return failureBar_->clear();
  failureBar_->showMessage(Severity::Error, tr("The run failed"), toShownText(run_.failure));
  auto* lines = failureBar_->addButton(tr("Show its lines"));
  lines->setToolTip(tr("The log of the node that failed first, at its last error"));
  connect(lines, &QPushButton::clicked, this, &RunPage::showLinesOfFailure);
  if (!isRelaunchable(run_)) return;
  relaunch_ = failureBar_->addButton(tr("Relaunch"));
  relaunch_->setToolTip(tr("Launch the same again"));
  relaunch_->setEnabled(!isRelaunching_);
  connect(relaunch_, &QPushButton::clicked, this, [this] { emit relaunchRequested(run_.id); });
  changedRelaunch_ = failureBar_->addButton(tr("With changes …"));
  changedRelaunch_->setToolTip(tr("Launch the run again with other arguments, variables or values"));
  changedRelaunch_->setEnabled(!isRelaunching_);
  connect(changedRelaunch_, &QPushButton::clicked, this, [this] { emit changedRelaunchRequested(run_.id); });
}

void RunPage::showLinesOfFailure() {
  const NodeRun* node = firstFailedNode(run_);
  std::optional<Rank> rank;
  // Of several the lines of one would hide the error of another.
  if (node != nullptr) rank = onlyRankOf(run_, knownRanks(), *node);
  dashboard_->logView()->showLastError(rank);
}

// What a rank publishes says whether it is late; while that cannot be read, silence is the work dir's, not theirs.
bool RunPage::isHealthFresh() const {
  return healthSeen_ && std::chrono::steady_clock::now() - *healthSeen_ < kFreshHealth;
}

HealthNotice RunPage::noticeNow() const {
  const bool isRunning = !isTerminal(stateOf(run_));
  const bool hasFailed = stateOf(run_) == RunState::Failed;
  if (!health_ || !(isRunning || hasFailed) || (isRunning && !isHealthFresh())) return {};
  const auto stalls = isRunning ? findStalls(*health_, SystemClock().steady()) : findStallsAtEnd(*health_);
  if (!stalls.empty()) {
    HealthNotice notice = noticeOf(stalls.front());
    if (hasFailed) notice.what = tr("When the run failed: %1").arg(notice.what);
    notice.isAboutRanks = true;
    return notice;
  }
  const ReachMatrix matrix(health_->nodes);
  const auto gaps = matrix.gaps();
  return gaps.empty() ? HealthNotice() : noticeOf(matrix, gaps.front());
}

// The worst alone, and never with a number that changes: a message that is new every second cannot be read.
void RunPage::showHealth() {
  dashboard_->setRanksKnown(isHealthFresh());
  const HealthNotice notice = noticeNow();
  const QString text = plainText(notice);
  if (text == shownHealth_) return;  // closed by the user, it stays closed
  shownHealth_ = text;
  if (text.isEmpty()) return healthBar_->clear();
  healthBar_->showMessage(Severity::Warning, notice.what, notice.cause + QLatin1Char(' ') + notice.remedy);
  const bool isAboutRanks = notice.isAboutRanks;
  auto* show = healthBar_->addButton(isAboutRanks ? tr("Show the phases") : tr("Show the nodes"));
  connect(show, &QPushButton::clicked, this, [this, isAboutRanks] {
    RunTables* tables = dashboard_->tables();
    tables->setCurrentIndex(isAboutRanks ? RunTables::PhasesTab : RunTables::NodesTab);
    tables->currentWidget()->setFocus();
  });
}

// What the bars above say already is not said twice.
void RunPage::showFindings() {
  findingBar_->setAskable(!isTerminal(stateOf(run_)) && !run_.workDir.empty() &&
                          run_.backend != kFileBackend);
  if (!report_) return;
  std::vector<RunFinding> findings;
  for (const RunFinding& finding : report_->findings)
    if (saysMore(finding, run_.failure)) findings.push_back(finding);
  findingBar_->setFindings(std::move(findings), report_->unmeasured, report_->time);
}

void RunPage::showStacks(const RunId& run, const std::string& finding, const StackAnswer& answer) {
  if (run == run_.id) findingBar_->setStacks(finding, answer);
}

void RunPage::setMutedFindings(std::set<std::string> keys) {
  findingBar_->setMuted(std::move(keys));
}

// Its stretch is chosen in charts and log, and the cursor stands where it began.
void RunPage::goTo(const RunFinding& finding) {
  constexpr std::chrono::seconds kBefore{15};
  const auto& span = time_->clock()->span();
  if (!span) return;
  const TimePoint begin = std::clamp(finding.since, span->first, span->second);
  const TimePoint end = std::clamp(finding.end.value_or(span->second), begin, span->second);
  time_->clock()->setWindow(RunWindow{std::max(begin - kBefore, span->first), end, finding.ranks});
  time_->clock()->setCursor(RunCursor{begin, time_->timeline()->stepAt(begin)});
}

void RunPage::showProblems(const RunUpdate& update) {
  if (!update.problems.empty()) return showProblem(update.problems.front());
  if (update.unreadableSegments > 0) {
    return showProblem(
        {ErrorCode::DataLoss,
         toStdString(tr("Metric segments that cannot be read: %1").arg(update.unreadableSegments)),
         toStdString(tr("the curves have gaps there; all other samples are complete")), "", "",
         std::nullopt});
  }
  if (update.unmonitored) return showProblem(*update.unmonitored);
  shownProblem_.clear();
  problemBar_->clear();
}

void RunPage::showProblem(const Error& problem) {
  // The same problem at every look is one message, and once the user has closed it, it stays closed.
  const std::string text = problem.what + problem.cause;
  if (text == shownProblem_) return;
  shownProblem_ = text;
  problemBar_->showError(problem, Severity::Warning);
  if (!isRehearsed(run_) || problem.code != ErrorCode::Unavailable) return;
  auto* start = problemBar_->addButton(tr("Start the region"));
  connect(start, &QPushButton::clicked, this, [this, start] {
    start->setEnabled(false);
    emit startRegionRequested();
  });
}

void RunPage::showFollowProblem(const Error& error) {
  isUnreadable_ = true;
  healthSeen_.reset();
  showProblem(error);
  refreshFacts();
}

void RunPage::showLoadingStopped() {
  isStopped_ = true;
  isAskingToCancel_ = false;
  const QLocale locale;
  questionBar_->showMessage(Severity::Info, tr("The past of this run is not here in full"),
                            tr("Loading was stopped at %1 of %2 segments; nothing newer comes either.")
                                .arg(locale.toString(static_cast<qulonglong>(loaded_.read)),
                                     locale.toString(static_cast<qulonglong>(loaded_.known))));
  connect(questionBar_->addButton(tr("Load all")), &QPushButton::clicked, this, &RunPage::reloadRequested);
  refreshFacts();
}

void RunPage::showError(const Error& error) {
  isAskingToCancel_ = false;
  questionBar_->showError(error);
}

void RunPage::showMessage(const QString& title, const QString& text) {
  isAskingToCancel_ = false;
  questionBar_->showMessage(Severity::Info, title, text);
}

RunInSight RunPage::inSight() const {
  return {run_, time_->sharedSamples(), log_, report_, areLinesRead_ || hasEnded_};
}

void RunPage::setRelaunching(bool isRelaunching) {
  isRelaunching_ = isRelaunching;
  header_->setRelaunching(isRelaunching);
  if (relaunch_) relaunch_->setEnabled(!isRelaunching);
  if (changedRelaunch_) changedRelaunch_->setEnabled(!isRelaunching);
}

void RunPage::keyPressEvent(QKeyEvent* event) {
  if (!time_->bar()->isVisible() || !time_->bar()->handleKey(event)) QWidget::keyPressEvent(event);
}

void RunPage::setCanceling(bool canceling) {
  header_->setCanceling(canceling);
}

void RunPage::askToCancel() {
  isAskingToCancel_ = true;
  questionBar_->showMessage(
      Severity::Warning, tr("Cancel this run?"),
      tr("All its nodes are asked to end. What was not saved in a checkpoint is lost."));
  auto* yes = questionBar_->addButton(tr("Cancel run"));
  auto* no = questionBar_->addButton(tr("Keep it running"));
  connect(yes, &QPushButton::clicked, this, [this] {
    questionBar_->clear();
    emit cancelRequested(run_.id);
  });
  connect(no, &QPushButton::clicked, questionBar_, &MessageBar::clear);
  no->setFocus();
}

}  // namespace lockstep
