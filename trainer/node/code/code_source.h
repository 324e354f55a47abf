// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>
#include <string>

#include "base/error.h"
#include "trainer/node/settings/node_settings.h"

namespace lockstep::node {

/// Brings the code of `type: git` into OCI__CODE_DIR as `ads` does (ads-contract 4.1): clones
/// OCI__RUNTIME_URI, a folder that has something in it already is renamed first, then checks out
/// OCI__RUNTIME_GIT_COMMIT, else OCI__RUNTIME_GIT_BRANCH. OCI__GIT_SSH_KEY_PATH names the key of a private
/// repository. Code that is baked into the image needs nothing. Blocks on the network; says what git said.
Result<void> fetchCode(const NodeSettings& settings, const Environment& environment,
                       const std::stop_token& stop);

/// PYTHONPATH with the folders of OCI__RUNTIME_PYTHON_PATH, which are relative to the code, before what it
/// has; the old value when there are none.
[[nodiscard]] std::string pythonPath(const NodeSettings& settings, const Environment& environment);

}  // namespace lockstep::node
