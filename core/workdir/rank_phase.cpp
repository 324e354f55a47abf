// SPDX-License-Identifier: GPL-3.0-or-later
#include "workdir/rank_phase.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep {
namespace {

constexpr std::array<std::pair<const char*, RankPhase>, 13> kWords{{
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
static_assert(kWords.size() == static_cast<std::size_t>(RankPhase::Other), "every phase has its word");

}  // namespace

const char* toString(RankPhase phase) {
  const auto found =
      std::find_if(kWords.begin(), kWords.end(), [&](const auto& one) { return one.second == phase; });
  return found == kWords.end() ? "?" : found->first;
}

RankPhase rankPhaseNamed(std::string_view word) {
  const auto found =
      std::find_if(kWords.begin(), kWords.end(), [&](const auto& one) { return one.first == word; });
  return found == kWords.end() ? RankPhase::Other : found->second;
}

}  // namespace lockstep
