// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "diagnosis/findings/finding.h"

namespace lockstep {

/// What is known of a kind of finding. Texts are English literals (context lockstep::FindingTexts).
struct FindingInfo {
  FindingKind kind{};
  const char* code = "";   // "straggler": stable, for --json and for muting
  const char* title = "";  // "Slow rank"
  const char* needs = "";  // "the phases of steps": without these measurements nothing is said
};

/// docs/diagnosis.md lists exactly these.
[[nodiscard]] std::span<const FindingInfo> findingCatalogue();
[[nodiscard]] const FindingInfo& infoOf(FindingKind kind);
[[nodiscard]] std::optional<FindingKind> findingKindNamed(std::string_view code);

[[nodiscard]] const char* codeOf(FindingSeverity severity);  // "critical"
[[nodiscard]] std::optional<FindingSeverity> findingSeverityNamed(std::string_view code);
[[nodiscard]] const char* titleOf(FindingSeverity severity);     // "Critical"
[[nodiscard]] const char* wordForConfidence(double confidence);  // "high", "medium", "low"

}  // namespace lockstep
