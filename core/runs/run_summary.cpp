// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_summary.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using nlohmann::json;

NodeTime nodeTimeOf(const TrainingRun& run) {
  NodeTime time;
  double since = 0;  // the sum, in seconds after the run's beginning: fits whatever the calendar says
  for (const NodeRun& node : run.nodes) {
    if (!node.started) continue;
    const auto count = std::max(node.nodes, 1);
    if (isTerminal(node.state)) {
      const auto end = node.finished.value_or(run.finished.value_or(*node.started));
      time.ended += std::max(end - *node.started, TimePoint::duration::zero()) * count;
    } else {
      time.live += count;
      since += count * std::chrono::duration<double>(*node.started - run.created).count();
    }
  }
  if (time.live > 0)
    time.liveSince = run.created + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                       std::chrono::duration<double>(since / time.live));
  return time;
}

json numberOrNull(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? json(*value) : json(nullptr);
}

}  // namespace

std::chrono::nanoseconds NodeTime::until(TimePoint now) const {
  if (live == 0) return ended;
  return ended + std::max(now - liveSince, TimePoint::duration::zero()) * live;
}

RunSummary summaryOf(const TrainingRun& run) {
  RunSummary summary;
  summary.id = run.id;
  summary.name = run.name;
  summary.backend = run.backend;
  summary.profile = run.profile;
  summary.configFile = run.configFile;
  summary.image = run.image;
  summary.workDir = run.workDir;
  summary.failure = run.failure;
  summary.jobId = run.jobId;
  summary.state = stateOf(run);
  summary.created = run.created;
  summary.finished = run.finished;
  summary.jobRuns = static_cast<int>(run.nodes.size());
  for (const NodeRun& node : run.nodes) summary.nodes += std::max(node.nodes, 1);
  summary.nodeTime = nodeTimeOf(run);
  summary.cancelRequested = run.cancelRequested;
  summary.hasText = !run.trainYaml.empty();
  summary.commit = run.code.commit;
  summary.isDirty = run.code.isDirty;
  return summary;
}

RunSummary withNewState(RunSummary older, const TrainingRun& run) {
  RunSummary newer = summaryOf(run);
  newer.marks = std::move(older.marks);
  newer.results = std::move(older.results);
  newer.isPriced = older.isPriced;
  newer.perHour = older.perHour;
  newer.currency = std::move(older.currency);
  newer.findings = std::move(older.findings);
  return newer;
}

const RunResult* resultNamed(const std::vector<RunResult>& results, std::string_view metric) {
  const auto at = std::lower_bound(results.begin(), results.end(), metric,
                                   [](const RunResult& r, std::string_view name) { return r.metric < name; });
  return at == results.end() || at->metric != metric ? nullptr : &*at;
}

std::chrono::nanoseconds elapsedOf(const RunSummary& run, TimePoint now) {
  return std::max(run.finished.value_or(now) - run.created, TimePoint::duration::zero());
}

json toJson(const RunMarks& marks) {
  return {{"tags", marks.tags},
          {"note", marks.note},
          {"group", marks.group},
          {"pinned", marks.isPinned},
          {"archived", marks.isArchived}};
}

json toJson(const std::vector<RunResult>& results) {
  json document = json::object();
  for (const RunResult& result : results) {
    document[result.metric] = {{"last", numberOrNull(result.last)},
                               {"lastStep", result.lastStep},
                               {"best", numberOrNull(result.best)},
                               {"mean", numberOrNull(result.mean)},
                               {"error", numberOrNull(result.error)}};
    if (result.best) document[result.metric]["bestStep"] = result.bestStep;
  }
  return document;
}

json toJson(const std::optional<RunFindings>& findings) {
  if (!findings) return nullptr;
  return {{"count", findings->count},
          {"worst", findings->worst.empty() ? json(nullptr) : json(findings->worst)},
          {"kinds", findings->kinds}};
}

}  // namespace lockstep
