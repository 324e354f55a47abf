// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_page.h"

#include <QKeyEvent>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "base/clock.h"
#include "widgets/common/message_bar.h"
#include "widgets/common/qt_convert.h"
#include "widgets/health/health_words.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/metrics/run_tables.h"
#include "widgets/runs/run_header.h"
#include "widgets/runs/run_state_text.h"

namespace lockstep {

RunPage::RunPage(QWidget* parent)
    : QWidget(parent),
      header_(new RunHeader(&progress_, this)),
      questionBar_(new MessageBar(this)),
      failureBar_(new MessageBar(this)),
      healthBar_(new MessageBar(this)),
      problemBar_(new MessageBar(this)),
      dashboard_(new Dashboard(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 12);
  layout->setSpacing(8);
  layout->addWidget(header_);
  for (MessageBar* bar : {questionBar_, failureBar_, healthBar_, problemBar_}) layout->addWidget(bar);
  layout->addWidget(dashboard_, 1);
  connect(header_, &RunHeader::backRequested, this, &RunPage::backRequested);
  connect(header_, &RunHeader::cancelRequested, this, &RunPage::askToCancel);
  auto* clock = new QTimer(this);
  connect(clock, &QTimer::timeout, this, [this] {
    header_->tick(SystemClock().now());
    showHealth();  // silence alone holds a run up
  });
  clock->start(1000);
}

void RunPage::setRun(const TrainingRun& run) {
  const bool isOther = run.id != run_.id;
  run_ = run;
  if (isOther) {
    progress_.clear();
    shownFailure_.clear();
    shownProblem_.clear();
    shownHealth_.clear();
    health_.reset();
    dashboard_->clear();
    dashboard_->setEnded(false);
    header_->setDataLag(std::nullopt, {});
    header_->setCanceling(false);
    for (MessageBar* bar : {questionBar_, failureBar_, healthBar_, problemBar_}) bar->clear();
  }
  refreshFacts();
}

void RunPage::apply(const RunUpdate& update) {
  if (update.run.id != run_.id) return;
  run_ = update.run;
  if (!update.metrics.empty()) {
    progress_.add(update.metrics);
    dashboard_->addMetrics(update.metrics);
  }
  if (!update.lines.empty()) dashboard_->addLines(update.lines);
  if (update.health) {
    health_ = update.health;
    dashboard_->setHealth(health_);
  }
  // Zero says that nothing came yet; what came before in this window still counts.
  if (update.dataLag.count() > 0) header_->setDataLag(update.dataLag, SystemClock().now());
  if (update.ended) dashboard_->setEnded(true);
  showProblems(update);
  refreshFacts();
}

void RunPage::refreshFacts() {
  header_->setRun(run_);
  header_->tick(SystemClock().now());
  if (isTerminal(stateOf(run_))) {
    header_->setCanceling(false);
    questionBar_->clear();
  }
  dashboard_->setRunning(!isTerminal(stateOf(run_)));
  showNodes();
  showFailure();
  showHealth();
}

void RunPage::showNodes() {
  std::vector<RankNode> nodes;
  for (const NodeRun& node : run_.nodes) {
    if (node.role == NodeRole::ParameterServer) continue;  // has no rank
    nodes.push_back({Rank(node.nodeRank), toQString(labelOf(node)), textOf(node.state)});
  }
  dashboard_->setNodes(nodes);
}

void RunPage::showFailure() {
  if (run_.failure == shownFailure_) return;
  shownFailure_ = run_.failure;
  if (run_.failure.empty()) return failureBar_->clear();
  failureBar_->showMessage(Severity::Error, tr("The run failed"), toQString(run_.failure));
}

// The worst alone, and never with a number that changes: a message that is new every second cannot be read.
void RunPage::showHealth() {
  const bool isRunning = !isTerminal(stateOf(run_));
  const bool hasFailed = stateOf(run_) == RunState::Failed;
  std::vector<Holdup> holdups;
  if (health_ && isRunning) holdups = holdupsIn(*health_, SystemClock().now());
  if (health_ && hasFailed) holdups = holdupsAtEnd(*health_);
  const ReachMatrix matrix(health_ && (isRunning || hasFailed) ? health_->nodes
                                                               : std::vector<NodeFindings>());
  const auto gaps = matrix.gaps();
  HealthNotice notice;
  if (!holdups.empty()) notice = noticeOf(holdups.front());
  if (!holdups.empty() && hasFailed) notice.what = tr("When the run failed: %1").arg(notice.what);
  if (holdups.empty() && !gaps.empty()) notice = noticeOf(matrix, gaps.front());
  const QString text = plainText(notice);
  if (text == shownHealth_) return;  // closed by the user, it stays closed
  shownHealth_ = text;
  if (text.isEmpty()) return healthBar_->clear();
  healthBar_->showMessage(Severity::Warning, notice.what, notice.cause + QLatin1Char(' ') + notice.remedy);
  const bool isAboutRanks = !holdups.empty();
  auto* show = healthBar_->addButton(isAboutRanks ? tr("Show the phases") : tr("Show the nodes"));
  connect(show, &QPushButton::clicked, this, [this, isAboutRanks] {
    RunTables* tables = dashboard_->tables();
    tables->setCurrentIndex(isAboutRanks ? RunTables::PhasesTab : RunTables::NodesTab);
    tables->currentWidget()->setFocus();
  });
}

void RunPage::showProblems(const RunUpdate& update) {
  if (!update.problems.empty()) return showProblem(update.problems.front());
  if (update.unreadableSegments > 0) {
    return showProblem(
        {StatusCode::DataLoss,
         toStdString(tr("Metric segments that cannot be read: %1").arg(update.unreadableSegments)),
         toStdString(tr("the curves have gaps there; all other samples are complete")), "", "",
         std::nullopt});
  }
  shownProblem_.clear();
  problemBar_->clear();
}

void RunPage::showProblem(const Status& problem) {
  // The same problem at every look is one message, and once the user has closed it, it stays closed.
  const std::string text = problem.what + problem.cause;
  if (text == shownProblem_) return;
  shownProblem_ = text;
  problemBar_->showStatus(problem, Severity::Warning);
}

void RunPage::showFollowProblem(const Status& status) {
  showProblem(status);
}

void RunPage::showStatus(const Status& status) {
  questionBar_->showStatus(status);
}

void RunPage::setCanceling(bool canceling) {
  header_->setCanceling(canceling);
}

void RunPage::askToCancel() {
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

void RunPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit backRequested();
  QWidget::keyPressEvent(event);
}

}  // namespace lockstep
