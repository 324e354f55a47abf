// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "diagnosis/findings/finding.h"

namespace lockstep {

/// The text in English. A metric stands there by the title of the catalogue, or its name.
[[nodiscard]] std::string englishOf(const FindingText& text);
/// "rank 3 is slow …: why; what to do", on one line.
[[nodiscard]] std::string oneLineOf(const RunFinding& finding);
/// Whether it says more than what stands beside it already: the stalls of the heartbeat (health_text.h), and `failure`, why the
/// run failed.
[[nodiscard]] bool saysMore(const RunFinding& finding, const std::string& failure);
/// "key", "kind", "severity", "ranks", "metric", "what", "cause", "remedy", "evidence", "unmeasured", "confidence", "since",
/// "step", "end" (docs/formats/findings.md).
[[nodiscard]] nlohmann::json toJson(const RunFinding& finding);

}  // namespace lockstep
