// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "base/error.h"
#include "trainer/models/model.h"

namespace lockstep::trainer {

// Weights in the forms that Python opens. Tensors in them are contiguous, of their own, and on the CPU.

/// A zip file that torch.load opens as a dict of parameters and buffers, as model.state_dict() has them.
[[nodiscard]] std::string stateDictBytes(const Model& model);

/// Takes the weights of a file that torch.save or stateDictBytes made: a state dict, or a dict that has one
/// under "model" or "state_dict". A "module." that DistributedDataParallel puts before names is dropped.
/// DataLoss: no such file; InvalidArgument lists names that are missing, unknown, or of another shape.
Result<void> loadStateDict(Model& model, const std::string& bytes);

/// A TorchScript archive with `forward(input)`, for evaluation: what torch.jit.load opens without our code.
/// `samples`: how many the example has that it is traced with; others work as well.
Result<std::string> torchScriptBytes(const Model& model, const ModelSpec& spec);

}  // namespace lockstep::trainer
