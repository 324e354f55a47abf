// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/child_process.h"
#include "tests/durability/canary_hunt.h"
#include "tests/faults/fault_region.h"

namespace lockstep::testing {

inline constexpr const char* kCanaryProfile = "CANARY";
inline constexpr const char* kPassPhrase = "canary-pass-phrase-4711";
inline constexpr const char* kJobSecret = "canary-value-of-the-job-0815";

/// How a program ended, and what it printed on both streams.
struct Said {
  int exitCode = -1;
  std::string text;
};

/// A person's machine with a region, and the hunt for the secrets of both. Everything is looked at when the
/// test ends.
class CanaryHome : public ::testing::Test {
 protected:
  CanaryHome();
  void TearDown() override;

  /// Runs a program of ours to its end and keeps what it printed; processes and job runs are looked at
  /// meanwhile. `secretOutput`: it was asked for a secret, so its output is not kept.
  Said run(std::vector<std::string> command, const std::map<std::string, std::string>& variables = {},
           bool secretOutput = false);
  /// Runs what ends by itself only when it fails, until `done`.
  Said runUntil(std::vector<std::string> command, const std::map<std::string, std::string>& variables,
                const std::function<bool()>& done);
  /// `lockstep` with the canary profile.
  Said cli(std::vector<std::string> arguments, const std::map<std::string, std::string>& variables = {});
  [[nodiscard]] std::vector<std::string> cliCommand(std::vector<std::string> arguments) const;

  /// Writes a config file with these lines as its only profile, and the region's endpoint.
  void writeConfig(const std::string& lines);
  /// With a key that the canary pass phrase opens; `more` lines, pass_phrase perhaps.
  void useEncryptedKey(const std::string& more);
  /// With a session of so many minutes, whose token and key become canaries.
  void useSession(int minutes);
  /// A train.yaml for the region, with a secret in its environment.
  [[nodiscard]] std::string writeTrainYaml();

  [[nodiscard]] std::filesystem::path state() const { return region.region().stateFolder(); }
  [[nodiscard]] std::string endpoint() const { return region.region().info()["endpoint"]; }
  /// A value of the region's own profile.
  [[nodiscard]] std::string ofProfile(const std::string& name) const;

  TempDir temp;  // of the person
  FaultRegion region;
  CanaryHunt hunt;

 private:
  [[nodiscard]] ChildProcess start(const std::vector<std::string>& command,
                                   const std::map<std::string, std::string>& variables,
                                   const std::filesystem::path& output) const;
  /// A new file for what the next program prints.
  [[nodiscard]] std::filesystem::path nextOutput();
  /// Looks around until the process has ended, or `done`; nothing when it has not ended.
  std::optional<ProcessExit> watch(ChildProcess& process, const std::function<bool()>& done);
  int outputs_ = 0;
};

}  // namespace lockstep::testing
