// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <vector>

#include "trainer/ddp/communicator.h"
#include "trainer/ddp/sgd_kernel.h"

namespace torch::autograd {
struct Node;
}

namespace lockstep::trainer {

/// Moves the parameters of a model, their gradients and velocities into three flat buffers, in reverse order
/// of registration, which is about the order in which backward finishes the gradients. The parameters become
/// views, so the whole model is summed, updated and broadcast as one range of floats.
class FlatParameters {
 public:
  explicit FlatParameters(const std::vector<at::Tensor>& parameters);
  [[nodiscard]] std::span<float> weights() { return spanOf(weights_); }
  [[nodiscard]] std::span<float> gradients() { return spanOf(gradients_); }
  void update(const SgdSettings& settings) {
    momentumStep(weights(), spanOf(velocities_), gradients(), settings);
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

  at::Tensor weights_, gradients_, velocities_;
  std::vector<Slice> slices_;
};

/// Hands ranges of gradients to the communicator as soon as backward has filled them, so that they travel
/// while it goes on. Ranges go out in a fixed order, the same on every rank.
class GradientReducer {
 public:
  /// With one range for all (`overlap` false), everything goes out at the end of backward: the better choice
  /// where no network is to be hidden.
  GradientReducer(FlatParameters& parameters, Communicator& communicator, bool overlap);
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;
  ~GradientReducer();

  void beginStep();
  /// After backward: sends what is left and waits until all sums are there.
  Result<void> finish();

 private:
  struct Bucket {
    std::span<float> range;
    int parameters = 0;
    int missing = 0;
  };
  void makeBuckets(bool overlap);
  void watch(const FlatParameters::Slice& slice, std::size_t bucket);
  void gradientReady(std::size_t bucket);
  void sendReady();

  FlatParameters& parameters_;
  Communicator& communicator_;
  std::vector<Bucket> buckets_;
  std::size_t sent_ = 0;
  Result<void> failure_;
  std::vector<std::shared_ptr<torch::autograd::Node>> accumulators_;  // keeps the hooks alive
};

}  // namespace lockstep::trainer
