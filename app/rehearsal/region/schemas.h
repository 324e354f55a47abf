// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>

namespace lockstep::rehearsal {

/// What makes the tables of all rooms of the region, for Database::open().
[[nodiscard]] std::span<const char* const> regionSchemas();

}  // namespace lockstep::rehearsal
