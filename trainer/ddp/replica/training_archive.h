// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "base/error.h"
#include "trainer/ddp/replica/flat_optimizer.h"
#include "trainer/ddp/replica/flat_parameters.h"
#include "trainer/models/model.h"

namespace lockstep::trainer {

// All that a training goes on from, in one file: a zip that torch.load opens as {"model": state dict,
// "optimizer": {"moment0.conv1.weight": …, "updates": …}, "position": text}. Tensors have the shapes of their
// parameters, so neither the flat buffers nor the world size shows.

[[nodiscard]] std::string archiveBytes(const Model& model, const FlatParameters& flat,
                                       FlatOptimizer& optimizer, const std::string& position);

/// Puts all back and returns the position. DataLoss: no such file; InvalidArgument: of another network or
/// optimizer. What it changed until then stays changed.
Result<std::string> restoreArchive(const std::string& bytes, Model& model, const FlatParameters& flat,
                                   FlatOptimizer& optimizer);

}  // namespace lockstep::trainer
