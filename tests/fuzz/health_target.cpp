// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "diagnosis/muted_findings.h"
#include "fuzz_targets.h"
#include "health/health_text.h"
#include "health/stack_report.h"

namespace lockstep {
namespace {

constexpr std::chrono::seconds kLater{60};

std::string checkRefusal(const Error& error) {
  if (error.code != ErrorCode::DataLoss) return "refused with another code";
  return error.what.empty() || error.cause.empty() ? "refused without a word" : std::string();
}

bool isOneLine(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

std::string checkHeartbeat(const Heartbeat& heartbeat) {
  for (std::size_t i = 0; i < heartbeat.ranks.size(); ++i) {
    const RankHeartbeat& beat = heartbeat.ranks[i];
    if (i > 0 && !(heartbeat.ranks[i - 1].rank < beat.rank)) return "ranks out of order";
    if (beat.rank.value < 0 || beat.step < -1 || beat.collectives < 0 || beat.pid < 0)
      return "a number out of bounds";
    if (beat.since && *beat.since > heartbeat.time) return "somewhere since the future";
  }
  return {};
}

std::string checkFindings(const RunHealth& health) {
  const SteadyPoint now = health.heard + kLater;
  for (const RunStage stage : {RunStage::Running, RunStage::Failed, RunStage::Over})
    for (const HealthFinding& finding : findingsIn(health, stage, now)) {
      if (finding.code.empty() || finding.what.empty()) return "a finding without a word";
      if (!isOneLine(oneLineOf(finding))) return "a finding of several lines";
    }
  return {};
}

std::string checkMuted(std::string_view input) {
  const auto muted = MutedFindings::parse(input);
  if (!muted) return checkRefusal(muted.error());
  const auto again = MutedFindings::parse(muted->text());
  return again && again->text() == muted->text() ? std::string()
                                                 : "muted findings that are others once written";
}

}  // namespace

std::string tryHealth(std::string_view input) {
  if (std::string wrong = checkMuted(input); !wrong.empty()) return wrong;
  RunHealth health;
  const auto heartbeat = parseHeartbeat(input);
  if (!heartbeat)
    if (std::string wrong = checkRefusal(heartbeat.error()); !wrong.empty()) return wrong;
  if (heartbeat) {
    if (std::string wrong = checkHeartbeat(*heartbeat); !wrong.empty()) return wrong;
    health.heartbeat = *heartbeat;
  }
  // Several documents, one after another with a NUL between them, are several nodes.
  for (std::size_t begin = 0; begin <= input.size();) {
    const std::size_t end = std::min(input.find('\0', begin), input.size());
    const auto found = parseNodeFindings(input.substr(begin, end - begin));
    if (!found)
      if (std::string wrong = checkRefusal(found.error()); !wrong.empty()) return wrong;
    if (found) health.nodes.push_back(*found);
    begin = end + 1;
  }
  if (const auto stacks = parseStackReport(input)) {
    const auto again = parseStackReport(toJsonText(*stacks));
    if (!again || again->processes.size() != stacks->processes.size()) return "stacks that do not come back";
  }
  if (const auto request = parseStackRequest(input)) {
    const auto again = parseStackRequest(toJsonText(*request));
    if (!again || *again != *request) return "a request for stacks that does not come back";
  }
  return checkFindings(health);
}

}  // namespace lockstep
