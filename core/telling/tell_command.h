// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "telling/run_news.h"

namespace lockstep {

/// Runs a command line of the user's by /bin/sh, which gets the news as JSON on its stdin and in the variables LOCKSTEP_EVENT,
/// LOCKSTEP_RUN, LOCKSTEP_RUN_NAME, LOCKSTEP_STATE, LOCKSTEP_FINDING, LOCKSTEP_SEVERITY, LOCKSTEP_TITLE and LOCKSTEP_TEXT; nothing
/// of them is in its arguments, and nothing of them is read by that shell as its own. What it prints is thrown away, but for the
/// end of its stderr where it fails. Blocks; DeadlineExceeded, Cancelled: it and what it has started were killed.
Result<void> tellCommand(const std::string& command, const RunNews& news, std::chrono::milliseconds limit,
                         const std::stop_token& stop);

}  // namespace lockstep
