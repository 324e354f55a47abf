// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <exception>
#include <string>

#include "base/error.h"
#include "trainer/ddp/base/progress.h"

namespace lockstep::trainer {

/// How `lockstep-trainer` ends. `--help` prints this table; the node agent tells causes from consequences by
/// it. Numbers are never used anew for something else.
inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;         // this rank's own trouble, none of those below
inline constexpr int kExitUsage = 2;          // wrong arguments or environment
inline constexpr int kExitNotJoined = 10;     // a rank did not come before the timeout
inline constexpr int kExitDisagreement = 11;  // different world sizes
inline constexpr int kExitPeerLost = 12;      // another rank ended first; the message names it
inline constexpr int kExitTimedOut = 13;      // a rank is frozen, or a collective took longer than --timeout
inline constexpr int kExitOutOfMemory = 14;
inline constexpr int kExitOutOfDisk = 15;
inline constexpr int kExitBadData = 16;        // the training data are missing or damaged
inline constexpr int kExitBadCheckpoint = 17;  // a checkpoint cannot be read, or is another model's
inline constexpr int kExitLossNotFinite = 18;
inline constexpr int kExitMasterUnreachable = 19;  // MASTER_ADDR is unknown, or nobody answers there
inline constexpr int kExitPortTaken = 20;          // another program than rank 0 answers at MASTER_PORT
inline constexpr int kExitVersionsDiffer = 21;     // a peer speaks another version of the join
inline constexpr int kExitRankTwice = 22;
inline constexpr int kExitDiverged = 23;  // the parameters of a rank are no longer those of rank 0
// 24 is lockstep-node's: the run has continued without this node.
inline constexpr int kExitTerminated = 143;  // SIGTERM or SIGINT; metrics were flushed

/// The code that belongs to a failure, by its kind and by what the rank was doing when it came up.
[[nodiscard]] int exitCodeFor(const Error& error, RankPhase phase);

/// What an exception that came out of computing means: running out of memory is told apart, on the host and
/// on a GPU, because it has a code and a way out of its own.
[[nodiscard]] Error computingError(const std::string& what, const std::exception& error);
[[nodiscard]] bool isOutOfMemory(const Error& error);

/// On one line, so that a log's last line says all of it: "what: cause; remedy".
[[nodiscard]] std::string oneLine(const Error& error);

}  // namespace lockstep::trainer
