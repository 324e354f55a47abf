// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep {

/// Which rules read the lines of a run (lineRules()).
struct LineChoice {
  bool isOn = true;              // false: no line is read
  std::set<std::string> off;     // ids of rules that are not used
  std::vector<std::string> own;  // expressions of the user, tried before the rules

  [[nodiscard]] bool isDefault() const { return isOn && off.empty() && own.empty(); }
  bool operator==(const LineChoice&) const = default;
};

/// As people write it: "off"; ids of rules with commas between them, and no others are used; or an expression of one's own,
/// beside all rules; empty: all of them. InvalidArgument: it is none of these.
Result<LineChoice> lineChoiceFrom(std::string_view text);

/// As programs keep it: JSON. What of it cannot be used is left out, so that a choice of another version is still one.
[[nodiscard]] std::string keptText(const LineChoice& choice);
[[nodiscard]] LineChoice keptLineChoice(std::string_view text);

/// Whether that expression can read lines; the cause and the way out, if not.
Result<void> checkOwnRule(const std::string& expression);

}  // namespace lockstep
