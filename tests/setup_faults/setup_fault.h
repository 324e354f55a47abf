// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/setup_faults/setup_world.h"

namespace lockstep::testing {

/// One prerequisite, broken as users meet it.
struct SetupFault {
  std::string name;  // "bucket missing"
  std::string how;   // how it is broken: "DeleteBucket in the region"
  std::string step, code;
  std::string fix;  // id of the fix that fixes it; empty: nothing that Lockstep may do
  std::function<void(SetupWorld&)> seed;
  std::string world = "ready";                // "empty", "tls": see SetupWorld
  StepState after = StepState::Ready;         // of the step, when it is fixed
  std::function<void(SetupWorld&)> byUser{};  // what the user does where no fix does it; null: not played
  std::function<void(SetupWorld&)>
      asUser{};  // what the user changes besides the fix (e.g. names the file's new id)
};

/// One whose repair, where no fix does it, is the user's.
[[nodiscard]] inline SetupFault fault(std::string name, std::string how, std::string step, std::string code,
                                      std::string fix, std::function<void(SetupWorld&)> seed,
                                      std::function<void(SetupWorld&)> byUser = nullptr) {
  SetupFault made{std::move(name), std::move(how), std::move(step),
                  std::move(code), std::move(fix), std::move(seed)};
  made.byUser = std::move(byUser);
  return made;
}

/// All of them, by step.
[[nodiscard]] const std::vector<SetupFault>& setupFaults();

// Those of one part each; setup_faults.cpp puts them together.
void addBucketFaults(std::vector<SetupFault>& all);
void addProjectFaults(std::vector<SetupFault>& all);
void addRepositoryFaults(std::vector<SetupFault>& all);
void addLoggingFaults(std::vector<SetupFault>& all);
void addLimitsFaults(std::vector<SetupFault>& all);
void addProfileFaults(std::vector<SetupFault>& all);
void addMachineFaults(std::vector<SetupFault>& all);
void addEngineFaults(std::vector<SetupFault>& all);
void addNetworkFaults(std::vector<SetupFault>& all);
void addPolicyFaults(std::vector<SetupFault>& all);
void addHostFaults(std::vector<SetupFault>& all);
void addLoginFaults(std::vector<SetupFault>& all);
void addPlaceFaults(std::vector<SetupFault>& all);

/// Thrown by a seed where this machine lacks what it needs ("openssh-server is not installed").
struct NotPlayableHere : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What became of one.
struct SetupFaultOutcome {
  std::string text;       // what the user sees
  std::string after;      // "ready": the step's state when it is fixed; "-": not fixed by us
  std::string wrong;      // empty: found, named and fixed as it should be
  std::string fixedBy{};  // "open-ports, open-storage": the fixes, in their order
  std::string skipped{};  // why it cannot be played here
};
/// Plays it in a world of its own: seeds it, checks, fixes as `lockstep fix --yes` would, checks again, and
/// takes back what the fixes have done.
[[nodiscard]] SetupFaultOutcome play(const SetupFault& fault);
/// The table, for people; `outcomes` as the faults.
[[nodiscard]] std::string tableOf(const std::vector<SetupFault>& faults,
                                  const std::vector<SetupFaultOutcome>& outcomes);
/// Plays all, `workers` at a time.
[[nodiscard]] std::vector<SetupFaultOutcome> playAll(const std::vector<SetupFault>& faults, int workers);

}  // namespace lockstep::testing
