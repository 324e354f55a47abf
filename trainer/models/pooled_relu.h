// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

namespace lockstep::trainer {

/// relu(max_pool2d(x, 2)) of images [N, C, H, W], with its gradient: the numbers are those of LibTorch's two
/// operations, to the bit. In float and bfloat16 on the CPU it goes through the images once, and keeps one
/// byte per output for the gradient, where LibTorch writes and reads every intermediate.
[[nodiscard]] at::Tensor pooledRelu(const at::Tensor& x);

}  // namespace lockstep::trainer
