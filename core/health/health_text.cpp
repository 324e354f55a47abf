// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/health_text.h"

#include <fmt/format.h>

#include "health/health_advice.h"

namespace lockstep {
namespace {

std::string placeOf(const ReachLink& link) {
  if (link.address.empty()) return {};
  return link.port > 0 ? fmt::format(" at {}:{}", link.address, link.port) : " at " + link.address;
}

/// The text with the names in the place of "%1" and "%2". What stands in a name stays as it is.
std::string withNames(std::string_view text, const std::string& first, const std::string& second) {
  std::string filled;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool isPlace =
        text[at] == '%' && at + 1 < text.size() && (text[at + 1] == '1' || text[at + 1] == '2');
    if (isPlace)
      filled += text[++at] == '1' ? first : second;
    else
      filled += text[at];
  }
  return filled;
}

HealthFinding silentNode(const ReachNode& node) {
  return {"node-silent", fmt::format("node-silent {}", node.node),
          fmt::format("{} took no part in the test of the network", labelOf(node)),
          "it runs another agent than lockstep-node, or came too late",
          "look at its log if it does not train"};
}

}  // namespace

std::string describe(const RankHeartbeat& beat) {
  const std::string word = beat.word.empty() ? "doing something unknown" : beat.word;
  if (beat.phase == RankPhase::Waiting) return fmt::format("{} in collective {}", word, beat.collectives);
  return beat.step < 0 ? word : fmt::format("{} at step {}", word, beat.step);
}

std::string whoIs(const RankHeartbeat& beat) {
  std::string more = beat.host.empty() ? "" : "host " + beat.host;
  if (beat.pid > 0) more += fmt::format("{}pid {}", more.empty() ? "" : ", ", beat.pid);
  return fmt::format("rank {}{}", beat.rank.value, more.empty() ? "" : " (" + more + ")");
}

std::string lastingText(std::chrono::nanoseconds lasting) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(lasting).count();
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

std::string labelOf(const ReachNode& node) {
  return node.name.empty() ? fmt::format("node {}", node.node) : node.name;
}

HealthFinding findingOf(const Stall& stall) {
  const std::string who = whoIs(stall.beat);
  const std::string lasting = lastingText(stall.lasting);
  const HealthAdvice advice = adviceFor(stall);
  switch (stall.kind) {
    case Stall::Kind::NoHeartbeat:
      return {"no-heartbeat", "no-heartbeat", fmt::format("{} has sent no heartbeat for {}", who, lasting),
              advice.cause, advice.remedy};
    case Stall::Kind::NobodyBehind:
      return {"nobody-behind", "nobody-behind",
              fmt::format("all {} ranks have been in collective {} for {}, and none is behind", stall.waiting,
                          stall.collective, lasting),
              advice.cause, advice.remedy};
    case Stall::Kind::RankBehind:
      break;
  }
  return {"rank-behind", fmt::format("rank-behind {}", stall.beat.rank.value),
          fmt::format("{} keeps {} rank{} waiting in collective {}: {} for {}", who, stall.waiting,
                      stall.waiting == 1 ? "" : "s", stall.collective, describe(stall.beat), lasting),
          advice.cause, advice.remedy};
}

HealthFinding findingOf(const ReachMatrix& matrix, const ReachMatrix::Gap& gap) {
  const ReachNode& from = matrix.nodes()[gap.from];
  const ReachNode& to = matrix.nodes()[gap.to];
  const HealthAdvice advice = adviceFor(gap.state);
  HealthFinding finding{"node-unreachable",
                        fmt::format("node-unreachable {} {} {}", from.node, to.node, gap.link.port),
                        fmt::format("{} cannot reach {}{}", labelOf(from), labelOf(to), placeOf(gap.link)),
                        gap.link.cause.empty() ? "no connection" : gap.link.cause,
                        withNames(advice.remedy, labelOf(to), labelOf(from))};
  if (*advice.cause != '\0') finding.cause += "; " + withNames(advice.cause, labelOf(to), labelOf(from));
  return finding;
}

std::vector<HealthFinding> findingsIn(const RunHealth& health, RunStage stage, SteadyPoint now) {
  std::vector<HealthFinding> found;
  if (stage == RunStage::Running)
    for (const Stall& stall : findStalls(health, now)) found.push_back(findingOf(stall));
  if (stage == RunStage::Failed)
    for (const Stall& stall : findStallsAtEnd(health)) {
      found.push_back(findingOf(stall));
      found.back().what = "when the run failed: " + found.back().what;
    }
  const ReachMatrix matrix(health.nodes);
  for (const ReachMatrix::Gap& gap : matrix.gaps()) found.push_back(findingOf(matrix, gap));
  for (const ReachNode& node : matrix.nodes())
    if (!node.tookPart) found.push_back(silentNode(node));
  for (const Error& trouble : health.unreadable)
    found.push_back(
        {"unreadable", "unreadable " + trouble.what, trouble.what, trouble.cause, trouble.remedy});
  return found;
}

std::string oneLineOf(const HealthFinding& finding) {
  std::string line = finding.what;
  if (!finding.cause.empty()) line += ": " + finding.cause;
  if (!finding.remedy.empty()) line += "; " + finding.remedy;
  return line;
}

}  // namespace lockstep
