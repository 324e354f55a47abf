// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/story_parts.h"

#include <algorithm>

namespace lockstep::testing {

const std::vector<StoryStep>& storySteps() {
  static const std::vector<StoryStep> steps{
      {"create job", "CreateJob"},     {"create runs", "CreateJobRun"}, {"poll", "ListJobRuns"},
      {"get run", "GetJobRun"},        {"read log", "SearchLogs"},      {"put object", "PutObject"},
      {"list objects", "ListObjects"}, {"get object", "GetObject"},     {"metrics", "[GL]*Object*"},
      {"cancel", "CancelJobRun"},      {"wait", "ListJobRuns"},         {"delete", "DeleteJob"}};
  return steps;
}

LaunchRequest storyRequest(const FaultRegion& region, const std::string& name) {
  const RegionUnderTest& r = region.region();
  LaunchRequest request;
  request.name = name;
  request.plan.workDir = r.place("workDir") + "/" + name;
  nlohmann::ordered_json job = r.jobBody();
  job["displayName"] = name;
  request.plan.requests.push_back({"CreateJob", job});
  for (const std::string& node : kStoryNodes) {
    nlohmann::ordered_json run = r.runBody("${job}", {{"STORY_NODE", node}});
    run["displayName"] = node;
    const int rank = static_cast<int>(request.plan.nodes.size());
    request.plan.nodes.push_back({rank == 0 ? NodeRole::Main : NodeRole::Worker, node, rank});
    request.plan.requests.push_back({"CreateJobRun", run});
  }
  return request;
}

std::string lackOf(const Error& error) {
  std::string lack;
  const auto need = [&lack](bool there, const char* what) {
    if (!there) lack += std::string(lack.empty() ? "" : ", ") + what;
  };
  need(error.service.has_value() && !error.service->service.empty(), "the service");
  need(error.service.has_value() && !error.service->operation.empty(), "the operation");
  need(!error.cause.empty(), "the cause");
  need(!error.remedy.empty(), "the way out");
  return lack;
}

std::string oneLine(const Error& error) {
  std::string text = describe(error);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

bool hasEnded(const FaultRegion::JobRun& run) {
  return run.state == "CANCELED" || run.state == "FAILED" || run.state == "SUCCEEDED";
}

bool allRunsEnd(const FaultRegion& region, const std::string& jobName, const std::string& spared) {
  return eventually([&] {
    for (const std::string& job : region.jobsNamed(jobName)) {
      if (job == spared) continue;
      const auto runs = region.runsOf(job);
      if (!std::all_of(runs.begin(), runs.end(), hasEnded)) return false;
    }
    return true;
  });
}

bool allProcessesEnd(const std::string& runId) {
  return eventually([&] { return FaultRegion::processesOf(runId).empty(); });
}

std::vector<std::string> lostObjects(const FaultRegion& region, const std::string& folder,
                                     const std::map<std::string, std::string>& acknowledged) {
  const std::string dir = region.region().place("workDir");
  const auto slash = dir.find('/', std::string("oci://").size());
  const std::string prefix = slash == std::string::npos ? "" : dir.substr(slash + 1) + "/";
  std::vector<std::string> lost;
  for (const auto& [name, bytes] : acknowledged)
    if (region.object(prefix + folder + "/" + name) != bytes) lost.push_back(name);
  return lost;
}

}  // namespace lockstep::testing
