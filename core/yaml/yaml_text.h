// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/error.h"

namespace lockstep {

enum class YamlQuotes { None, Single, Double };

/// What a text has to stand in, so that readers of YAML 1.1 and 1.2 alike take it for the text that it is:
/// neither `y` nor `0o17` nor `12:30:00` becomes anything else, and no blank, line break or control character
/// is lost. The text is UTF-8.
[[nodiscard]] YamlQuotes quotesFor(std::string_view text);

/// A tree as block YAML, below a comment (several lines, each without its `#`; empty: none). Ends with a line
/// break. InvalidArgument: a text of the tree is not UTF-8, which YAML has no way to write.
[[nodiscard]] Result<std::string> yamlText(const nlohmann::ordered_json& tree,
                                           const std::string& comment = {});

}  // namespace lockstep
