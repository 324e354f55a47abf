// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <vector>

#include "trainer/data/distributed_sampler.h"

namespace lockstep::trainer {

/// How the ranks go through an epoch in steps of equal numbers of batches. Every rank knows the share of
/// every other, so the mean over all samples of a step needs no message, and a rank without samples in the
/// last step knows that the others have some.
class EpochPlan {
 public:
  /// `accumulation`: batches of one rank in one step.
  EpochPlan(const DistributedSampler& sampler, std::size_t batchSize, std::size_t accumulation);
  [[nodiscard]] std::size_t steps() const;
  [[nodiscard]] std::size_t globalBatchSize() const;

  /// A batch of this rank within its indices of the epoch, and its weight in the mean of the step. There are
  /// as many in each step of each rank as the longest rank needs; some may be empty.
  struct Part {
    std::size_t first = 0, count = 0;
    double weight = 0;
  };
  [[nodiscard]] std::vector<Part> parts(std::size_t step) const;

 private:
  [[nodiscard]] std::size_t samplesIn(std::size_t step, std::size_t rankSamples) const;
  DistributedSampler sampler_;
  std::size_t batchSize_, accumulation_;
};

}  // namespace lockstep::trainer
