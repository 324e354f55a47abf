// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch_steps.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "durations.h"
#include "follow_view.h"
#include "info_file.h"
#include "output.h"
#include "progress_bar.h"
#include "run_metrics.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

void noteReplaced(const std::vector<Replacement>& replaced, const std::string& file) {
  if (replaced.empty()) return;
  note(fmt::format("rehearsing {} with the region's own places (the file stays as it is):", file));
  for (const Replacement& r : replaced) {
    note(fmt::format("  {}: {} -> {}", r.what, r.from.empty() ? "(none)" : r.from, r.to));
  }
}

Result<TrainingRun> launchThere(RunServices& services, PreparedLaunch launch, bool quiet,
                                const std::stop_token& stop) {
  ProgressBar bar(!quiet);
  const auto show = [&bar](const LaunchProgress& p) {
    bar.show(p.total > 0 ? std::optional(1.0 * p.done / p.total) : std::nullopt, toText(p));
  };
  return launchPrepared(services, std::move(launch), show, stop);
}

Result<void> reportLaunch(const TrainingRun& run, const AfterLaunch& options) {
  if (options.json) printJsonLine({{"type", "launched"}, {"run", toJson(run)}});
  note(fmt::format("run {} launched: job {}, {} job runs", run.id.value, run.jobId.value, run.nodes.size()));
  if (options.infoFile.empty()) return {};
  auto info = infoText(run);
  if (!info) return failure(std::move(info.error()));
  return writeFileAtomically(options.infoFile, *info);
}

int detached(const TrainingRun& run, bool json) {
  if (!json) printLine(run.id.value);
  note(fmt::format("it continues without this command; follow it with: lockstep watch {}", run.id.value));
  return kDone;
}

int cancelAfterTimeout(RunServices& services, const TrainingRun& run, const AfterLaunch& options,
                       const std::stop_token& stop) {
  note(fmt::format("run {} has not ended within {}: cancelling it", run.id.value, options.timeout));
  const auto ended = services.launcher()->cancel(run, stop);
  if (!ended) return failed(ended.error());
  note(fmt::format("run {} is {}", run.id.value, toString(stateOf(*ended))));
  return kNotWell;
}

int follow(RunServices& services, const TrainingRun& run, const AfterLaunch& options,
           const Interrupt& interrupt) {
  auto follower = services.follow(run);
  if (!follower) return failed(follower.error());
  FollowOptions following;
  following.json = options.json;
  following.progress = true;
  if (!options.timeout.empty()) following.limit = *parseDuration(options.timeout);
  FollowedNews news(options.telling);
  std::optional<DiagnosisReport> last;
  following.onLook = [&](const TrainingRun& now, const DiagnosisReport* report) {
    news.look(now, report);
    if (report != nullptr) last = *report;
  };
  const Followed followed = followRun(**follower, run, following, interrupt.token());
  follower->reset();  // what it still asks for ends before the run is cancelled
  if (last) keepFindings(followed.run, *last);
  switch (followed.end) {
    case FollowEnd::Interrupted:
      note(fmt::format(
          "stopped following; run {} continues. Follow it again with: lockstep watch {}; end it with: "
          "lockstep cancel {}",
          run.id.value, run.id.value, run.id.value));
      return kCancelled;
    case FollowEnd::TimedOut:
      return cancelAfterTimeout(services, followed.run, options, interrupt.token());
    default:
      news.finish();
      keepResults(followed.run, followed.metrics);
      return printSummary(followed.run, followed.metrics, options.json);
  }
}

}  // namespace

void noteIssues(const ClusterDocument& document, const LaunchTarget& target, const std::string& file) {
  std::vector<Issue> issues = document.issues();
  if (target.rehearsal) std::erase_if(issues, isUnfinished);
  noteText(issuesText(issues, file, true));
}

Result<PreparedLaunch> preparedHere(const ClusterDocument& document, const LaunchInput& input,
                                    const LaunchTarget& target) {
  return prepareLaunch(document, input, target);
}

Result<LaunchedRun> launchOn(const LaunchTarget& chosen, PreparedLaunch launch, const std::string& file,
                             bool quiet, const std::stop_token& stop) {
  if (auto is = readyToLaunch(launch, stop); !is) return failure(std::move(is.error()));
  const auto target = reachTarget(chosen, stop);
  if (!target) return failure(target.error());
  noteReplaced(moveToTarget(launch, *target), file);
  auto services = servicesFor(launch, *target, stop);
  if (!services) return failure(std::move(services.error()));
  auto run = launchThere(*services, std::move(launch), quiet, stop);
  if (!run) return failure(std::move(run.error()));
  return LaunchedRun{*std::move(services), *std::move(run)};
}

int reportAndFollow(LaunchedRun& launched, const AfterLaunch& options, const Interrupt& interrupt) {
  if (const auto reported = reportLaunch(launched.run, options); !reported) printError(reported.error());
  return options.detach ? detached(launched.run, options.json)
                        : follow(launched.services, launched.run, options, interrupt);
}

}  // namespace lockstep::cli
