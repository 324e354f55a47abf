// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "base/issue.h"
#include "cluster/yaml/yaml_tree.h"

namespace lockstep {

/// Puts what follows from a misspelt key right below it: `mian:` makes `main` missing. Such an issue says so
/// and loses its fix, which would add a second `main` and leave the first one unread.
void putCausesFirst(std::vector<Issue>& issues, const YamlTree& tree);

}  // namespace lockstep
