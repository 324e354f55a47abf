// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/trainer_faults/fault_stage.h"

namespace lockstep::testing {

/// What a fault has left behind: processes, and what they are to say and do about it.
struct FaultScene {
  std::vector<StartedProgram> ranks;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();  // when it broke
  std::map<std::size_t, std::set<int>> exitCodes;  // by place in `ranks`: of each survivor, one of these
  std::vector<std::string> words;                  // each survivor's message has all of them
  std::optional<std::size_t> teller;               // the fault is survived: this rank tells, and all go on
  std::function<void()> until = {};                // ends the fault's own doings
  std::string cannot;                              // why this machine cannot play it; empty: it can
};

/// One way in which a training breaks.
struct TrainerFault {
  std::string name;       // "rank killed"
  std::string transport;  // "shared memory", "gloo", or "-" where there is none yet
  std::string how;
  double limitSeconds = 30;  // until every survivor has said so; generous, because tests share machines
  std::function<FaultScene(FaultStage&)> break_;
  bool isQuick = true;  // played by the test unless all are asked for
};

[[nodiscard]] const std::vector<TrainerFault>& trainerFaults();

// Those of one part each; trainer_fault.cpp puts them together.
void addPeerFaults(std::vector<TrainerFault>& all);
void addNodeFaults(std::vector<TrainerFault>& all);
void addJoiningFaults(std::vector<TrainerFault>& all);
void addLocalFaults(std::vector<TrainerFault>& all);

/// What became of one.
struct TrainerFaultOutcome {
  std::string exitCodes;  // "12 12"; "goes on"
  double seconds = 0;     // from the fault to the last survivor's word
  std::string message;    // of one survivor
  std::string wrong;      // empty: as it should be
  std::string cannot;     // not played here, and why
};
[[nodiscard]] TrainerFaultOutcome play(const TrainerFault& fault);
/// One row of the table, for people; the first line is the header.
[[nodiscard]] std::string headerOfFaultTable();
[[nodiscard]] std::string rowOf(const TrainerFault& fault, const TrainerFaultOutcome& outcome);

}  // namespace lockstep::testing
