// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "widgets/cluster/document/editable_cluster.h"

namespace lockstep {

/// The arguments at `path` as one line: a list is joined with single blanks, as the container gets it.
[[nodiscard]] std::optional<std::string> argumentsLine(const ClusterDocument& document,
                                                       const FieldPath& path);

/// List: the place has to be a list, for a text there means something else (start options are joined letter
/// by letter, ads-contract 1.3).
enum class ArgumentsForm { Any, List };

/// The steps that make the line another one. In a list only the elements that differ are touched, so that the
/// others keep their quotes, lines and comments.
[[nodiscard]] std::vector<EditableCluster::Step> stepsToSetArguments(const ClusterDocument& document,
                                                                     const FieldPath& path,
                                                                     const std::string& line,
                                                                     ArgumentsForm form = ArgumentsForm::Any);

}  // namespace lockstep
