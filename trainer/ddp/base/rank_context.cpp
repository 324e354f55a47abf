// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/rank_context.h"

#include <fmt/format.h>

#include <charconv>

namespace lockstep::trainer {
namespace {

using Environment = std::map<std::string, std::string>;

Result<int> number(const Environment& environment, const std::string& name, int missing, int min, int max) {
  const auto found = environment.find(name);
  if (found == environment.end() || found->second.empty()) return missing;
  const std::string& text = found->second;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < min || value > max) {
    return failure(ErrorCode::InvalidArgument, fmt::format("the variable {}='{}' is not usable", name, text),
                   fmt::format("it must be a whole number from {} to {}", min, max));
  }
  return value;
}

}  // namespace

Result<RankContext> rankContextFrom(const Environment& environment) {
  constexpr int kMaxWorldSize = 1 << 20;
  RankContext place;
  const auto world = number(environment, "WORLD_SIZE", 1, 1, kMaxWorldSize);
  const auto rank = number(environment, "RANK", 0, 0, kMaxWorldSize);
  const auto localRank = number(environment, "LOCAL_RANK", 0, 0, kMaxWorldSize);
  const auto port = number(environment, "MASTER_PORT", 29400, 1, 65535);
  const auto restarts = number(environment, "TORCHELASTIC_RESTART_COUNT", 0, 0, 1 << 30);
  for (const auto* value : {&world, &rank, &localRank, &port, &restarts}) {
    if (!*value) return failure(value->error());
  }
  place.worldSize = *world;
  place.rank = *rank;
  place.localRank = *localRank;
  place.masterPort = *port;
  place.restarts = *restarts;
  if (place.rank >= place.worldSize) {
    return failure(ErrorCode::InvalidArgument,
                   fmt::format("RANK={} does not fit WORLD_SIZE={}", place.rank, place.worldSize),
                   "ranks are counted from 0, so the last one is WORLD_SIZE - 1");
  }
  const auto address = environment.find("MASTER_ADDR");
  if (address != environment.end() && !address->second.empty()) {
    place.masterAddress = address->second;
  } else if (!place.alone()) {
    return failure(ErrorCode::InvalidArgument,
                   fmt::format("MASTER_ADDR is not set although WORLD_SIZE={}", place.worldSize), {},
                   "start the ranks with lockstep-node or torchrun, or set the address of rank 0's node");
  }
  return place;
}

}  // namespace lockstep::trainer
