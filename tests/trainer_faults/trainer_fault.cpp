// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/trainer_faults/trainer_fault.h"

#include <fmt/format.h>

#include <sstream>

namespace lockstep::testing {
namespace {

using Steady = std::chrono::steady_clock;

double secondsSince(Steady::time_point begin) {
  return std::chrono::duration<double>(Steady::now() - begin).count();
}

// "a|b": one of them is enough.
bool hasWord(const std::string& text, const std::string& word) {
  std::istringstream choices(word);
  for (std::string one; std::getline(choices, one, '|');) {
    if (text.find(one) != std::string::npos) return true;
  }
  return false;
}

// The last line with the first of the words, or else the last line.
std::string messageIn(const std::string& output, const std::vector<std::string>& words) {
  std::string last, found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    last = line;
    bool all = true;
    for (const std::string& word : words) all = all && hasWord(line, word);
    if (all) found = line;
  }
  return found.empty() ? last : found;
}

std::string missingWord(const std::string& message, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (!hasWord(message, word)) return word;
  }
  return {};
}

// All survivors end, each with its code and one message that says it all.
void evaluateEnds(FaultScene& scene, double limit, TrainerFaultOutcome& outcome) {
  for (const auto& [index, codes] : scene.exitCodes) {
    StartedProgram& rank = scene.ranks[index];
    const double left = limit - secondsSince(scene.since);
    const int code = rank.exitCode(std::chrono::seconds(std::max(1, static_cast<int>(left))));
    outcome.seconds = std::max(outcome.seconds, secondsSince(scene.since));
    outcome.exitCodes += fmt::format("{}{}", outcome.exitCodes.empty() ? "" : " ", code);
    const std::string output = rank.output();
    const std::string message = messageIn(output, scene.words);
    if (outcome.message.empty()) outcome.message = message;
    const std::string missing = missingWord(message, scene.words);
    if (code == -1)
      outcome.wrong += fmt::format("rank {} still runs; ", index);
    else if (!codes.contains(code))
      outcome.wrong += fmt::format("rank {} ended with {}; ", index, code);
    if (!missing.empty())
      outcome.wrong += fmt::format("rank {} does not say '{}': {}; ", index, missing, output);
  }
}

// One rank tells, and all go on until they are told to stop.
void evaluateGoingOn(FaultScene& scene, double limit, TrainerFaultOutcome& outcome) {
  StartedProgram& teller = scene.ranks[*scene.teller];
  const auto time = std::chrono::seconds(static_cast<int>(limit));
  if (!teller.waitUntilItSays(scene.words.front(), time)) {
    outcome.wrong = fmt::format("nobody says '{}': {}", scene.words.front(), teller.output());
    return;
  }
  outcome.seconds = secondsSince(scene.since);
  outcome.message = messageIn(teller.output(), scene.words);
  if (const std::string missing = missingWord(outcome.message, scene.words); !missing.empty())
    outcome.wrong = fmt::format("it does not say '{}': {}", missing, outcome.message);
  if (scene.until) scene.until();
  scene.until = nullptr;
  for (StartedProgram& rank : scene.ranks) rank.signal(SIGTERM);
  for (StartedProgram& rank : scene.ranks) {
    if (const int code = rank.exitCode(); code != 143)
      outcome.wrong += fmt::format("a rank ended with {}", code);
  }
  outcome.exitCodes = "goes on";
}

}  // namespace

const std::vector<TrainerFault>& trainerFaults() {
  static const std::vector<TrainerFault> all = [] {
    std::vector<TrainerFault> faults;
    addPeerFaults(faults);
    addNodeFaults(faults);
    addLocalFaults(faults);
    addJoiningFaults(faults);
    return faults;
  }();
  return all;
}

TrainerFaultOutcome play(const TrainerFault& fault) {
  TrainerFaultOutcome outcome;
  try {
    FaultStage stage;
    FaultScene scene = fault.break_(stage);
    outcome.cannot = scene.cannot;
    if (outcome.cannot.empty()) {
      if (scene.teller)
        evaluateGoingOn(scene, fault.limitSeconds, outcome);
      else
        evaluateEnds(scene, fault.limitSeconds, outcome);
    }
    if (scene.until) scene.until();
  } catch (const std::exception& error) {
    outcome.wrong = error.what();
  }
  return outcome;
}

std::string headerOfFaultTable() {
  return fmt::format("{:32} | {:13} | {:12} | {:>7} | {}\n", "fault", "transport", "exit codes", "seconds",
                     "message of one survivor");
}

std::string rowOf(const TrainerFault& fault, const TrainerFaultOutcome& outcome) {
  const std::string message = outcome.cannot.empty() ? outcome.message : "not played: " + outcome.cannot;
  std::string row = fmt::format("{:32} | {:13} | {:12} | {:7.1f} | {}\n", fault.name, fault.transport,
                                outcome.exitCodes, outcome.seconds, message);
  if (!outcome.wrong.empty()) row += fmt::format("    WRONG: {}\n", outcome.wrong);
  return row;
}

}  // namespace lockstep::testing
