// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

/// A file of resources/export that is compiled in: a script, or the README of a bundle. Every `%NAME%` of
/// `values` is replaced; values are words that need no quoting (names made by dnsLabel, numbers) or text of
/// ours, never text of the file that is exported.
[[nodiscard]] std::string exportTemplate(std::string_view path,
                                         const std::vector<std::pair<std::string, std::string>>& values = {});

}  // namespace lockstep
