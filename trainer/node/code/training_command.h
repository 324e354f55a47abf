// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "trainer/node/processes/rank_group.h"
#include "trainer/node/settings/node_settings.h"

namespace lockstep::node {

/// What every rank of this node runs: the entry script (an absolute path, a file below OCI__CODE_DIR, or else
/// a program of that name on PATH; `.py` with python3) and its arguments. NotFound says where it was looked
/// for.
Result<std::vector<std::string>> trainingCommand(const NodeSettings& settings,
                                                 const Environment& environment);

/// The ranks of this node with the variables of torchrun's contract. `published`: the keys of
/// MAIN_config.json. `attempt`: how often the ranks have been started before.
[[nodiscard]] std::vector<RankSpec> rankSpecs(const NodeSettings& settings,
                                              const std::vector<std::string>& command,
                                              Environment environment,
                                              const std::map<std::string, std::string>& published,
                                              const std::string& interface, int attempt = 0);

}  // namespace lockstep::node
