// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string_view>

namespace lockstep {

/// What a rank is doing. lockstep-trainer publishes it, and sends it to its peers by number: the words and the order
/// stay as they are, and a new phase goes before Other.
enum class RankPhase {
  Starting,
  Joining,
  LoadingData,
  Preparing,  // builds the network
  Data,
  HostToDevice,
  Forward,
  Backward,
  Waiting,  // in a collective
  Optimizer,
  Evaluating,
  Saving,
  Ending,
  Other,  // a word of another version
};

/// "loading data", "waiting for peers"…: as it stands in the heartbeat. "?" for Other.
[[nodiscard]] const char* toString(RankPhase phase);
/// The way back; Other for a word that this version does not know.
[[nodiscard]] RankPhase rankPhaseNamed(std::string_view word);

}  // namespace lockstep
