// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "comparison/compared_run.h"

namespace lockstep {

enum class DifferenceArea { Arguments, Environment, Image, Code, Cluster };
[[nodiscard]] const char* toString(DifferenceArea area);  // "arguments"

/// Something that is not the same in all runs.
struct DifferenceRow {
  DifferenceArea area = DifferenceArea::Arguments;
  std::string name;                                // "--lr", "NCCL_DEBUG", "commit"
  std::vector<std::optional<std::string>> values;  // by run; absent: that run has none, or it is not known
  bool operator==(const DifferenceRow&) const = default;
};

/// All differences in what was launched, by area, in the order in which the first run that has them has them. Values of variables
/// that look like secrets are never in it: only that they differ. Pure.
[[nodiscard]] std::vector<DifferenceRow> differencesOf(const std::vector<ComparedRun>& runs);

/// From the train.yaml of one run to that of another, unified; empty: the same. Pure.
[[nodiscard]] std::string trainYamlDifference(const ComparedRun& from, const ComparedRun& to);

}  // namespace lockstep
