// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockstep::trainer {

/// How `lockstep-trainer` ends. `--help` prints this table; the node agent tells causes from consequences by
/// it.
inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // data, disk, model: this rank's own trouble
inline constexpr int kExitUsage = 2;   // wrong arguments or environment
inline constexpr int kExitNotJoined =
    10;  // a rank did not come, or rank 0 could not be reached, before the timeout
inline constexpr int kExitDisagreement = 11;  // a rank twice, different world sizes
inline constexpr int kExitPeerLost = 12;      // another rank ended first; the message names it
inline constexpr int kExitTimedOut = 13;      // a collective took longer than --timeout
inline constexpr int kExitTerminated = 143;   // SIGTERM or SIGINT; metrics were flushed

}  // namespace lockstep::trainer
