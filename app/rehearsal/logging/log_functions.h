// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "rehearsal/logging/log_row.h"

namespace lockstep::rehearsal {

/// A function of the query language (oci-rest-contract 4.7) and how many arguments it takes.
struct LogFunction {
  const char* name;
  std::size_t min, max;
  LogValue (*call)(const std::vector<LogValue>& arguments);
};
/// By its name in any case; null: there is none.
const LogFunction* findLogFunction(const std::string& name);

/// "5m", "3h": in ms.
[[nodiscard]] std::optional<long long> parseLogDuration(const std::string& text);

}  // namespace lockstep::rehearsal
