// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// The decimal digits of a natural number of any size, given in `base` (2 to 16) without sign; "0" has no
/// leading zeros. nullopt: no digits, or more than Python converts to text (4300 decimal digits).
[[nodiscard]] std::optional<std::string> decimalDigits(std::string_view digits, unsigned base);
/// "12:30:45" -> "45045": the parts are decimal, the first of any size.
[[nodiscard]] std::optional<std::string> decimalOfSexagesimal(std::string_view parts);

/// Python's float(): decimal text, with "inf" beyond the range. The text must be a number already.
[[nodiscard]] double floatOf(std::string_view text);
/// Python's repr() of a float: the shortest text that reads back, "1e-05", "1e+16", "100.0", "inf", "nan".
[[nodiscard]] std::string floatRepr(double value);

}  // namespace lockstep
