// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

namespace lockstep::trainer {

/// Moves the parameters of a model and their gradients into two flat buffers, in reverse order of
/// registration, which is about the order in which backward finishes the gradients. The parameters become
/// views, so the whole model is summed, updated and broadcast as one range of floats.
class FlatParameters {
 public:
  /// Numbers that travel behind the gradients, in the same sum.
  static constexpr std::size_t kPiggybackedScalars = 4;

  /// All parameters are floats and on one device.
  explicit FlatParameters(const std::vector<at::Tensor>& parameters);
  /// Memory of the device that the parameters are on, as all spans here.
  [[nodiscard]] std::span<float> weights() { return spanOf(weights_); }
  [[nodiscard]] std::span<float> gradients() { return spanOf(gradients_).first(weights().size()); }
  /// The gradients with the piggybacked scalars.
  [[nodiscard]] std::span<float> gradientsAndPiggybackedScalars() { return spanOf(gradients_); }
  [[nodiscard]] std::span<float> piggybackedScalars() { return spanOf(gradients_).last(kPiggybackedScalars); }

  [[nodiscard]] const at::Tensor& weightTensor() const { return weights_; }
  [[nodiscard]] at::Tensor gradientTensor() const { return gradients_.narrow(0, 0, weights_.numel()); }
  [[nodiscard]] at::Tensor piggybackedTensor() const {
    return gradients_.narrow(0, weights_.numel(), static_cast<std::int64_t>(kPiggybackedScalars));
  }

  /// Where one parameter lies in the buffers.
  struct Slice {
    at::Tensor parameter;
    std::size_t offset = 0;
    std::size_t count = 0;
  };
  [[nodiscard]] const std::vector<Slice>& slices() const { return slices_; }

 private:
  static std::span<float> spanOf(at::Tensor& flat) {
    return {flat.data_ptr<float>(), static_cast<std::size_t>(flat.numel())};
  }

  at::Tensor weights_, gradients_;
  std::vector<Slice> slices_;
};

}  // namespace lockstep::trainer
