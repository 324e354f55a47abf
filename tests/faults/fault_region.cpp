// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/fault_region.h"

#include <httplib.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "base/atomic_file.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

// Empty when it is gone: a process may end while it is looked at, and a stream would throw then.
std::string contentOf(const std::filesystem::path& path) {
  return readFile(path).value_or("");
}

std::vector<std::string> withGrace(std::vector<std::string> options) {
  options.insert(options.end(), {"--grace-ms", "500", "--isolate", "off"});
  return options;
}

json listed(const TestCaller& caller, const std::string& target) {
  const TestReply reply = caller.get(target);
  if (reply.status != 200 || !reply.json().is_array())
    throw std::runtime_error("the region refuses " + target + ": " + std::to_string(reply.status) + " " +
                             reply.body);
  return reply.json();
}

}  // namespace

FaultRegion::FaultRegion(const std::string& script, std::vector<std::string> options)
    : region_(script, withGrace(std::move(options))) {}

json FaultRegion::admin(const std::string& method, const std::string& body) const {
  httplib::Client client("127.0.0.1", region_.port());
  client.set_read_timeout(60);
  httplib::Request request;
  request.method = method;
  request.path = "/rehearsal/faults";
  request.body = body;
  request.set_header("Authorization", "Bearer " + contentOf(region_.stateFolder() / "admin.token"));
  if (!body.empty()) request.set_header("Content-Type", "application/json");
  const auto answer = client.send(request);
  if (!answer || answer->status != 200)
    throw std::runtime_error("the region refuses " + method + " of faults " + body + ": " +
                             (answer ? answer->body : "no answer"));
  return json::parse(answer->body);
}

void FaultRegion::setFaults(const json& plan) {
  admin("PUT", plan.dump());
}

int FaultRegion::strikes() const {
  const json all = admin("GET", {}).at("strikes");
  return std::accumulate(all.begin(), all.end(), 0,
                         [](int sum, const json& count) { return sum + count.get<int>(); });
}

std::vector<std::string> FaultRegion::jobsNamed(const std::string& name) const {
  std::vector<std::string> ids;
  const json list =
      listed(region_.caller(), "/20190101/jobs?limit=100&compartmentId=" + region_.place("compartmentId") +
                                   "&displayName=" + name);
  for (const json& job : list)
    if (job.value("lifecycleState", "") != "DELETED" && job.value("displayName", "") == name)
      ids.push_back(job["id"]);
  return ids;
}

std::vector<FaultRegion::JobRun> FaultRegion::runsOf(const std::string& jobId) const {
  std::vector<JobRun> runs;
  const json list =
      listed(region_.caller(), "/20190101/jobRuns?limit=100&compartmentId=" + region_.place("compartmentId") +
                                   "&jobId=" + jobId);
  for (const json& run : list)
    if (run.value("lifecycleState", "") != "DELETED")
      runs.push_back({run["id"], run["displayName"], run["lifecycleState"], run["lifecycleDetails"]});
  return runs;
}

std::map<std::string, std::string> FaultRegion::linesOf(const std::string& runId) const {
  std::map<std::string, std::string> lines;
  for (const json& record : region_.logOf(runId))
    lines[record["logContent"]["id"]] = record["logContent"]["data"]["message"];
  return lines;
}

std::optional<std::string> FaultRegion::object(const std::string& name) const {
  const auto reply = region_.caller().get("/n/" + region_.info()["namespace"].get<std::string>() + "/b/" +
                                          region_.info()["bucket"].get<std::string>() + "/o/" + name);
  if (reply.status != 200) return std::nullopt;
  return reply.body;
}

std::vector<int> FaultRegion::processesOf(const std::string& runId) {
  std::vector<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string key = runId.substr(runId.rfind('.') + 1);  // as the folders of job runs are named
    if (contentOf(entry.path() / "environ").find(key) != std::string::npos ||
        contentOf(entry.path() / "cmdline").find(key) != std::string::npos)
      found.push_back(std::stoi(name));
  }
  return found;
}

}  // namespace lockstep::testing
