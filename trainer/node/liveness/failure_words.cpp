// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/liveness/failure_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "trainer/node/processes/memory_kills.h"

namespace lockstep::node {
namespace {

constexpr int kTrainerPeerLost = 12;  // lockstep-trainer's codes for "another rank was first"
constexpr int kTrainerTimedOut = 13;

}  // namespace

std::string failureText(const RankEnd& end, const std::string& node,
                        const std::optional<long long>& killsBefore) {
  constexpr std::size_t kLongestQuote = 300;
  std::string text = fmt::format("rank {} on {} {}", end.rank, node, describeEnd(end.exit, killsBefore));
  if (end.exit.signal == 0 && !end.lastLine.empty())
    text += fmt::format("; its last line: {}", end.lastLine.substr(0, kLongestQuote));
  return text;
}

std::string lossText(const NodeLoss& loss) {
  return fmt::format(
      "{} was lost while its ranks ran: no heartbeat for {} s, and at {}:{} nobody answers ({}); look "
      "whether its machine and its job run still live",
      loss.last.name, loss.silence.count(), loss.last.address, loss.last.port, loss.cause);
}

std::chrono::seconds reportDelayFor(const ProcessExit& exit) {
  if (exit.signal != 0) return std::chrono::seconds(0);
  const bool consequence = exit.exitCode == kTrainerPeerLost || exit.exitCode == kTrainerTimedOut;
  // Long enough for a node to be found lost (NodeLiveness::expedite).
  return std::chrono::seconds(consequence ? 12 : 5);
}

bool wouldFailAgain(const ProcessExit& exit) {
  constexpr int kHopeless[] = {2, 11, 16, 17, 18, 21, 22};
  return exit.signal == 0 &&
         std::find(std::begin(kHopeless), std::end(kHopeless), exit.exitCode) != std::end(kHopeless);
}

}  // namespace lockstep::node
