// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "runs/run_store.h"

namespace lockstep {

/// "CIFAR 10: DDP!" -> "cifar-10-ddp": small letters, digits and single dashes, at most 40 characters; "run"
/// if empty.
[[nodiscard]] std::string slugOf(const std::string& name);

/// The slug and four random hex digits, not in the store yet.
Result<RunId> newRunId(const std::string& name, RunStore& store);

}  // namespace lockstep
