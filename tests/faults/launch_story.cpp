// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/launch_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "launch/attached_run.h"
#include "metrics/metric_writer.h"
#include "oci/services/data_science_client.h"
#include "oci/signin/open_service_client.h"
#include "tests/faults/hasty_clock.h"
#include "tests/faults/story_view.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::testing {

const char* const kStoryScript = R"(
trap 'echo "the end of $STORY_NODE"; exit 0' TERM
for i in 1 2 3 4 5 6 7 8 9 10; do echo "line $i of $STORY_NODE"; done
sleep 600 & wait
)";

namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

constexpr auto kStepLimit = 3min;  // of a step that ends by itself: on a loaded machine all takes long
constexpr oci::BreakerLimits kHastyBreakers{.openFor = 1s};  // backoff takes no time, and this is one
constexpr int kLinesPerNode = 10;
constexpr int kLooksForNothing = 5;  // at what the fault never lets through
constexpr int kSamples = 20;

class Story {
 public:
  Story(FaultRegion& region, std::string name, const StoryFault& fault)
      : region_(region), name_(std::move(name)), fault_(fault) {}

  StoryOutcome play() {
    const auto begin = SteadyClock::now();
    try {
      if (open()) playSteps();
    } catch (const std::exception& e) {
      wrong(e.what());
    }
    outcome_.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
    return std::move(outcome_);
  }

 private:
  using Problems = std::vector<Error>;

  void wrong(const std::string& what) { outcome_.wrong.push_back(what); }

  bool open() {
    auto store = RunStore::open(temp_.path() / "runs.sqlite");
    auto profile = oci::loadProfile({region_.region().configFile(), "REHEARSAL"});
    if (!store || !profile) return wrong("cannot begin"), false;
    auto services = oci::openServiceClient(*profile);
    if (!services) return wrong(describe(services.error())), false;
    store_ = std::make_shared<RunStore>(*std::move(store));
    oci::ServiceClient::Setup setup = (*services)->setup();
    setup.clock = clock_;
    setup.maxAttempts = fault_.lasting ? 3 : 8;
    setup.breakers = std::make_shared<oci::CircuitBreakers>(kHastyBreakers);
    signIn_ = StorySignIn::prepare(fault_.who, region_, *profile, temp_.path());
    if (fault_.wholeStory) setFault(fault_.fault);  // it may be about signing in
    auto credentials = signIn_->open({setup.http, clock_, setup.audit, {}});
    if (!credentials) return wrong(describe(credentials.error())), false;
    setup.credentials = *credentials;
    services_.emplace(
        RunServices::over(*profile, std::make_shared<oci::ServiceClient>(std::move(setup)), store_, clock_));
    return true;
  }

  // Faults of the region ------------------------------------------------------------------------------------

  void begin(std::size_t step) {
    step_ = step;
    stepEnd_ = SteadyClock::now() + kStepLimit;
    if (fault_.wholeStory || step != fault_.step) return;
    json fault = fault_.fault;
    fault["operation"] = storySteps()[step].operations;
    if (step == kWait) fault["after"] = 1;  // the first listing belongs to the cancel
    if (step == kCreateRuns && fault_.who == SignedInAs::Session) fault["after"] = 1;  // so that one is left
    setFault(fault);
  }

  void setFault(const json& fault) { region_.setFaults({{"seed", 11}, {"faults", json::array({fault})}}); }

  void endFaults() {
    outcome_.strikes += region_.strikes();
    region_.clearFaults();
  }

  [[nodiscard]] bool tolerant() const { return fault_.wholeStory && !fault_.mustTell.empty(); }
  [[nodiscard]] bool isFaulty() const { return !fault_.wholeStory && step_ == fault_.step; }

  /// Carries a step out; `attempt` returns the failures that the user sees. A lasting fault must be seen, and
  /// what failed must succeed when it is over, or when the user has done what the message said.
  void carryOut(std::size_t step, const std::function<Problems()>& attempt) {
    begin(step);
    const auto started = SteadyClock::now();
    Problems problems = attempt();
    const bool lasting = isFaulty() && fault_.lasting;
    tell(problems, lasting);
    const bool helped = lasting && signIn_->again();
    if (isFaulty() && !helped) endFaults();
    if (lasting) {  // a circuit that the fault has opened is closed again after some seconds
      do {
        problems = attempt();
      } while (!problems.empty() && SteadyClock::now() < stepEnd_ && clock_->sleepFor(20ms, {}));
      tell(problems, false);
    }
    if (helped) endFaults();
    if (SteadyClock::now() - started > 2 * kStepLimit) wrong(at("took too long"));
  }

  [[nodiscard]] std::string at(const std::string& what) const {
    return fmt::format("{}: {}", storySteps()[step_].name, what);
  }

  void tell(const Problems& problems, bool expected) {
    if (expected && problems.empty()) wrong(at("nobody was told that it failed"));
    for (const Error& problem : problems) {
      outcome_.messages.try_emplace(step_, oneLine(problem));
      if (!expected && !tolerant()) wrong(at("failed: " + oneLine(problem)));
      if (const std::string lack = lackOf(problem); !lack.empty())
        wrong(at(fmt::format("the message lacks {}: {}", lack, oneLine(problem))));
      if (expected && oneLine(problem).find(fault_.mustTell) == std::string::npos)
        wrong(at(fmt::format("the message lacks '{}': {}", fault_.mustTell, oneLine(problem))));
    }
  }

  // The steps -----------------------------------------------------------------------------------------------

  Problems launch() {
    auto run = services_->launcher()->launch(storyRequest(region_, name_), {}, {});
    if (run) {
      run_ = *std::move(run);
      return {};
    }
    return {run.error()};
  }

  /// A launch that failed has left nothing that runs, now or after the next look.
  void checkRolledBack() {
    auto all = store_->all();
    if (!all || all->empty()) return wrong("a failed launch is not in the run history");
    for (TrainingRun& run : *all) {
      if (run_ && run.id == run_->id) continue;
      if (auto now = services_->launcher()->refresh(run, {}); now && !isTerminal(stateOf(*now)))
        wrong("a failed launch is " + std::string(toString(stateOf(*now))));
    }
    if (!allRunsEnd(region_, name_, run_ ? run_->jobId.value : ""))
      wrong("a failed launch left job runs that cost money");
  }

  bool launchAll() {
    const std::size_t step = fault_.step == kCreateRuns ? kCreateRuns : kCreateJob;
    carryOut(step, [&] { return launch(); });
    if (!fault_.wholeStory) checkRolledBack();
    if (!run_) return false;
    auto follower = services_->follow(*run_);
    if (!follower) return wrong(describe(follower.error())), false;
    view_.emplace(*std::move(follower));
    return true;
  }

  /// Looks until `done`. Under a lasting fault the first failure is what was wanted.
  Problems lookUntil(const std::function<bool()>& done) {
    Problems problems;
    while (SteadyClock::now() < stepEnd_) {
      for (Error& problem : view_->look(*run_, outcome_.wrong)) problems.push_back(std::move(problem));
      if (!problems.empty() && isFaulty() && fault_.lasting) return problems;
      if (done()) return problems;
      std::this_thread::sleep_for(30ms);
    }
    if (!tolerant()) wrong(at("did not come to its end"));
    return problems;
  }

  /// A circuit that the fault has opened lets calls through again after a while.
  void waitForCalm() {
    while (!view_->look(*run_, outcome_.wrong).empty() && SteadyClock::now() < stepEnd_)
      std::this_thread::sleep_for(30ms);
  }

  [[nodiscard]] bool isOver() const { return isTerminal(stateOf(*run_)) && allNodesEnded(*run_); }
  /// A fault that ends job runs by itself, which is waited for.
  [[nodiscard]] bool willFail() const {
    const std::string kind = fault_.fault["kind"];
    return kind == "node-killed" || kind == "out-of-capacity";
  }
  [[nodiscard]] bool runs() const {
    return std::all_of(run_->nodes.begin(), run_->nodes.end(),
                       [](const NodeRun& n) { return n.state == JobRunState::InProgress; });
  }
  /// All lines that will come are there.
  [[nodiscard]] bool hasLines() {
    if (isOver() || view_->hasLines(*run_, kLinesPerNode)) return true;
    const std::string kind = fault_.fault["kind"];
    if (kind == "disk-full") return ++vainLooks_ == kLooksForNothing;
    return kind == "node-frozen" && isFrozen();  // perhaps before it had said all
  }
  [[nodiscard]] bool isFrozen() const {
    return std::any_of(run_->nodes.begin(), run_->nodes.end(),
                       [](const NodeRun& n) { return FaultRegion::isFrozen(n.id.value); });
  }

  Problems getRun() {
    auto attached = services_->attach(run_->jobId, {});
    if (!attached) return {attached.error()};
    if (attached->nodes.size() != kStoryNodes.size() && !fault_.wholeStory)
      wrong(at("not all job runs were seen"));
    return {};
  }

  Problems put() {
    auto dir = services_->workDir(run_->workDir);
    if (!dir) return {dir.error()};
    Problems problems;
    for (int i = 0; i < 3; ++i) {
      const std::string name = fmt::format("story/{}", i);
      const std::string bytes = std::string(2000, static_cast<char>('a' + i));
      if (auto done = (*dir)->put(name, bytes, {})) {
        acknowledged_[name] = bytes;
      } else {
        problems.push_back(done.error());
      }
    }
    return problems;
  }

  Problems list() {
    auto dir = services_->workDir(run_->workDir);
    auto names = (*dir)->list("story/", {}, {});
    if (!names) return {names.error()};
    if (names->size() != acknowledged_.size() && !fault_.wholeStory)
      wrong(at(fmt::format("{} of {} objects are listed", names->size(), acknowledged_.size())));
    return {};
  }

  Problems get() {
    auto dir = services_->workDir(run_->workDir);
    for (const auto& [name, bytes] : acknowledged_) {
      auto read = (*dir)->get(name, {});
      if (!read) return {read.error()};
      if (*read != bytes) wrong(at("an object came back changed"));
    }
    return {};
  }

  void writeSamples() {
    const auto dir = services_->workDir(run_->workDir);
    MetricWriter writer(*dir, layout::metricsFolder(run_->jobId.value), Rank(0), 1);
    for (int i = 0; i < kSamples; ++i) writer.record(i, clock_->now(), {{"loss", 1.0 / (i + 1)}});
    const std::chrono::milliseconds limit = tolerant() ? 1s : kStepLimit;
    if (!writer.flush(limit) && !tolerant()) wrong("samples could not be written");
  }

  Problems metrics() {
    return lookUntil([&] { return view_->samples() == kSamples || tolerant(); });
  }

  Problems cancel() {
    auto ended = services_->launcher()->cancel(*run_, {});
    if (!ended) return {ended.error()};
    run_ = *ended;
    if (!isOver()) wrong(at("it is " + std::string(toString(stateOf(*run_)))));
    return {};
  }

  Problems remove() {
    auto deleted = oci::DataScienceClient(services_->services()).deleteJob(run_->jobId.value, {});
    const bool gone = !deleted && deleted.error().service && deleted.error().service->httpStatus == 404;
    if (!deleted && !gone) return {deleted.error()};
    return {};
  }

  void playSteps() {
    if (launchAll() && run_) {
      carryOut(kPoll, [&] { return lookUntil([&] { return (runs() && !willFail()) || isOver(); }); });
      carryOut(kGetRun, [&] { return getRun(); });
      carryOut(kReadLog, [&] { return lookUntil([&] { return hasLines(); }); });
      carryOut(kPut, [&] { return put(); });
      carryOut(kList, [&] { return list(); });
      carryOut(kGet, [&] { return get(); });
      writeSamples();
      carryOut(kMetrics, [&] { return metrics(); });
      if (fault_.fault["kind"] == "node-frozen" && !eventually([&] { return isFrozen(); }))
        wrong("no node stands still");
      const bool waiting = !fault_.wholeStory && fault_.step == kWait;
      carryOut(waiting ? kWait : kCancel, [&] { return cancel(); });
    }
    if (fault_.wholeStory) {
      endFaults();
      checkTold();
      checkRolledBack();
    }
    if (run_) checkAll();
    if (run_) carryOut(kDelete, [&] { return remove(); });
    checkGone();
  }

  void checkTold() {
    if (run_ && !run_->failure.empty()) outcome_.messages.try_emplace(kWait, run_->failure);
    if (!tolerant()) return;
    for (const auto& [step, message] : outcome_.messages)
      if (message.find(fault_.mustTell) != std::string::npos) return;
    wrong("nobody was told '" + fault_.mustTell + "'");
  }

  // What the region holds in truth
  // ----------------------------------------------------------------------------

  void checkAll() {
    step_ = kWait;
    stepEnd_ = SteadyClock::now() + kStepLimit;
    if (tolerant()) waitForCalm();
    const auto runs = region_.runsOf(run_->jobId.value);
    if (runs.size() != kStoryNodes.size()) wrong(fmt::format("{} job runs instead of 2", runs.size()));
    std::map<std::string, std::string> truth;
    for (const auto& run : runs) {
      if (!hasEnded(run) || (!fault_.wholeStory && run.state != "CANCELED"))
        wrong("job run " + run.name + " is " + run.state + " after the cancel: " + run.details);
      if (!allProcessesEnd(run.id)) wrong("a process of job run " + run.name + " is left");
      for (const auto& line : region_.linesOf(run.id)) truth.insert(line);
    }
    const auto late = lookUntil([&] { return view_->lines().size() >= truth.size(); });
    for (const Error& problem : late) wrong("after all: " + oneLine(problem));
    if (view_->lines() != truth)
      wrong(fmt::format("{} lines seen of {}", view_->lines().size(), truth.size()));
    for (const std::string& name : lostObjects(region_, name_, acknowledged_))
      wrong("object " + name + " is lost or changed");
    if (!tolerant() && view_->samples() != kSamples)
      wrong(fmt::format("{} samples seen of {}", view_->samples(), kSamples));
  }

  void checkGone() {
    const bool ambiguous = fault_.lasting && (fault_.step == kCreateJob || fault_.step == kCreateRuns);
    const std::size_t left = region_.jobsNamed(name_).size();
    if (left > (ambiguous || !run_ ? 1U : 0U)) wrong(fmt::format("{} jobs are left", left));
    for (const std::string& job : region_.jobsNamed(name_))
      for (const auto& run : region_.runsOf(job))
        if (!allProcessesEnd(run.id))
          wrong("a process of job run " + run.name + " of a failed launch is left");
  }

  FaultRegion& region_;
  std::string name_;
  StoryFault fault_;
  StoryOutcome outcome_;
  TempDir temp_;
  std::shared_ptr<Clock> clock_ = std::make_shared<HastyClock>();
  std::shared_ptr<RunStore> store_;
  std::optional<RunServices> services_;
  std::unique_ptr<StorySignIn> signIn_;
  std::optional<StoryView> view_;
  std::optional<TrainingRun> run_;
  std::size_t step_ = 0;
  SteadyClock::time_point stepEnd_;
  int vainLooks_ = 0;
  std::map<std::string, std::string> acknowledged_;
};

}  // namespace

StoryOutcome playStory(FaultRegion& region, const std::string& name, const StoryFault& fault) {
  StoryOutcome outcome = Story(region, name, fault).play();
  try {
    region.clearFaults();
  } catch (const std::exception& e) {
    outcome.wrong.emplace_back(e.what());
  }
  return outcome;
}

}  // namespace lockstep::testing
