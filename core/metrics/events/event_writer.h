// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/ids.h"

namespace lockstep {

/// What an event file of TensorBoard begins with: the record that names its version.
[[nodiscard]] std::string eventFileHead(TimePoint time);

/// Appends the record of one scalar, in the format that EventRecords reads. A value that a float cannot hold is written as a tensor
/// of one double, which TensorBoard shows alike. `name`: UTF-8. Times are written as seconds in a double, some 200 ns exact.
void appendScalarEvent(std::string& to, Step step, TimePoint time, std::string_view name, double value);

}  // namespace lockstep
