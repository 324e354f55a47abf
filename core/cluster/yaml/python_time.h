// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// A YAML 1.1 timestamp as Python's datetime module writes it.
struct PythonTime {
  std::string text;   // str(): "2024-01-31", "2024-01-31 10:20:30+00:00"
  std::string repr;   // "datetime.date(2024, 1, 31)"
  std::string error;  // not empty: the form is right but the date is none (month 13)
};

/// nullopt: not of the form of a timestamp.
[[nodiscard]] std::optional<PythonTime> readTimestamp(std::string_view text);

}  // namespace lockstep
