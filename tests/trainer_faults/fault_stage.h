// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "temp_dir.h"
#include "tests/trainer/started_program.h"

namespace lockstep::testing {

using Words = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

/// A folder with a small data set, a port, and ranks of a job on loopback.
class FaultStage {
 public:
  FaultStage();
  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return dir_.path() / name; }
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] Variables placeOf(int rank, int world) const;
  /// A rank that trains for ever, unless `more` says otherwise. `prefix`: what runs before it on the command
  /// line; `variables` go over its place in the job.
  StartedProgram start(int rank, int world, const Words& more = {}, const Variables& variables = {},
                       const Words& prefix = {});
  std::vector<StartedProgram> startAll(int world, const Words& more = {});
  /// The same, after every rank has printed a loss. Throws when one does not.
  std::vector<StartedProgram> training(int world, const Words& more = {});
  static void awaitTraining(StartedProgram& rank);
  /// Any program on this stage.
  StartedProgram startProgram(const std::string& name, const Words& command, const Variables& variables);

 private:
  TempDir dir_;
  int port_;
  int started_ = 0;
};

/// "--no-shared-memory" for gloo.
[[nodiscard]] Words transportArguments(const std::string& transport, Words more = {});
/// A shell prefix that gives the program a disk of its own at `folder`, of that many KiB; empty where the
/// machine does not let us.
[[nodiscard]] Words smallDiskPrefix(const std::filesystem::path& folder, int kibibytes);

}  // namespace lockstep::testing
