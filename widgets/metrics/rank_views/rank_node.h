// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "base/ids.h"

namespace lockstep {

/// A rank and the node that it runs on.
struct RankNode {
  Rank rank;
  QString node;   // display name of the job run
  QString state;  // of the node, in the user's words
};

}  // namespace lockstep
