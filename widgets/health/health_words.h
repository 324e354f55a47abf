// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "health/stall.h"
#include "widgets/common/theme/state_badge.h"

namespace lockstep {

// The health of a run in the user's words.

/// "forward", "waiting for peers"; a word of another version of the trainer as it is.
[[nodiscard]] QString phaseText(const RankHeartbeat& beat);
[[nodiscard]] QString nodeText(const ReachNode& node);

/// Something that somebody should know, in the order in which a person asks.
struct HealthNotice {
  QString what, cause, remedy;
  bool isAboutRanks = false;  // else about nodes
};
[[nodiscard]] HealthNotice noticeOf(const Stall& stall);
[[nodiscard]] HealthNotice noticeOf(const ReachMatrix& matrix, const ReachMatrix::Gap& gap);
[[nodiscard]] QString plainText(const HealthNotice& notice);

/// "both ways, 0.4 ms"
[[nodiscard]] QString linkText(LinkState state, const ReachLink* link);
[[nodiscard]] BadgeTone toneOf(LinkState state);

}  // namespace lockstep
