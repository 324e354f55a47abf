// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "cluster/document/cluster_document.h"
#include "plan/plan.h"

namespace lockstep::cli {

/// The text of a train.yaml; "-" is stdin.
Result<std::string> readTrainFile(const std::string& file);

/// Issues as "train.yaml:12:5: error: …", one after the other, colored by severity for stdout or stderr.
[[nodiscard]] std::string issuesText(const std::vector<Issue>& issues, const std::string& file, bool forErr);
[[nodiscard]] nlohmann::json issuesJson(const std::vector<Issue>& issues);
/// "2 errors, 1 warning"
[[nodiscard]] std::string countText(const std::vector<Issue>& issues);

/// "train.yaml:9:18" from a place within the file ("9:18", or empty).
[[nodiscard]] std::string placeInFile(const std::string& file, const std::string& place);

}  // namespace lockstep::cli
