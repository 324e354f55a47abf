// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string_view>

namespace lockstep {

/// What is said of a tensor of TensorFlow (the message TensorProto of tensorflow/core/framework/tensor.proto).
struct TensorScalar {
  bool isBroken = false;        // the message is cut short or no protobuf
  std::optional<double> value;  // nullopt: not one single number
};

/// The number of a tensor of one element: float, double, int32, int64, half or bfloat16, with its bytes in
/// `tensor_content` or in the list of its type, packed or not. Its shape is `[]` or has 1 in each dimension. Strings,
/// larger tensors and those whose number is not there have none.
[[nodiscard]] TensorScalar scalarOfTensor(std::string_view message);

}  // namespace lockstep
