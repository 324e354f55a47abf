// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "trainer/ddp/collectives/communicator.h"
#include "trainer/ddp/replica/flat_parameters.h"

namespace torch::autograd {
struct Node;
}

namespace lockstep::trainer {

/// Hands ranges of gradients to the communicator as soon as backward has filled them, so that they travel
/// while it goes on. Ranges go out in a fixed order, the same on every rank; the piggybacked scalars go with the last.
class GradientReducer {
 public:
  /// With one range for all (`overlap` false), everything goes out at the end of backward: the better choice
  /// where no network is to be hidden.
  GradientReducer(FlatParameters& parameters, Communicator& communicator, bool overlap);
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;
  ~GradientReducer();

  /// Before the last backward of a step. Gradients that earlier ones left are part of what is sent.
  void expectLastBackward();
  /// After it: sends what is left and waits until all sums are there.
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
  bool expecting_ = false;
  Result<void> failure_;
  std::vector<std::shared_ptr<torch::autograd::Node>> accumulators_;  // keeps the hooks alive
};

}  // namespace lockstep::trainer
