// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/heartbeat.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/bounds.h"
#include "base/json_fields.h"
#include "base/outside_json.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

constexpr auto kLargest = std::numeric_limits<std::int64_t>::max() / 4;

std::optional<RankHeartbeat> beatFrom(const Json& entry) {
  if (!entry.is_object()) return std::nullopt;
  const auto rank = outsideNumber(entry, "rank", 0, kMaxRanks - 1);
  if (!rank) return std::nullopt;
  RankHeartbeat beat;
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

Result<Heartbeat> parseHeartbeat(std::string_view text) {
  const auto json = parseOutsideJson(text, kMaxHeartbeatBytes, "the heartbeat of the run");
  if (!json) return failure(json.error());
  const auto time = outsideTime(*json, "time");
  if (!time)
    return failure(ErrorCode::DataLoss, "cannot read the heartbeat of the run", "it does not say its time");
  Heartbeat heartbeat{*time, {}, {}};
  for (const Json& entry : arrayField(*json, "ranks"))
    if (auto beat = beatFrom(entry)) heartbeat.ranks.push_back(*std::move(beat));
  sortedOnce(heartbeat.ranks, [](const RankHeartbeat& one) { return one.rank; });
  for (RankHeartbeat& beat : heartbeat.ranks)
    if (beat.since && *beat.since > heartbeat.time) beat.since = heartbeat.time;
  for (const Json& entry : arrayField(*json, "waitingFor")) {
    const auto rank = entry.is_number_integer() ? entry.get<std::int64_t>() : -1;
    if (rank >= 0 && rank < kMaxRanks) heartbeat.waitingFor.emplace_back(static_cast<int>(rank));
  }
  sortedOnce(heartbeat.waitingFor, [](Rank one) { return one; });
  return heartbeat;
}

}  // namespace lockstep
