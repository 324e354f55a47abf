// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/pulse.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/bounds.h"
#include "base/outside_json.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

constexpr auto kLargest = std::numeric_limits<std::int64_t>::max() / 4;

constexpr std::array<std::pair<std::string_view, RankPhase>, 13> kWords{{
    {"starting", RankPhase::Starting},
    {"joining", RankPhase::Joining},
    {"loading data", RankPhase::LoadingData},
    {"building the network", RankPhase::Preparing},
    {"data", RankPhase::Data},
    {"host to device", RankPhase::HostToDevice},
    {"forward", RankPhase::Forward},
    {"backward", RankPhase::Backward},
    {"waiting for peers", RankPhase::Waiting},
    {"optimizer", RankPhase::Optimizer},
    {"evaluation", RankPhase::Evaluating},
    {"saving", RankPhase::Saving},
    {"ending", RankPhase::Ending},
}};

std::optional<RankBeat> beatFrom(const Json& entry) {
  if (!entry.is_object()) return std::nullopt;
  const auto rank = outsideNumber(entry, "rank", 0, kMostRanks - 1);
  if (!rank) return std::nullopt;
  RankBeat beat;
  beat.rank = Rank(static_cast<int>(*rank));
  beat.word = outsideText(entry, "activity");
  beat.phase = rankPhaseNamed(beat.word);
  beat.step = outsideNumber(entry, "step", -1, kLargest).value_or(-1);
  beat.collectives = outsideNumber(entry, "collectives", 0, kLargest).value_or(0);
  beat.host = outsideText(entry, "host");
  beat.pid = static_cast<int>(outsideNumber(entry, "pid", 0, INT32_MAX).value_or(0));
  beat.since = outsideTime(entry, "since");
  return beat;
}

template <class T, class Key>
void sortedOnce(std::vector<T>& all, Key key) {
  std::stable_sort(all.begin(), all.end(), [&](const T& a, const T& b) { return key(a) < key(b); });
  all.erase(std::unique(all.begin(), all.end(), [&](const T& a, const T& b) { return key(a) == key(b); }),
            all.end());
}

}  // namespace

RankPhase rankPhaseNamed(std::string_view word) {
  const auto found =
      std::find_if(kWords.begin(), kWords.end(), [&](const auto& one) { return one.first == word; });
  return found == kWords.end() ? RankPhase::Other : found->second;
}

Result<Pulse> parsePulse(std::string_view text) {
  const auto json = parseOutsideJson(text, kMostPulseBytes, "the heartbeat of the run");
  if (!json) return failure(json.error());
  const auto time = outsideTime(*json, "time");
  if (!time)
    return failure(StatusCode::DataLoss, "cannot read the heartbeat of the run", "it does not say its time");
  Pulse pulse{*time, {}, {}};
  for (const Json& entry : outsideArray(*json, "ranks"))
    if (auto beat = beatFrom(entry)) pulse.ranks.push_back(*std::move(beat));
  sortedOnce(pulse.ranks, [](const RankBeat& one) { return one.rank; });
  for (RankBeat& beat : pulse.ranks)
    if (beat.since && *beat.since > pulse.time) beat.since = pulse.time;
  for (const Json& entry : outsideArray(*json, "waitingFor")) {
    const auto rank = entry.is_number_integer() ? entry.get<std::int64_t>() : -1;
    if (rank >= 0 && rank < kMostRanks) pulse.waitingFor.emplace_back(static_cast<int>(rank));
  }
  sortedOnce(pulse.waitingFor, [](Rank one) { return one; });
  return pulse;
}

}  // namespace lockstep
