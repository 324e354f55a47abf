// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "setup/ssh/ssh_host.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// Checks machines for training on them: reachable by the system's ssh without a question, what they have,
/// and whether all of them reach `port` of all others. Nothing is changed there but for listeners that end
/// with the check. Blocks for some seconds, however many there are.
[[nodiscard]] StepReport checkHosts(const std::vector<SshHost>& hosts, int port, const CommandRunner& run,
                                    const std::stop_token& stop);

/// The port where the ranks of a cluster meet (ads-contract 4.4); PyTorch's when there is no train.yaml.
[[nodiscard]] int meetingPortOf(const std::optional<ClusterSpec>& spec);

}  // namespace lockstep
