// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/setup/setup_checks.h"

#include <QLocale>
#include <algorithm>

#include "oci/calls/call_log.h"
#include "setup/steps/check_steps.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/setup/setup_page.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxCalls = 5'000;
constexpr qint64 kFreshMs = 60'000;

}  // namespace

CheckCost costSince(TimePoint begin, TimePoint end, const std::filesystem::path& callLog) {
  CheckCost cost;
  cost.seconds = std::chrono::duration<double>(end - begin).count();
  const auto calls = oci::CallLogReader(callLog).last(kMaxCalls);
  if (!calls) return cost;
  for (const oci::CallRecord& call : *calls) {
    if (call.at < begin || call.at > end) continue;
    ++(call.method == "GET" || call.method == "HEAD" ? cost.readCalls : cost.changingCalls);
  }
  return cost;
}

SetupChecks::SetupChecks(SetupPage* page, QObject* parent) : QObject(parent), page_(page) {
  connect(&recallTask_, &BackgroundTask::failed, this, [this](const Error& error) {
    finishRecall({});
    page_->messageBar()->showError(error, Severity::Warning);
  });
}

SetupChecks::~SetupChecks() = default;

void SetupChecks::showProfile(const oci::ProfileQuery& query) {
  const bool isSame = isRecalled_ && query.configFile == query_.configFile && query.profile == query_.profile;
  query_ = query;
  if (isSame) return;
  cancel();
  isRecalled_ = false;
  reports_.clear();
  checkedAt_.reset();
  sinceWhole_.invalidate();
  recallTask_.start([query](const std::stop_token&) { return SetupMemory().recall(query); },
                    [this](const RememberedSetup& remembered) { finishRecall(remembered); });
}

void SetupChecks::finishRecall(const RememberedSetup& remembered) {
  isRecalled_ = true;
  choices_ = remembered.choices;
  reports_ = remembered.reports;
  checkedAt_ = remembered.checkedAt;
  page_->setChoices(choices_);
  if (checkedAt_) {
    const QDateTime then = toQDateTime(*checkedAt_);
    for (const auto& [id, report] : reports_) page_->setRemembered(id, report, then);
    page_->setLastCheck(tr("last check %1").arg(shortTime(then)));
  } else {
    page_->setLastCheck({});
  }
  if (!wanted_) return;
  const std::vector<std::string> steps(wanted_->begin(), wanted_->end());
  wanted_.reset();
  check(steps);
}

void SetupChecks::checkAll() {
  check(setupStepNames());
}

void SetupChecks::checkAllIfStale() {
  if (!sinceWhole_.isValid() || sinceWhole_.elapsed() > kFreshMs) checkAll();
}

void SetupChecks::check(const std::vector<std::string>& stepIds) {
  if (!isRecalled_) {  // the choices are not known yet
    if (!wanted_) wanted_.emplace();
    wanted_->insert(stepIds.begin(), stepIds.end());
    return;
  }
  if (stepIds.empty()) return;
  Round& round = rounds_.emplace_back();
  round.isWhole = stepIds.size() == setupStepNames().size();
  if (round.isWhole) sinceWhole_.start();
  for (const std::string& id : stepIds) {
    round.numbers[id] = ++numbers_[id];
    page_->setChecking(id);
  }
  round.task = std::make_unique<BackgroundTask>();
  connect(round.task.get(), &BackgroundTask::failed, this,
          [this, failed = &round](const Error& error) { fail(failed, error); });
  startRound(&round, stepIds);
}

void SetupChecks::startRound(Round* round, const std::vector<std::string>& stepIds) {
  round->task->run([this, round, stepIds, context = makeContext(), dropped = round->stop](
                       const std::stop_token& stop, const BackgroundTask::Post& post) mutable {
    const std::stop_callback both(stop, [&dropped] { dropped.request_stop(); });
    const TimePoint begin = SystemClock().now();
    checkSteps(
        context, stepIds,
        [&](const std::string& id, const StepReport& report) {
          post([this, round, id, report] { noteReport(round, id, report); });
        },
        dropped.get_token());
    const TimePoint end = SystemClock().now();
    const CheckCost cost = costSince(begin, end, oci::callLogFile());
    post([this, round, cost, end] { finish(round, cost, end); });
  });
}

SetupContext::Setup SetupChecks::contextSetup() const {
  SetupContext::Setup setup;
  setup.query = query_;
  if (spec_) setup.spec = spec_();
  setup.choices = choices_;
  setup.secrets = secrets_;
  return setup;
}

SetupContextPtr SetupChecks::makeContext() const {
  return std::make_shared<const SetupContext>(contextSetup());
}

void SetupChecks::noteReport(const Round* round, const std::string& stepId, const StepReport& report) {
  // Not of a profile that is not shown any more, and not of a step that is being looked at again.
  if (round->isDropped || round->numbers.at(stepId) != numbers_[stepId]) return;
  reports_[stepId] = report;
  page_->setReport(stepId, report);
}

void SetupChecks::finish(const Round* round, const CheckCost& cost, TimePoint end) {
  if (round->isDropped) return remove(round);
  for (const auto& [id, number] : round->numbers)
    if (number == numbers_[id]) page_->endChecking(id);
  checkedAt_ = end;
  if (round->isWhole) showCost(cost);
  remember();
  remove(round);
  emit checked();
}

void SetupChecks::fail(const Round* round, const Error& error) {
  if (!round->isDropped) {
    for (const auto& [id, number] : round->numbers)
      if (number == numbers_[id]) page_->endChecking(id);
    page_->showError(error);
  }
  remove(round);
}

void SetupChecks::remove(const Round* round) {
  const auto done = std::find_if(rounds_.begin(), rounds_.end(), [&](const Round& r) { return &r == round; });
  if (done == rounds_.end()) return;
  done->task.release()->deleteLater();  // it is the one that calls
  rounds_.erase(done);
}

void SetupChecks::showCost(const CheckCost& cost) {
  const QString time = shortTime(toQDateTime(*checkedAt_));
  const QString seconds = QLocale().toString(cost.seconds, 'f', 1);
  QString text = tr("last check %1, %2 s, %Ln read-only call(s)", "", cost.readCalls).arg(time, seconds);
  if (cost.changingCalls > 0)
    text += tr(", %Ln call(s) of another kind by this machine meanwhile", "", cost.changingCalls);
  page_->setLastCheck(text);
}

void SetupChecks::cancel() {
  for (Round& round : rounds_) {
    round.isDropped = true;
    round.stop.request_stop();
  }
  wanted_.reset();
  page_->endChecking();
}

void SetupChecks::choose(const SetupChoices& choices, const std::vector<std::string>& stepIds) {
  choices_ = choices;
  page_->setChoices(choices_);
  remember();
  check(stepIds);
}

// One write at a time, and none that a newer one has overtaken.
void SetupChecks::remember() {
  if (isReadOnly_ || !isRecalled_) return;
  RememberedSetup setup{choices_, reports_, checkedAt_};
  for (auto& [id, report] : setup.reports) report.fixes.clear();
  rememberTask_.start(
      [query = query_, setup = std::move(setup),
       lock = memoryLock_](const std::stop_token& stop) -> Result<void> {
        const std::scoped_lock alone(*lock);
        if (stop.stop_requested()) return {};
        return SetupMemory().remember(query, setup);
      },
      [this](const Result<void>& done) {
        if (!done) page_->messageBar()->showError(done.error(), Severity::Warning);
      });
}

}  // namespace lockstep
