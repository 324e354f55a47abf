// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "cluster/document/cluster_document.h"
#include "setup/step/setup_facts.h"

namespace lockstep {

/// Whether a train.yaml still has something in <angle brackets> that a set-up finds: ids, work dir, image.
[[nodiscard]] bool hasPlaceholders(const ClusterDocument& document);

/// Its text with what was found in the place of those, and every other character as it was: what somebody has
/// written stays, and so does the folder behind a bucket's placeholder. Pure.
[[nodiscard]] Result<std::string> withPlaceholdersFilled(const ClusterDocument& document,
                                                         const SetupFacts& facts);

}  // namespace lockstep
