// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/replica.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

#include "trainer/ddp/exit_codes.h"
#include "trainer/ddp/flat_parameters.h"
#include "trainer/ddp/gradient_reducer.h"
#include "trainer/ddp/training_archive.h"
#include "trainer/models/model.h"
#include "trainer/models/state_dict.h"
#include "trainer/optim/flat_kernels.h"

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;

enum Passenger : std::size_t { kStopAsked = 0, kMeanLoss = 1 };

double milliseconds(Steady::time_point from, Steady::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

void switchAutocast(bool on) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  at::autocast::set_autocast_enabled(at::kCPU, on);
#else
  at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
  at::autocast::set_cpu_enabled(on);
#endif
}

// As Python's `with torch.autocast("cpu", torch.bfloat16)`.
class AutocastScope {
 public:
  explicit AutocastScope(Precision precision) : on_(precision == Precision::Bf16) {
    if (on_) switchAutocast(true);
  }
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;
  ~AutocastScope() {
    if (!on_) return;
    switchAutocast(false);
    at::autocast::clear_cache();  // of weights in bfloat16, which the update makes stale
  }

 private:
  bool on_;
};

}  // namespace

struct Replica::Impl {
  Impl(const ReplicaSetup& setup_, Communicator& communicator_, std::shared_ptr<Model> model_)
      : setup(setup_), communicator(communicator_), model(std::move(model_)) {
    model->to(at::kFloat);
    for (at::Tensor& parameter : model->parameters()) {
      if (parameter.dim() == 4) parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
    }
    flat = std::make_unique<FlatParameters>(model->parameters());
    optimizer = std::make_unique<Optimizer>(setup.optimizer, flat->weights().size());
    reducer = std::make_unique<GradientReducer>(*flat, communicator, setup.overlap);
  }

  [[nodiscard]] at::Tensor input(const Batch& batch) const {
    const SampleShape& s = setup.model.shape;
    if (!s.isImage())
      return at::from_blob(const_cast<std::int64_t*>(batch.tokens.data()), {batch.samples, s.length},
                           at::kLong);
    const auto row = static_cast<std::int64_t>(s.width) * s.channels;
    return at::from_blob(const_cast<float*>(batch.pixels.data()),
                         {batch.samples, s.channels, s.height, s.width}, {row * s.height, 1, row, s.channels},
                         at::kFloat);
  }
  [[nodiscard]] static at::Tensor targets(const Batch& batch) {
    return at::from_blob(const_cast<std::int64_t*>(batch.targets.data()),
                         {static_cast<std::int64_t>(batch.targets.size())}, at::kLong);
  }
  at::Tensor scores(const Batch& batch) {
    const AutocastScope autocast(setup.precision);
    return model->scores(input(batch));
  }
  Result<void> chooseLinearWay() {
    // One choice for all ranks, so that equal seeds give equal runs on every rank count of one machine. In
    // bfloat16 matrices go to oneDNN anyway.
    const bool measure = setup.precision == Precision::Fp32 && !setup.deterministic;
    float convolution = 0;
    if (measure && setup.rank == 0)
      convolution = fasterLinearWay(*model, setup.batchSize) == LinearWay::Convolution ? 1 : 0;
    if (auto sent = communicator.broadcast({&convolution, 1}); !sent) return sent;
    model->useLinearWay(convolution > 0 ? LinearWay::Convolution : LinearWay::Matrix);
    return {};
  }
  [[nodiscard]] double gradientScale(double norm) const {
    constexpr double kSmall = 1e-6;  // PyTorch's clip_grad_norm_
    return setup.clipNorm > 0 ? std::min(1.0, setup.clipNorm / (norm + kSmall)) : 1.0;
  }
  void changeWeights(double learningRate, double scale) {
    constexpr std::int64_t kGrain = 1 << 18;
    optimizer->beginUpdate();
    at::parallel_for(0, static_cast<std::int64_t>(flat->weights().size()), kGrain,
                     [&](std::int64_t begin, std::int64_t end) {
                       const auto first = static_cast<std::size_t>(begin);
                       const auto count = static_cast<std::size_t>(end - begin);
                       optimizer->update(first, flat->weights().subspan(first, count),
                                         flat->gradients().subspan(first, count), learningRate, scale);
                     });
    std::ranges::fill(flat->passengers(), 0.0F);
  }

  void enter(Activity activity) const {
    if (setup.progress != nullptr) setup.progress->enter(activity);
  }

  ReplicaSetup setup;
  Communicator& communicator;
  std::shared_ptr<Model> model;
  std::unique_ptr<FlatParameters> flat;
  std::unique_ptr<Optimizer> optimizer;
  std::unique_ptr<GradientReducer> reducer;
  StepResult step;         // what accumulate() has found so far
  double localWeight = 0;  // of the parts in it
};

Replica::Replica(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Replica::Replica(Replica&&) noexcept = default;
Replica& Replica::operator=(Replica&&) noexcept = default;
Replica::~Replica() = default;

Result<Replica> Replica::make(const ReplicaSetup& setup, Communicator& communicator) {
  try {
    at::set_num_threads(setup.threads);
    at::globalContext().setDeterministicAlgorithms(setup.deterministic, /*warn_only=*/false);
    at::manual_seed(setup.seed);
    auto model = makeModel(setup.model);
    if (!model) return failure(model.error());
    if (!setup.initialWeights.empty() && setup.rank == 0) {
      if (auto loaded = loadStateDict(**model, setup.initialWeights); !loaded) return failure(loaded.error());
    }
    auto impl = std::make_unique<Impl>(setup, communicator, std::move(*model));
    if (auto sent = communicator.broadcast(impl->flat->weights()); !sent) return failure(sent.error());
    if (auto chosen = impl->chooseLinearWay(); !chosen) return failure(chosen.error());
    Replica replica(std::move(impl));
    if (auto shared = replica.shareBuffers(); !shared) return failure(shared.error());
    return replica;
  } catch (const std::exception& error) {
    return failure(computingStatus("cannot build the network", error));
  }
}

Result<void> Replica::accumulate(const Batch& batch, const Part& part) {
  try {
    const auto start = Steady::now();
    const auto passengers = impl_->flat->passengers();
    if (part.isLast) impl_->reducer->expectLastBackward();
    if (part.isLast) passengers[kStopAsked] = part.stopAsked ? 1.0F : 0.0F;
    if (batch.samples == 0) return {};
    impl_->enter(Activity::Forward);
    impl_->model->train();
    at::manual_seed(part.seed);
    const at::Tensor loss = at::cross_entropy_loss(impl_->scores(batch).to(at::kFloat), Impl::targets(batch));
    const double value = loss.item<float>();
    impl_->step.loss += value * part.weight;
    impl_->localWeight += part.weight;
    passengers[kMeanLoss] += static_cast<float>(value * part.weight);
    const auto forwardDone = Steady::now();
    impl_->enter(Activity::Backward);
    loss.backward(at::scalar_tensor(part.weight, at::kFloat));
    impl_->step.times.forward += milliseconds(start, forwardDone);
    impl_->step.times.backward += milliseconds(forwardDone, Steady::now());
    return {};
  } catch (const std::exception& error) {
    return failure(computingStatus("a training step failed", error));
  }
}

Result<StepResult> Replica::update(double learningRate) {
  const auto start = Steady::now();
  if (auto summed = impl_->reducer->finish(); !summed) return failure(summed.error());
  const auto waitDone = Steady::now();
  impl_->enter(Activity::Optimizer);
  StepResult result = std::exchange(impl_->step, {});
  const double weight = std::exchange(impl_->localWeight, 0);
  result.loss = weight > 0 ? result.loss / weight : 0;
  const auto passengers = impl_->flat->passengers();
  result.meanLoss = passengers[kMeanLoss];
  result.stopAsked = passengers[kStopAsked] > 0;
  result.gradientNorm = std::sqrt(sumOfSquares(impl_->flat->gradients()));
  impl_->changeWeights(learningRate, impl_->gradientScale(result.gradientNorm));
  result.times.wait = milliseconds(start, waitDone);
  result.times.optimizer = milliseconds(waitDone, Steady::now());
  return result;
}

Result<void> Replica::evaluate(const Batch& batch, EvaluationCounts& counts) {
  if (batch.samples == 0) return {};
  try {
    const c10::InferenceMode inference;
    impl_->model->eval();
    const at::Tensor scores = impl_->scores(batch).to(at::kFloat);
    const auto targetCount = static_cast<double>(batch.targets.size());
    counts.lossSum += at::cross_entropy_loss(scores, Impl::targets(batch)).item<float>() * targetCount;
    const at::Tensor guesses = scores.argmax(1).contiguous();
    const std::int64_t* guess = guesses.data_ptr<std::int64_t>();
    const auto classes = static_cast<std::size_t>(impl_->setup.model.shape.classes);
    counts.seen.resize(classes);
    counts.right.resize(classes);
    for (std::size_t i = 0; i < batch.targets.size(); ++i) {
      const auto target = static_cast<std::size_t>(batch.targets[i]);
      ++counts.seen[target];
      if (guess[i] == batch.targets[i]) ++counts.right[target];
    }
    return {};
  } catch (const std::exception& error) {
    return failure(computingStatus("an evaluation failed", error));
  }
}

Result<void> Replica::shareBuffers() {
  std::vector<at::Tensor> buffers = impl_->model->buffers();
  std::vector<float> all;
  for (const at::Tensor& buffer : buffers) {
    const at::Tensor values = buffer.to(at::kFloat).contiguous();
    all.insert(all.end(), values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
  }
  if (all.empty()) return {};
  if (auto sent = impl_->communicator.broadcast(all); !sent) return sent;
  const at::NoGradGuard noGrad;
  std::size_t at = 0;
  for (at::Tensor& buffer : buffers) {
    buffer.copy_(at::from_blob(all.data() + at, buffer.sizes(), at::kFloat));
    at += static_cast<std::size_t>(buffer.numel());
  }
  return {};
}

std::string Replica::archiveBytes(const std::string& position) const {
  return trainer::archiveBytes(*impl_->model, *impl_->flat, *impl_->optimizer, position);
}

Result<std::string> Replica::restore(const std::string& bytes) {
  Result<std::string> position = std::string();
  if (impl_->setup.rank == 0) {
    position = restoreArchive(bytes, *impl_->model, *impl_->flat, *impl_->optimizer);
    if (!position) return position;
  }
  Communicator& all = impl_->communicator;
  if (auto sent = all.broadcast(impl_->flat->weights()); !sent) return failure(sent.error());
  for (std::size_t i = 0; i < impl_->optimizer->momentCount(); ++i) {
    if (auto sent = all.broadcast(impl_->optimizer->moment(i)); !sent) return failure(sent.error());
  }
  auto updates =
      static_cast<float>(impl_->optimizer->updates());  // exact below 2^24, and then it matters no more
  if (auto sent = all.broadcast({&updates, 1}); !sent) return failure(sent.error());
  if (impl_->setup.rank != 0) impl_->optimizer->setUpdates(static_cast<long long>(updates));
  if (auto shared = shareBuffers(); !shared) return failure(shared.error());
  return position;
}

std::string Replica::stateDictBytes() const {
  return trainer::stateDictBytes(*impl_->model);
}

Result<std::string> Replica::torchScriptBytes() const {
  return trainer::torchScriptBytes(*impl_->model, impl_->setup.model);
}

std::span<const float> Replica::weights() const {
  return impl_->flat->weights();
}

}  // namespace lockstep::trainer
