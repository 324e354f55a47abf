// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/job_runner.h"

#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

#include <future>

#include "base/child_process.h"
#include "rehearsal/jobs/process_tree.h"
#include "rehearsal/jobs/run_environment.h"
#include "rehearsal/logging/log_intake.h"
#include "rehearsal/region_log.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLookInterval{50};
constexpr std::chrono::seconds kSupervisorStart{20};  // from its start to its record in the folder
constexpr std::chrono::seconds kOverGrace{
    10};  // after this much more than the grace we end the tree ourselves

}  // namespace

/// What the runner remembers of a run while it lives; nothing that a restart would miss.
struct JobRunner::LiveRun {
  SteadyClock::time_point since = SteadyClock::now();
  std::future<Result<Key>> sessionKey;
  std::string sessionPublicPem;
  bool launched = false;
  SteadyClock::time_point launchedAt{};
  std::optional<SteadyClock::time_point> endAsked;
  TimePoint tokenExpiry{};
};

JobRunner::JobRunner(RunnerSetup setup, Database& database, const TokenIssuer& tokens,
                     std::shared_ptr<Clock> clock)
    : setup_(std::move(setup)), database_(database), tokens_(tokens), clock_(std::move(clock)) {}

JobRunner::~JobRunner() = default;

void JobRunner::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
}

void JobRunner::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_all();
}

void JobRunner::forget(const std::string& runId) {
  std::error_code ignored;  // a folder that stays behind costs only disk
  std::filesystem::remove_all(folderOf(runId).path, ignored);
}

void JobRunner::shutDown(const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    shutDownReason_ = why;
    shuttingDown_ = true;
    woken_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

RunFolder JobRunner::folderOf(const std::string& runId) const {
  const std::size_t dot = runId.rfind('.');
  return {setup_.runsFolder / runId.substr(dot == std::string::npos ? 0 : dot + 1)};
}

void JobRunner::loop(const std::stop_token& stop) {
  bool anyLive = true;
  while (!stop.stop_requested()) {
    bool ending = false;
    {
      std::unique_lock lock(mutex_);
      const auto isWoken = [this] { return woken_; };
      if (anyLive) {
        changed_.wait_for(lock, stop, kLookInterval, isWoken);
      } else {
        changed_.wait(lock, stop, isWoken);
      }
      woken_ = false;
      ending = shuttingDown_;
    }
    try {
      anyLive = advanceAll();
    } catch (const std::exception& e) {  // a full disk, most likely: the next look tries again
      logLine(fmt::format("job runs: {}", e.what()));
      anyLive = true;
    }
    if (ending && !anyLive) return;
  }
}

bool JobRunner::advanceAll() {
  std::vector<Resource> runs;
  {
    Session session(database_);
    for (const char* state : {"ACCEPTED", "IN_PROGRESS", "CANCELING"})
      for (Resource& run : resourcesInState(session, kind::kJobRun, state)) runs.push_back(std::move(run));
    session.commit();
  }
  for (Resource& run : runs) advance(std::move(run));
  return !runs.empty();
}

void JobRunner::advance(Resource run) {
  auto& live = live_[run.id];
  if (!live) live = std::make_unique<LiveRun>();
  bool ending = false;
  {
    const std::lock_guard lock(mutex_);
    ending = shuttingDown_;
  }
  if (ending && run.state != "CANCELING") {
    say(run, "CANCELING", shutDownReason_);
  } else if (run.state == "ACCEPTED") {
    provision(run, *live);
  } else {
    follow(run, *live);
  }
}

// Writes a change of state, unless somebody else changed the run since we read it: then the next look decides
// anew.
void JobRunner::say(Resource& run, const std::string& state, const std::string& details) {
  Session session(database_);
  auto now = findResource(session, kind::kJobRun, run.id);
  if (!now || now->state != run.state) return;
  if (now->state == state && now->body["lifecycleDetails"] == details) return;
  if (state == "IN_PROGRESS" && now->body["timeStarted"].is_null())
    now->body["timeStarted"] = timeText(toMillis(clock_->now()));
  now->state = state;
  now->body["lifecycleState"] = state;
  now->body["lifecycleDetails"] = details;
  updateResource(session, *now);
  session.commit();
  run = *now;
}

void JobRunner::provision(Resource& run, LiveRun& live) {
  const RunFolder folder = folderOf(run.id);
  if (readSupervisor(folder) || readEnd(folder))
    return say(run, "IN_PROGRESS", "Job run artifact execution in progress.");
  if (live.launched) {
    if (SteadyClock::now() - live.launchedAt > kSupervisorStart)
      endRun(run, "FAILED", "Job run failed: its supervisor did not start.");
    return;
  }
  if (!live.sessionKey.valid()) live.sessionKey = std::async(std::launch::async, makeRsaKey);
  const auto elapsed = SteadyClock::now() - live.since;
  if (elapsed >= setup_.provisioning &&
      live.sessionKey.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    say(run, "ACCEPTED", "Job run bootstrap complete. Artifact execution starting.");
    if (run.state == "ACCEPTED") launch(run, live);
  } else if (elapsed >= setup_.provisioning * 2 / 3) {
    say(run, "ACCEPTED", "Job run bootstrap starting.");
  } else if (elapsed >= setup_.provisioning / 3) {
    say(run, "ACCEPTED", "Infrastructure provisioned.");
  }
}

void JobRunner::launch(Resource& run, LiveRun& live) {
  const RunFolder folder = folderOf(run.id);
  const RunPlace place{setup_.program.parent_path(), setup_.endpoint};
  const auto prepared = [&]() -> Result<void> {
    auto key = live.sessionKey.get();
    if (!key) return failure(key.error());
    if (auto made = makeRunFolder(folder, *key); !made) return made;
    RunSpec spec;
    spec.runId = run.id;
    spec.command = {setup_.entrypoint};
    spec.environment = runEnvironment(run, folder, place);
    spec.grace = setup_.grace;
    if (const auto minutes = run.hidden["configuration"].find("maximumRuntimeInMinutes");
        minutes != run.hidden["configuration"].end())
      spec.maximumRuntime =
          std::chrono::milliseconds(static_cast<long long>(minutes->get<double>() * 60'000));
    if (auto written = writeSpec(folder, spec); !written) return written;
    auto expiry = writeRunToken(run, folder, tokens_, clock_->now());
    if (!expiry) return failure(expiry.error());
    live.tokenExpiry = *expiry;
    ProcessOptions options;
    options.command = {setup_.program.string(), "supervise", folder.path.string()};
    options.environment = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"LANG", "C.UTF-8"}};
    options.workingDirectory = folder.path;
    auto supervisor = ChildProcess::start(options);
    if (!supervisor) return failure(supervisor.error());
    return {};
  }();
  live.launched = true;
  live.launchedAt = SteadyClock::now();
  if (!prepared) endRun(run, "FAILED", "Job run failed: " + describe(prepared.error()));
}

void JobRunner::follow(Resource& run, LiveRun& live) {
  const RunFolder folder = folderOf(run.id);
  const auto supervisor = readSupervisor(folder);
  if (!supervisor && run.state == "CANCELING" && (!live.launched || readEnd(folder))) {
    if (stopBeforeStart(folder)) endRun(run, "CANCELED", "Job run canceled.");
    return;
  }
  if (!supervisor && live.launched && SteadyClock::now() - live.launchedAt < kSupervisorStart) return;
  const bool alive = supervisor && isAlive(*supervisor);
  const auto end = readEnd(folder);  // after the look at the process: the report precedes its end
  copyLines(run, folder);
  if (end) {
    const auto [state, details] = judge(*end, run.hidden["configuration"]);
    return endRun(run, state, details);
  }
  if (!alive) {
    signalEach(processesOfRun(run.id), SIGKILL);
    if (processesOfRun(run.id).empty())
      endRun(run, "FAILED",
             "Job run failed: its supervisor ended without a report; what was left of the run was killed.");
    return;
  }
  if (run.state == "CANCELING") {
    const auto now = SteadyClock::now();
    if (!live.endAsked) {
      live.endAsked = now;
      ::kill(supervisor->pid, SIGTERM);
    } else if (now - *live.endAsked > setup_.grace + kOverGrace) {
      signalEach(descendantsOf(supervisor->pid), SIGKILL);
      ::kill(supervisor->pid, SIGKILL);
    }
    return;
  }
  refreshToken(run, folder, live);
}

void JobRunner::refreshToken(const Resource& run, const RunFolder& folder, LiveRun& live) {
  const TimePoint now = clock_->now();
  if (now + kTokenLifetime / 2 < live.tokenExpiry) return;
  const auto expiry = writeRunToken(run, folder, tokens_, now);
  if (expiry) {
    live.tokenExpiry = *expiry;
  } else {
    logLine("job run " + run.id + ": " + describe(expiry.error()));
    live.tokenExpiry = now + kTokenLifetime / 2 + std::chrono::seconds(10);  // tried again then
  }
}

void JobRunner::copyLines(const Resource& run, const RunFolder& folder) {
  const auto logs = run.body.find("logDetails");
  if (logs == run.body.end() || !logs->is_object()) return;
  while (copySomeLines(database_, {run.id, (*logs)["logId"], folder.output()}, clock_->now())) {
  }
}

void JobRunner::endRun(Resource& run, const std::string& state, const std::string& details) {
  Session session(database_);
  auto now = findResource(session, kind::kJobRun, run.id);
  if (!now || (now->state != "ACCEPTED" && now->state != "IN_PROGRESS" && now->state != "CANCELING")) return;
  const bool canceling = now->state == "CANCELING";
  const bool byShutDown = canceling && now->body["lifecycleDetails"] == shutDownReason_;
  now->state = canceling ? "CANCELED" : state;
  now->body["lifecycleState"] = now->state;
  now->body["lifecycleDetails"] = byShutDown  ? "Job run canceled: " + shutDownReason_
                                  : canceling ? "Job run canceled."
                                              : details;
  now->body["timeFinished"] = timeText(toMillis(clock_->now()));
  updateResource(session, *now);
  session.commit();
  live_.erase(run.id);  // the caller returns at once
}

}  // namespace lockstep::rehearsal
