// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <set>

#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {

/// A region whose faults a test sets, and what it holds in truth: asked with a signer of its own, while no
/// fault is set.
class FaultRegion {
 public:
  /// `provisioning` and grace of its job runs are short, and nothing is isolated unless `options` say so.
  explicit FaultRegion(const std::string& entrypointScript, std::vector<std::string> options = {});

  /// The answer of an admin call; `body` may be null. Throws when the region refuses it.
  nlohmann::json admin(const std::string& method, const std::string& path,
                       const nlohmann::json& body = {}) const;
  /// Throws when the region refuses the plan.
  void setFaults(const nlohmann::json& plan);
  void clearFaults() { setFaults({{"faults", nlohmann::json::array()}}); }
  /// Of all faults of the plan together.
  [[nodiscard]] int strikes() const;

  struct JobRun {
    std::string id, name, state, details;
  };
  [[nodiscard]] std::vector<std::string> jobsNamed(const std::string& name) const;  // not deleted
  [[nodiscard]] std::vector<JobRun> runsOf(const std::string& jobId) const;         // not deleted
  /// Of one job run, by record id.
  [[nodiscard]] std::map<std::string, std::string> linesOf(const std::string& runId) const;
  /// Bytes of an object; nullopt: there is none.
  [[nodiscard]] std::optional<std::string> object(const std::string& name) const;
  /// Processes whose environment or arguments name the job run.
  [[nodiscard]] static std::vector<int> processesOf(const std::string& runId);
  /// Whether one of them was stopped and stands still.
  [[nodiscard]] static bool isFrozen(const std::string& runId);
  /// Processes whose arguments, environment, working folder or open files name something below the folder.
  [[nodiscard]] static std::vector<int> processesAround(const std::filesystem::path& folder);

  [[nodiscard]] RegionUnderTest& region() { return region_; }
  [[nodiscard]] const RegionUnderTest& region() const { return region_; }

 private:
  RegionUnderTest region_;
};

}  // namespace lockstep::testing
