// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "fuzz_targets.h"
#include "health/health_text.h"

namespace lockstep {
namespace {

constexpr std::chrono::seconds kLater{60};

std::string checkRefusal(const Status& status) {
  if (status.code != StatusCode::DataLoss) return "refused with another code";
  return status.what.empty() || status.cause.empty() ? "refused without a word" : std::string();
}

bool isOneLine(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

std::string checkPulse(const Pulse& pulse) {
  for (std::size_t i = 0; i < pulse.ranks.size(); ++i) {
    const RankBeat& beat = pulse.ranks[i];
    if (i > 0 && !(pulse.ranks[i - 1].rank < beat.rank)) return "ranks out of order";
    if (beat.rank.value < 0 || beat.step < -1 || beat.collectives < 0 || beat.pid < 0)
      return "a number out of bounds";
    if (beat.since && *beat.since > pulse.time) return "somewhere since the future";
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

}  // namespace

std::string tryHealth(std::string_view input) {
  RunHealth health;
  const auto pulse = parsePulse(input);
  if (!pulse)
    if (std::string wrong = checkRefusal(pulse.error()); !wrong.empty()) return wrong;
  if (pulse) {
    if (std::string wrong = checkPulse(*pulse); !wrong.empty()) return wrong;
    health.pulse = *pulse;
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
  return checkFindings(health);
}

}  // namespace lockstep
