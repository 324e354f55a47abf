// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <functional>
#include <stop_token>

#include "base/error.h"

namespace lockstep::oci {

/// Does `work` for 0 … count-1 in at most `parallel` threads. The first failure stops the rest and is the
/// answer; Cancelled when `stop` is requested.
Result<void> sideBySide(std::size_t count, int parallel, const std::stop_token& stop,
                        const std::function<Result<void>(std::size_t, const std::stop_token&)>& work);

}  // namespace lockstep::oci
