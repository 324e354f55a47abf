// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/launch_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "launch/attached_run.h"
#include "metrics/metric_writer.h"
#include "oci/data_science_client.h"
#include "tests/faults/hasty_clock.h"
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

constexpr auto kStepLimit = 45s;  // of a step, on a loaded machine
constexpr int kLinesPerNode = 10;
constexpr int kSamples = 20;
const std::vector<std::string> kNodes{"main", "worker_0"};

enum StepIndex : std::size_t {
  kCreateJob,
  kCreateRuns,
  kPoll,
  kGetRun,
  kReadLog,
  kPut,
  kList,
  kGet,
  kMetrics,
  kCancel,
  kWait,
  kDelete
};

/// What a message must tell: which service, which operation, why, and the way out.
std::string lackOf(const Status& status) {
  std::string lack;
  const auto need = [&lack](bool there, const char* what) {
    if (!there) lack += std::string(lack.empty() ? "" : ", ") + what;
  };
  need(status.service.has_value() && !status.service->service.empty(), "the service");
  need(status.service.has_value() && !status.service->operation.empty(), "the operation");
  need(!status.cause.empty(), "the cause");
  need(!status.remedy.empty(), "the way out");
  return lack;
}

std::string oneLine(const Status& status) {
  std::string text = describe(status);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

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
  using Problems = std::vector<Status>;

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
    region_.setFaults({{"seed", 11}, {"faults", json::array({fault})}});
  }

  void endFaults() {
    outcome_.strikes += region_.strikes();
    region_.clearFaults();
  }

  [[nodiscard]] bool tolerant() const { return !fault_.mustTell.empty(); }
  [[nodiscard]] bool isFaulty() const { return !fault_.wholeStory && step_ == fault_.step; }

  /// Carries a step out; `attempt` returns the failures that the user sees. A lasting fault must be seen, and
  /// what failed must succeed when it is over.
  void carryOut(std::size_t step, const std::function<Problems()>& attempt) {
    begin(step);
    const auto started = SteadyClock::now();
    Problems problems = attempt();
    const bool lasting = isFaulty() && fault_.lasting;
    tell(problems, lasting);
    if (isFaulty()) endFaults();
    if (lasting) {  // a circuit that the fault has opened is closed again after some seconds
      do {
        problems = attempt();
      } while (!problems.empty() && SteadyClock::now() < stepEnd_ && clock_->sleepFor(20ms, {}));
      tell(problems, false);
    }
    if (SteadyClock::now() - started > 2 * kStepLimit) wrong(at("took too long"));
  }

  [[nodiscard]] std::string at(const std::string& what) const {
    return fmt::format("{}: {}", storySteps()[step_].name, what);
  }

  void tell(const Problems& problems, bool expected) {
    if (expected && problems.empty()) wrong(at("nobody was told that it failed"));
    for (const Status& problem : problems) {
      outcome_.messages.try_emplace(step_, oneLine(problem));
      if (!expected && !tolerant()) wrong(at("failed: " + oneLine(problem)));
      if (const std::string lack = lackOf(problem); !lack.empty())
        wrong(at(fmt::format("the message lacks {}: {}", lack, oneLine(problem))));
    }
  }

  // The steps -----------------------------------------------------------------------------------------------

  [[nodiscard]] LaunchRequest request() const {
    const RegionUnderTest& r = region_.region();
    LaunchRequest request;
    request.name = name_;
    request.plan.workDir = r.place("workDir") + "/" + name_;
    nlohmann::ordered_json job = r.jobBody();
    job["displayName"] = name_;
    request.plan.requests.push_back({"CreateJob", job});
    for (std::size_t i = 0; i < kNodes.size(); ++i) {
      nlohmann::ordered_json run = r.runBody("${job}", {{"STORY_NODE", kNodes[i]}});
      run["displayName"] = kNodes[i];
      request.plan.nodes.push_back(
          {i == 0 ? NodeRole::Main : NodeRole::Worker, kNodes[i], static_cast<int>(i)});
      request.plan.requests.push_back({"CreateJobRun", run});
    }
    return request;
  }

  Problems launch() {
    auto run = services_->launcher()->launch(request(), {}, {});
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
    const bool ended = eventually([&] {
      for (const std::string& job : region_.jobsNamed(name_)) {
        if (run_ && job == run_->jobId.value) continue;
        for (const auto& run : region_.runsOf(job))
          if (run.state != "CANCELED" && run.state != "FAILED" && run.state != "SUCCEEDED") return false;
      }
      return true;
    });
    if (!ended) wrong("a failed launch left job runs that cost money");
  }

  bool launchAll() {
    const std::size_t step = fault_.step == kCreateRuns ? kCreateRuns : kCreateJob;
    carryOut(step, [&] { return launch(); });
    if (!fault_.wholeStory) checkRolledBack();
    if (!run_) return false;
    auto follower = services_->follow(*run_);
    if (!follower) return wrong(describe(follower.error())), false;
    follower_ = *std::move(follower);
    return true;
  }

  Problems look() {
    RunUpdate update = follower_->poll({});
    run_ = update.run;
    for (const LogLine& line : update.lines) {
      if (!lines_.emplace(line.id, line.text).second) wrong("line twice: " + line.text);
      ++linesOf_[line.jobRun.value];
    }
    for (const MetricSeriesBatch& batch : update.metrics)
      for (const MetricPoint& point : batch.points)
        if (!samples_.emplace(point.step, point.value).second) wrong("sample twice");
    return std::move(update.problems);
  }

  /// Looks until `done`. Under a lasting fault the first failure is what was wanted.
  Problems lookUntil(const std::function<bool()>& done) {
    Problems problems;
    while (SteadyClock::now() < stepEnd_) {
      for (Status& problem : look()) problems.push_back(std::move(problem));
      if (!problems.empty() && isFaulty() && fault_.lasting) return problems;
      if (done()) return problems;
      std::this_thread::sleep_for(30ms);
    }
    if (!tolerant()) wrong(at("did not come to its end"));
    return problems;
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
  [[nodiscard]] bool hasLines() const {
    return std::all_of(run_->nodes.begin(), run_->nodes.end(), [&](const NodeRun& n) {
      const auto found = linesOf_.find(n.id.value);
      return found != linesOf_.end() && found->second >= kLinesPerNode;
    });
  }

  Problems getRun() {
    auto attached = services_->attach(run_->jobId, {});
    if (!attached) return {attached.error()};
    if (attached->nodes.size() != kNodes.size() && !fault_.wholeStory)
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
    if (!writer.flush(tolerant() ? 1s : 30s) && !tolerant()) wrong("samples could not be written");
  }

  Problems metrics() {
    return lookUntil([&] { return samples_.size() == kSamples || tolerant(); });
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
    if (fault_.wholeStory) region_.setFaults({{"seed", 11}, {"faults", json::array({fault_.fault})}});
    if (launchAll() && run_) {
      carryOut(kPoll, [&] { return lookUntil([&] { return (runs() && !willFail()) || isOver(); }); });
      carryOut(kGetRun, [&] { return getRun(); });
      carryOut(kReadLog, [&] { return lookUntil([&] { return hasLines() || isOver(); }); });
      carryOut(kPut, [&] { return put(); });
      carryOut(kList, [&] { return list(); });
      carryOut(kGet, [&] { return get(); });
      writeSamples();
      carryOut(kMetrics, [&] { return metrics(); });
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
    const auto runs = region_.runsOf(run_->jobId.value);
    if (runs.size() != kNodes.size()) wrong(fmt::format("{} job runs instead of 2", runs.size()));
    std::map<std::string, std::string> truth;
    for (const auto& run : runs) {
      const bool ended = run.state == "CANCELED" || run.state == "FAILED" || run.state == "SUCCEEDED";
      if (!ended || (!fault_.wholeStory && run.state != "CANCELED"))
        wrong("job run " + run.name + " is " + run.state + " after the cancel: " + run.details);
      if (!eventually([&] { return FaultRegion::processesOf(run.id).empty(); }))
        wrong("a process of job run " + run.name + " is left");
      for (const auto& line : region_.linesOf(run.id)) truth.insert(line);
    }
    const auto late = lookUntil([&] { return lines_.size() >= truth.size(); });
    for (const Status& problem : late) wrong("after all: " + oneLine(problem));
    if (lines_ != truth) wrong(fmt::format("{} lines seen of {}", lines_.size(), truth.size()));
    for (const auto& [name, bytes] : acknowledged_) {
      const std::string whole = name_ + "/" + name;
      const auto dir = region_.region().place("workDir");
      const auto slash = dir.find('/', std::string("oci://").size());
      const std::string prefix = slash == std::string::npos ? "" : dir.substr(slash + 1) + "/";
      if (region_.object(prefix + whole) != bytes) wrong("object " + name + " is lost or changed");
    }
    if (!tolerant() && samples_.size() != kSamples)
      wrong(fmt::format("{} samples seen of {}", samples_.size(), kSamples));
  }

  void checkGone() {
    const bool ambiguous = fault_.lasting && (fault_.step == kCreateJob || fault_.step == kCreateRuns);
    const std::size_t left = region_.jobsNamed(name_).size();
    if (left > (ambiguous || !run_ ? 1U : 0U)) wrong(fmt::format("{} jobs are left", left));
    for (const std::string& job : region_.jobsNamed(name_))
      for (const auto& run : region_.runsOf(job))
        if (!eventually([&] { return FaultRegion::processesOf(run.id).empty(); }))
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
  std::unique_ptr<RunFollower> follower_;
  std::optional<TrainingRun> run_;
  std::size_t step_ = 0;
  SteadyClock::time_point stepEnd_;
  std::map<std::string, std::string> lines_;  // record id -> text
  std::map<std::string, int> linesOf_;
  std::map<lockstep::Step, double> samples_;
  std::map<std::string, std::string> acknowledged_;
};

}  // namespace

const std::vector<StoryStep>& storySteps() {
  static const std::vector<StoryStep> steps{
      {"create job", "CreateJob"},     {"create runs", "CreateJobRun"}, {"poll", "ListJobRuns"},
      {"get run", "GetJobRun"},        {"read log", "SearchLogs"},      {"put object", "PutObject"},
      {"list objects", "ListObjects"}, {"get object", "GetObject"},     {"metrics", "[GL]*Object*"},
      {"cancel", "CancelJobRun"},      {"wait", "ListJobRuns"},         {"delete", "DeleteJob"}};
  return steps;
}

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
