// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "trainer/data/batch.h"
#include "trainer/ddp/base/progress.h"
#include "trainer/ddp/collectives/communicator.h"
#include "trainer/models/model_spec.h"
#include "trainer/optim/optimizer.h"

namespace lockstep::trainer {

enum class Precision {
  Fp32,
  Bf16,  // autocast: matrices and convolutions in bfloat16, weights and sums in float
  Fp16,  // the same in half precision, with a scaled loss; GPUs only
};

/// Where a replica computes.
struct Device {
  bool isGpu = false;
  int index = 0;  // of the GPU
};
/// How many GPUs this LibTorch can use; 0 also when it is for CPUs only.
[[nodiscard]] int usableGpus();

struct ReplicaSetup {
  ModelSpec model;
  OptimizerSettings optimizer;
  Precision precision = Precision::Fp32;
  Device device;
  double clipNorm = 0;  // largest norm of all gradients together; 0: any
  std::uint64_t seed = 1;
  int rank = 0;
  int worldSize = 1;
  int threads = 1;
  bool overlap = false;        // send gradients while backward runs; see GradientReducer
  bool deterministic = false;  // nothing that is chosen by measuring, only algorithms that repeat to the bit
  std::string initialWeights;  // a state dict; empty: drawn from the seed
  Progress* progress = nullptr;  // told what a step does; outlives the replica
};

/// Milliseconds of the parts of one step. On a GPU they are its own, taken by marks in its queue: `optimizer`
/// is that of the step before, which this one's work queued behind.
struct StepTimes {
  double hostToDevice = 0, forward = 0, backward = 0, wait = 0, optimizer = 0;
  std::optional<double> idle;  // of a GPU, while the host got ready what to do next
};

struct StepResult {
  double loss = 0;          // mean over this rank's samples; 0 when it had none
  double meanLoss = 0;      // over the samples of all ranks
  double gradientNorm = 0;  // of the mean gradient, before clipping
  bool stopAsked = false;   // by any rank, with this step
  bool skipped = false;  // half precision: a gradient was too large for the scale, the weights are as before
  StepTimes times;
};

/// What an evaluation counted on this rank.
struct EvaluationCounts {
  std::vector<std::int64_t> seen, right;  // by class
  double lossSum = 0;
};

/// This rank's copy of the network with its optimizer: computes on its own batch, and sums gradients over all
/// ranks, so that every copy stays equal. Hides Torch from the training loop. One thread.
class Replica {
 public:
  /// Starts from rank 0's weights on every rank. `gradients`: sums in the memory where the replica computes;
  /// `communicator`: in memory of the host, for all else (on a CPU the same). Both must outlive it.
  static Result<Replica> make(const ReplicaSetup& setup, Communicator& communicator, Communicator& gradients);
  static Result<Replica> make(const ReplicaSetup& setup, Communicator& communicator) {
    return make(setup, communicator, communicator);
  }
  Replica(Replica&&) noexcept;
  Replica& operator=(Replica&&) noexcept;
  ~Replica();

  [[nodiscard]] bool computesOnGpu() const;
  [[nodiscard]] std::size_t parameterCount() const;

  /// One part of a step: forward and backward. Gradients add up until update().
  struct Part {
    double weight = 1;   // of this batch's mean loss in the mean over all batches of all ranks in this step
    bool isLast = true;  // of the step: sums over the ranks begin while it runs
    bool stopAsked = false;  // tells all ranks with the last part
    std::uint64_t seed = 0;  // of what dropout draws
  };
  /// A batch of no samples takes part with gradients of zero.
  Result<void> accumulate(const Batch& batch, const Part& part);
  /// Waits for the sums, clips, and changes the weights.
  Result<StepResult> update(double learningRate);

  /// Forward only; adds to `counts`.
  Result<void> evaluate(const Batch& batch, EvaluationCounts& counts);
  /// Gives every rank rank 0's running averages (of batch norms), which each rank keeps of its own batches.
  Result<void> shareBuffers();

  /// All that training goes on from, with the given position; see training_archive.h. The same on every rank.
  [[nodiscard]] std::string archiveBytes(const std::string& position) const;
  /// Takes rank 0's `bytes` on every rank, and returns the position there; the bytes and the position of the
  /// other ranks are empty. After a failure this replica is of no use.
  Result<std::string> restore(const std::string& bytes);

  /// The weights as a state dict that Python's torch.load opens.
  [[nodiscard]] std::string stateDictBytes() const;
  /// See state_dict.h.
  [[nodiscard]] Result<std::string> torchScriptBytes() const;
  /// In memory of the host: of a GPU's, a copy that stays until the next call.
  [[nodiscard]] std::span<const float> weights() const;

 private:
  struct Impl;
  explicit Replica(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep::trainer
