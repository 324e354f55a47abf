// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep::trainer {

/// What a pickled value says of a tensor: which bytes of the archive, and how they are laid out. Nothing of
/// it is checked against those bytes.
struct PickledTensor {
  std::string storageType;  // "FloatStorage"
  std::string record;       // its name in the archive: "data/0"
  std::int64_t offset = 0;  // of the first element, in elements
  std::vector<std::int64_t> sizes, strides;
};

/// How many bytes a tensor takes and how many of its storage it reaches over, for elements of that size.
struct TensorExtent {
  std::int64_t ownBytes = 0;
  std::int64_t storageBytes = 0;  // 0: it has no elements
};
/// DataLoss: it has no shape, or one of more bytes than can be counted.
Result<TensorExtent> extentOf(const PickledTensor& tensor, std::int64_t elementSize);

struct PickledEntry {
  std::string name;
  PickledTensor tensor;
};

/// The tensors that a pickle program builds in a dict, in its order; what is no tensor is passed over.
/// `inner`: the first of these keys that holds a dict is gone into. Nothing in the program is run: a function
/// that it names is known here or its result is nothing. Time and memory are bounded by the length of the
/// program, whatever it says. DataLoss says what is wrong.
Result<std::vector<PickledEntry>> readPickledTensors(std::string_view program,
                                                     const std::vector<std::string>& inner);

}  // namespace lockstep::trainer
