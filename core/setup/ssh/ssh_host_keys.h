// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <vector>

#include "setup/ssh/ssh_host.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// "trust-host-keys": adds the keys that these machines show now to the file of known hosts that ssh has for
/// them. Done only when it is asked for by its id, by somebody who has compared the fingerprints of its
/// preview. Nothing when none of them shows a key. Blocks for some seconds.
[[nodiscard]] std::optional<ProposedFix> trustKeysFix(const std::vector<SshHost>& hosts,
                                                      const CommandRunner& run, const std::stop_token& stop);
/// Takes the lines out again that are still there.
Result<void> forgetKeys(const AppliedChange& change);

}  // namespace lockstep
