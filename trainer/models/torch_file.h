// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace lockstep::trainer {

/// Reads what torch.save wrote (the zip form, PyTorch 1.6 and later), without Python: the tensors of a dict,
/// or of a dict inside it, by their names; what is no tensor is passed over. LibTorch's own reader stops at
/// the OrderedDict that module.state_dict() is. Nothing in the file is run. `inner`: the first of these keys
/// that holds a dict is gone into, e.g. "model". DataLoss says what is wrong.
Result<std::map<std::string, at::Tensor>> readTorchFile(const std::string& bytes,
                                                        const std::vector<std::string>& inner);

}  // namespace lockstep::trainer
