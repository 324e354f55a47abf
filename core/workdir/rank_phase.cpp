// SPDX-License-Identifier: GPL-3.0-or-later
#include "workdir/rank_phase.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep {
namespace {

// Marks a text for those who translate: lupdate is told this name, and files the text under the class around it
// (app/desktop/CMakeLists.txt, widgets/health/health_words.cpp).
constexpr const char* shownAs(const char* english) {
  return english;
}

struct RankPhaseTexts {
  static constexpr std::array<std::pair<const char*, RankPhase>, 13> kWords{{
      {shownAs("starting"), RankPhase::Starting},
      {shownAs("joining"), RankPhase::Joining},
      {shownAs("loading data"), RankPhase::LoadingData},
      {shownAs("building the network"), RankPhase::Preparing},
      {shownAs("data"), RankPhase::Data},
      {shownAs("host to device"), RankPhase::HostToDevice},
      {shownAs("forward"), RankPhase::Forward},
      {shownAs("backward"), RankPhase::Backward},
      {shownAs("waiting for peers"), RankPhase::Waiting},
      {shownAs("optimizer"), RankPhase::Optimizer},
      {shownAs("evaluation"), RankPhase::Evaluating},
      {shownAs("saving"), RankPhase::Saving},
      {shownAs("ending"), RankPhase::Ending},
  }};
};
constexpr const auto& kWords = RankPhaseTexts::kWords;
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
