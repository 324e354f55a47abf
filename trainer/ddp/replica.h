// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"
#include "trainer/ddp/cifar10.h"
#include "trainer/ddp/communicator.h"

namespace lockstep::trainer {

struct ReplicaSetup {
  std::uint64_t seed = 1;
  int rank = 0;
  int worldSize = 1;
  int maxBatchSize = 16;
  int threads = 1;
  double dropout = 0.2;
  bool overlap = false;  // send gradients while backward runs; see GradientReducer
};

/// Milliseconds of the parts of one step.
struct StepTimes {
  double forward = 0, backward = 0, wait = 0, optimizer = 0;
};

struct StepResult {
  double loss = 0;
  StepTimes times;
};

/// What an evaluation counted on this rank.
struct EvaluationCounts {
  std::array<std::int64_t, kClassCount> seen{}, right{};
  double lossSum = 0;
};

/// This rank's copy of the guide's network with its optimizer: computes on its own batch, and sums gradients
/// over all ranks, so that every copy stays equal. Hides Torch from the training loop. One thread.
class Replica {
 public:
  /// Starts from rank 0's weights on every rank. The communicator must outlive it.
  static Result<Replica> make(const ReplicaSetup& setup, Communicator& communicator);
  Replica(Replica&&) noexcept;
  Replica& operator=(Replica&&) noexcept;
  ~Replica();

  /// The place to put the next batch: images channel-last, and their classes. At most maxBatchSize samples.
  struct Input {
    std::span<float> pixels;
    std::span<std::int64_t> labels;
  };
  [[nodiscard]] Input input(int samples);

  /// One update from the batch in input(samples). The loss is the mean over this rank's batch.
  Result<StepResult> step(int samples, double learningRate, double momentum);
  /// Forward only, on the batch in input(samples); adds to `counts`.
  void evaluate(int samples, EvaluationCounts& counts);
  /// The weights as a state dict that Python's torch.load opens.
  [[nodiscard]] std::string stateDictBytes() const;
  [[nodiscard]] std::span<const float> weights() const;

 private:
  struct Impl;
  explicit Replica(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep::trainer
