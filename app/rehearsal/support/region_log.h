// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string_view>

namespace lockstep::rehearsal {

/// One line with the time on stderr, which is region.log when the region runs in the background. Never a
/// secret.
void logLine(std::string_view text);

}  // namespace lockstep::rehearsal
