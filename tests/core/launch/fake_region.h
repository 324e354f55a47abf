// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <httplib.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "oci/calls/service_client.h"

namespace lockstep {

/// Sleeps only a moment but believes that it slept the whole time, so that timeouts are tested without
/// waiting.
class FastClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override {
    return SystemClock().now() + std::chrono::nanoseconds(skipped_ + set_);
  }
  [[nodiscard]] SteadyPoint steady() const override {
    return SystemClock().steady() + std::chrono::nanoseconds(skipped_.load());
  }
  bool sleepFor(std::chrono::nanoseconds duration, const std::stop_token& stop) override {
    skipped_ += duration.count();
    return SystemClock().sleepFor(std::chrono::milliseconds(1), stop);
  }
  void skip(std::chrono::nanoseconds duration) { skipped_ += duration.count(); }
  /// Sets the calendar alone; no time passes.
  void stepCalendar(std::chrono::nanoseconds duration) { set_ += duration.count(); }

 private:
  std::atomic<std::int64_t> skipped_{0}, set_{0};
};

/// Just enough of Data Science and Object Storage on a loopback port, scripted by the test. Signatures are
/// not looked at.
class FakeRegion {
 public:
  struct Run {
    std::string id, jobId, name, state = "ACCEPTED", details, finished, retryToken;
    nlohmann::json nodeGroups = nullptr;  // null: no native multi-node job; in GetJobRun only
  };

  FakeRegion();
  ~FakeRegion();
  FakeRegion(const FakeRegion&) = delete;
  FakeRegion& operator=(const FakeRegion&) = delete;

  [[nodiscard]] std::shared_ptr<oci::ServiceClient> client(std::shared_ptr<Clock> clock,
                                                           int maxAttempts = 1) const;

  // The script. Set before the calls that it is about.
  int failCreateRunAt = -1;      // index of the CreateJobRun that is refused
  int loseAnswerOfRunAt = -1;    // created, but the connection breaks before the answer
  bool cancelEndsAtOnce = true;  // else it stays CANCELING
  int refuseCancelWith = 0;      // HTTP status of every CancelJobRun
  bool refuseLists = false;
  std::function<void(int)> onCreateRun;  // called with the index, before the answer

  // What happened; lock with `mutex`.
  std::mutex mutex;
  std::vector<Run> runs;
  std::vector<std::string> cancelled;         // ids, in order
  std::vector<nlohmann::json> createdBodies;  // job first
  std::vector<std::string> jobTokens;         // opc-retry-token of each CreateJob
  std::vector<std::string> deletedJobs;
  std::map<std::string, std::string> objects;  // "bucket/name"
  std::string jobId = "ocid1.datasciencejob.oc1.test.j1";

  Run& runNamed(const std::string& name);
  void setState(const std::string& name, const std::string& state, const std::string& details = {});

 private:
  void routes();
  void createRun(const httplib::Request& request, httplib::Response& response);
  void cancelRun(const std::string& id, httplib::Response& response);
  static nlohmann::json rowOf(const Run& run);

  httplib::Server server_;
  std::thread thread_;
  int port_ = 0;
};

}  // namespace lockstep
