// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace lockstep {

/// A tree as block YAML that YAML 1.1 and 1.2 parsers read alike: a text is quoted unless it is plainly a
/// word, so that neither `y` nor `0o17` nor `1e3` becomes anything else. `indent` is the column of the first
/// level. Ends with a line break.
[[nodiscard]] std::string yamlText(const nlohmann::ordered_json& value, std::size_t indent = 0);

}  // namespace lockstep
