// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/fault_region.h"

#include <httplib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "base/atomic_file.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Empty when it is gone: a process may end while it is looked at, and a stream would throw then.
std::string contentOf(const fs::path& path) {
  return readFile(path).value_or("");
}

std::vector<std::string> withGrace(std::vector<std::string> options) {
  options.insert(options.end(), {"--grace-ms", "500"});
  if (std::find(options.begin(), options.end(), "--isolate") == options.end())
    options.insert(options.end(), {"--isolate", "off"});
  return options;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<int> processesThat(const std::function<bool(const fs::path&)>& matches) {
  std::vector<int> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (std::stoi(name) != ::getpid() && matches(entry.path())) found.push_back(std::stoi(name));
  }
  return found;
}

json listed(const TestCaller& caller, const std::string& target) {
  const TestResponse response = caller.get(target);
  if (response.status != 200 || !response.json().is_array())
    throw std::runtime_error("the region refuses " + target + ": " + std::to_string(response.status) + " " +
                             response.body);
  return response.json();
}

}  // namespace

FaultRegion::FaultRegion(const std::string& script, std::vector<std::string> options)
    : region_(script, withGrace(std::move(options))) {}

json FaultRegion::admin(const std::string& method, const std::string& path, const json& body) const {
  httplib::Client client("127.0.0.1", region_.port());
  client.set_read_timeout(120);
  httplib::Request request;
  request.method = method;
  request.path = path;
  if (!body.is_null()) request.body = body.dump();
  request.set_header("Authorization", "Bearer " + contentOf(region_.stateFolder() / "admin.token"));
  if (!body.is_null()) request.set_header("Content-Type", "application/json");
  const auto answer = client.send(request);
  if (!answer || answer->status != 200)
    throw std::runtime_error("the region refuses " + method + " " + path + " " + request.body + ": " +
                             (answer ? answer->body : "no answer"));
  return json::parse(answer->body);
}

void FaultRegion::setFaults(const json& plan) {
  admin("PUT", "/rehearsal/faults", plan);
}

int FaultRegion::strikes() const {
  const json all = admin("GET", "/rehearsal/faults").at("strikes");
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
  const std::string key = runId.substr(runId.rfind('.') + 1);  // as the folders of job runs are named
  return processesThat([&](const fs::path& process) {
    return has(contentOf(process / "environ"), key) || has(contentOf(process / "cmdline"), key);
  });
}

std::vector<int> FaultRegion::processesAround(const fs::path& folder) {
  const std::string text = folder.string();
  return processesThat([&](const fs::path& process) {
    std::error_code ec;
    if (has(contentOf(process / "environ"), text) || has(contentOf(process / "cmdline"), text) ||
        has(fs::read_symlink(process / "cwd", ec).string(), text))
      return true;
    for (const auto& file : fs::directory_iterator(process / "fd", ec))
      if (has(fs::read_symlink(file.path(), ec).string(), text)) return true;
    return false;
  });
}

bool FaultRegion::isFrozen(const std::string& runId) {
  for (const int pid : processesOf(runId)) {
    const std::string text = contentOf("/proc/" + std::to_string(pid) + "/stat");
    const auto end = text.rfind(')');  // of the name, which may hold anything
    if (end != std::string::npos && text.substr(end + 1, 3) == " T ") return true;
  }
  return false;
}

}  // namespace lockstep::testing
