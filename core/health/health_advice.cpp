// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/health_advice.h"

namespace lockstep {
namespace {

// Marks a text for those who translate: lupdate is told this name, and files the text under the class around it
// (app/desktop/CMakeLists.txt, widgets/health/health_words.cpp).
constexpr const char* shownAs(const char* english) {
  return english;
}

struct HealthTexts {
  static constexpr HealthAdvice kSlowData{
      shownAs("its data come slowly or not at all"),
      shownAs("look at the disk or bucket that it reads from, and try more --workers")};
  static constexpr HealthAdvice kSlowComputing{
      shownAs("it computes more slowly than the others, or its process is stopped"),
      shownAs("look at the process on its host: whether it runs, and what else uses its cores or its GPU")};
  static constexpr HealthAdvice kEarlierCollective{
      shownAs("it is still in an earlier collective: its process is stopped, or its network is"),
      shownAs("look at the process on its host, and at the network between the nodes")};
  static constexpr HealthAdvice kSlowCheckpoint{
      shownAs("it writes a checkpoint to a slow place"),
      shownAs("look at the disk or bucket of --checkpoint-dir, or save less often")};
  static constexpr HealthAdvice kNotReady{shownAs("it is not ready to train yet"),
                                          shownAs("look at its log")};
  static constexpr HealthAdvice kNoHeartbeat{
      shownAs("its process is stopped, or its node does not reach the work dir"),
      shownAs("look at its log and at its node; nothing newer is known of the other ranks")};
  static constexpr HealthAdvice kNobodyBehind{
      shownAs("what they send does not get through"),
      shownAs("look at the network between the nodes: allow TCP on all ports, and the same MTU everywhere")};
  static constexpr HealthAdvice kOneDirection{
      shownAs("%1 does reach %2, so one direction is closed"),
      shownAs("allow TCP into %1 and out of %2 on all ports (security list or NSG of the subnet)")};
  static constexpr HealthAdvice kClosed{
      "", shownAs("allow TCP between the nodes on all ports (security list or NSG of the subnet)")};
};

HealthAdvice adviceFor(RankPhase phase) {
  switch (phase) {
    case RankPhase::LoadingData:
    case RankPhase::Data:
      return HealthTexts::kSlowData;
    case RankPhase::HostToDevice:
    case RankPhase::Forward:
    case RankPhase::Backward:
    case RankPhase::Optimizer:
    case RankPhase::Evaluating:
      return HealthTexts::kSlowComputing;
    case RankPhase::Waiting:
      return HealthTexts::kEarlierCollective;
    case RankPhase::Saving:
      return HealthTexts::kSlowCheckpoint;
    default:
      return HealthTexts::kNotReady;
  }
}

}  // namespace

HealthAdvice adviceFor(const Stall& stall) {
  switch (stall.kind) {
    case Stall::Kind::NoHeartbeat:
      return HealthTexts::kNoHeartbeat;
    case Stall::Kind::NobodyBehind:
      return HealthTexts::kNobodyBehind;
    case Stall::Kind::RankBehind:
      break;
  }
  return adviceFor(stall.beat.phase);
}

HealthAdvice adviceFor(LinkState state) {
  return state == LinkState::OnlyBack ? HealthTexts::kOneDirection : HealthTexts::kClosed;
}

}  // namespace lockstep
