// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// One quoted string of HCL (Terraform's language), on one line: quotes, backslashes, control characters and
/// the template openers `${` and `%{` escaped. HCL knows only Unicode: bytes that are no UTF-8 become U+FFFD.
/// HCL reads strings in Unicode normal form C, so a text in another normal form comes back composed.
[[nodiscard]] std::string quoteHcl(std::string_view text);

/// `["a", "b"]`, on one line.
[[nodiscard]] std::string quoteHcl(const std::vector<std::string>& texts);

}  // namespace lockstep
