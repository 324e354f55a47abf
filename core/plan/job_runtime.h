// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "plan/environment.h"

namespace lockstep {

/// The environment that `ads` writes onto the job of a `kind: job` file, before interpolation: the user's,
/// then what its runtime turns into (ads-contract 5.1).
[[nodiscard]] Environment jobRuntimeEnvironment(const ClusterSpec& spec);

/// Python's json.dumps of texts by name: {"a": "b", "c": "d"}, everything beyond ASCII escaped.
[[nodiscard]] std::string pythonJson(const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace lockstep
