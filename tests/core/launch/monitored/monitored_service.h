// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/time_text.h"
#include "fake_clock.h"
#include "loopback_server.h"
#include "runs/training_run.h"
#include "tests/core/oci/oci_test_support.h"

namespace lockstep {

/// Monitoring on a loopback port: answers queries of whole minutes with values that the test has set.
class MonitoredService {
 public:
  using Handler = LoopbackServer::Handler;
  MonitoredService() : server_([this](const auto& request, auto& response) { serve(request, response); }) {}

  [[nodiscard]] const LoopbackServer& http() const { return server_; }
  void set(const std::string& jobRun, const std::string& name, TimePoint minute, double value) {
    const std::lock_guard lock(mutex_);
    values_[name][jobRun][minute] = value;
  }
  /// Answers instead, while there is one.
  void setHandler(Handler handler) {
    const std::lock_guard lock(mutex_);
    handler_ = std::move(handler);
  }
  /// The queries so far.
  [[nodiscard]] std::vector<std::string> queries() const {
    std::vector<std::string> queries;
    for (const httplib::Request& request : server_.seen())
      queries.push_back(nlohmann::json::parse(request.body).at("query"));
    return queries;
  }

 private:
  void serve(const httplib::Request& request, httplib::Response& response) {
    Handler handler;
    {
      const std::lock_guard lock(mutex_);
      handler = handler_;
    }
    if (handler) return handler(request, response);
    const auto body = nlohmann::json::parse(request.body);
    const std::string query = body.at("query"), name = query.substr(0, query.find('['));
    const TimePoint begin = *parseRfc3339(body.at("startTime").get<std::string>());
    const TimePoint end = *parseRfc3339(body.at("endTime").get<std::string>());
    nlohmann::json answer = nlohmann::json::array();
    const std::lock_guard lock(mutex_);
    for (const auto& [jobRun, points] : values_[name]) {
      const bool isAsked = query.find("{") == std::string::npos || query.find(jobRun) != std::string::npos;
      if (!isAsked) continue;
      nlohmann::json list = nlohmann::json::array();
      for (const auto& [time, value] : points)
        if (time >= begin && time < end) list.push_back({{"timestamp", toRfc3339(time)}, {"value", value}});
      if (list.empty()) continue;
      answer.push_back({{"namespace", "oci_datascience_jobrun"},
                        {"compartmentId", "c"},
                        {"name", name},
                        {"dimensions", {{"resourceId", jobRun}}},
                        {"metadata", nlohmann::json::object()},
                        {"aggregatedDatapoints", list}});
    }
    response.set_content(answer.dump(), "application/json");
  }

  std::mutex mutex_;
  Handler handler_;
  std::map<std::string, std::map<std::string, std::map<TimePoint, double>>> values_;
  LoopbackServer server_;  // last: it serves as soon as it is there
};

/// A run of so many nodes that began then.
inline TrainingRun monitoredRun(int nodes, TimePoint begin) {
  TrainingRun run;
  run.id = RunId("r");
  run.compartmentId = "ocid1.compartment.oc1..c";
  run.created = begin;
  run.launchComplete = true;
  for (int i = 0; i < nodes; ++i) {
    NodeRun node;
    node.id = JobRunId("ocid1.datasciencejobrun.oc1.iad.node" + std::to_string(i));
    node.nodeRank = i;
    node.role = i == 0 ? NodeRole::Main : NodeRole::Worker;
    node.state = JobRunState::InProgress;
    node.started = begin;
    run.nodes.push_back(node);
  }
  return run;
}

}  // namespace lockstep
