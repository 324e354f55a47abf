// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/replica/replica.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>
#include <torch/cuda.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

#include "trainer/ddp/base/exit_codes.h"
#include "trainer/ddp/device/gpu_timer.h"
#include "trainer/ddp/replica/batch_path.h"
#include "trainer/ddp/replica/flat_optimizer.h"
#include "trainer/ddp/replica/flat_parameters.h"
#include "trainer/ddp/replica/gradient_reducer.h"
#include "trainer/ddp/replica/host_copy.h"
#include "trainer/ddp/replica/training_archive.h"
#include "trainer/models/model.h"
#include "trainer/models/state_dict.h"
#include "trainer/optim/flat_kernels.h"
#include "trainer/optim/loss_scale.h"

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;

enum PiggybackedScalar : std::size_t { kStopAsked = 0, kMeanLoss = 1 };

double milliseconds(Steady::time_point from, Steady::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

at::ScalarType typeOf(Precision precision) {
  return precision == Precision::Fp16 ? at::kHalf : at::kBFloat16;
}

void switchAutocast(bool on, bool gpu, at::ScalarType type) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
  const auto device = gpu ? at::kCUDA : at::kCPU;
  at::autocast::set_autocast_dtype(device, type);
  at::autocast::set_autocast_enabled(device, on);
#else
  if (gpu) {
    at::autocast::set_autocast_gpu_dtype(type);
    at::autocast::set_enabled(on);
  } else {
    at::autocast::set_autocast_cpu_dtype(type);
    at::autocast::set_cpu_enabled(on);
  }
#endif
}

// As Python's `with torch.autocast(device, dtype)`.
class AutocastScope {
 public:
  AutocastScope(Precision precision, bool gpu)
      : on_(precision != Precision::Fp32), gpu_(gpu), type_(typeOf(precision)) {
    if (on_) switchAutocast(true, gpu_, type_);
  }
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;
  ~AutocastScope() {
    if (!on_) return;
    switchAutocast(false, gpu_, type_);
    at::autocast::clear_cache();  // of weights in the small type, which the update makes stale
  }

 private:
  bool on_, gpu_;
  at::ScalarType type_;
};

at::Device deviceOf(const Device& device) {
  return device.isGpu ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device.index))
                      : at::Device(at::kCPU);
}

}  // namespace

struct Replica::Impl {
  Impl(const ReplicaSetup& setup_, Communicator& communicator_, Communicator& gradients,
       std::shared_ptr<Model> model_)
      : setup(setup_),
        communicator(communicator_),
        model(std::move(model_)),
        path(setup.model.shape, deviceOf(setup.device), setup.device.isGpu),
        numbers(deviceOf(setup.device)),
        lossScale(setup.precision == Precision::Fp16 ? LossScale() : LossScale(1)) {
    model->to(deviceOf(setup.device), at::kFloat);
    for (at::Tensor& parameter : model->parameters()) {
      if (parameter.dim() == 4) parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
    }
    flat = std::make_unique<FlatParameters>(model->parameters());
    optimizer = setup.device.isGpu ? makeTensorOptimizer(setup.optimizer, flat->weightTensor())
                                   : makeHostOptimizer(setup.optimizer, flat->weights().size());
    reducer = std::make_unique<GradientReducer>(*flat, gradients, setup.overlap);
    if (setup.device.isGpu) gpuTimer = makeGpuTimer(setup.device.index);
  }

  at::Tensor scores(const at::Tensor& input) {
    const AutocastScope autocast(setup.precision, setup.device.isGpu);
    return model->scores(input);
  }
  BatchPath::Tensors bring(const Batch& batch) {
    if (!setup.device.isGpu) return path.bring(batch);
    enter(RankPhase::HostToDevice);
    lap(&DeviceTimes::idle);
    BatchPath::Tensors there = path.bring(batch);
    lap(&DeviceTimes::hostToDevice);
    return there;
  }
  /// Rank 0's numbers for everyone, through memory of the host.
  Result<void> share(const at::Tensor& tensor) const {
    if (setup.worldSize == 1) return {};
    at::Tensor here = tensor.to(at::kCPU).contiguous();
    const std::span<float> all(here.data_ptr<float>(), static_cast<std::size_t>(here.numel()));
    if (auto sent = communicator.broadcast(all); !sent) return sent;
    const at::NoGradGuard noGrad;
    if (!here.is_same(tensor)) tensor.copy_(here);
    return {};
  }
  [[nodiscard]] double gradientScale(double norm) const {
    constexpr double kSmall = 1e-6;  // PyTorch's clip_grad_norm_
    return setup.clipNorm > 0 ? std::min(1.0, setup.clipNorm / (norm + kSmall)) : 1.0;
  }
  // The piggybacked scalars of this rank, before they travel. On a GPU nothing waits for the loss to be there.
  void addPiggybackedScalars(const at::Tensor& loss, const Part& part) {
    if (!setup.device.isGpu) {
      const double value = loss.item<float>() * part.weight;
      step.loss += value;
      flat->piggybackedScalars()[kMeanLoss] += static_cast<float>(value);
      return;
    }
    const at::Tensor value = loss.detach() * part.weight;
    flat->piggybackedTensor()[kMeanLoss].add_(value);
    deviceLoss = deviceLoss.defined() ? deviceLoss + value : value;
  }
  void boardStop(bool asked) {
    if (setup.device.isGpu) {
      if (asked) flat->piggybackedTensor()[kStopAsked].fill_(1);
    } else {
      flat->piggybackedScalars()[kStopAsked] = asked ? 1.0F : 0.0F;
    }
  }
  // On a GPU the update does not wait for the host to have seen the norm, where it does not depend on it.
  [[nodiscard]] bool needsNormFirst() const {
    return !setup.device.isGpu || setup.clipNorm > 0 || setup.precision == Precision::Fp16;
  }
  // What a GPU is to tell about the step.
  void sendNumbers() {
    if (!setup.device.isGpu) return;
    const at::Tensor own = deviceLoss.defined() ? deviceLoss : at::zeros({}, flat->weightTensor().options());
    deviceLoss = at::Tensor();
    numbers.begin(
        at::cat({flat->piggybackedTensor(), flat->gradientTensor().norm().view({1}), own.view({1})}));
  }
  // What travelled, the norm of the gradients, and this rank's loss: the one time in a step that the host
  // waits for a GPU.
  void readPiggybackedScalars(StepResult& result) {
    if (!setup.device.isGpu) {
      const auto piggybackedScalars = flat->piggybackedScalars();
      result.meanLoss = piggybackedScalars[kMeanLoss];
      result.stopAsked = piggybackedScalars[kStopAsked] > 0;
      // Without clipping the update finds it on its way.
      if (setup.clipNorm > 0) result.gradientNorm = std::sqrt(sumOfSquares(flat->gradients()));
      return;
    }
    const std::span<const float> told = numbers.wait();
    result.meanLoss = told[kMeanLoss];
    result.stopAsked = told[kStopAsked] > 0;
    result.gradientNorm = told[FlatParameters::kPiggybackedScalars];
    result.loss = told[FlatParameters::kPiggybackedScalars + 1];
    readLaps(result.times);
  }
  // The GPU has just said that it is through with all but the update.
  void readLaps(StepTimes& times) const {
    if (!gpuTimer) return;
    const DeviceTimes device = gpuTimer->take();
    times.idle = device.idle;
    times.hostToDevice = device.hostToDevice;
    times.forward = device.forward;
    times.backward = device.backward;
    times.optimizer = device.optimizer;
  }
  void lap(double DeviceTimes::*part) const {
    if (gpuTimer) gpuTimer->end(part);
  }
  void changeWeights(StepResult& result, double learningRate) {
    result.gradientNorm /= lossScale.value();
    const bool finite = std::isfinite(result.gradientNorm);
    result.skipped = setup.precision == Precision::Fp16 && !finite;
    if (result.skipped) {
      flat->gradientTensor().zero_();
    } else {
      const auto squares =
          optimizer->update(*flat, learningRate, gradientScale(result.gradientNorm) / lossScale.value());
      if (squares) result.gradientNorm = std::sqrt(*squares);
    }
    if (setup.precision == Precision::Fp16) lossScale.update(finite);
    flat->piggybackedTensor().zero_();
  }

  void enter(RankPhase phase) const {
    if (setup.progress != nullptr) setup.progress->enter(phase);
  }

  ReplicaSetup setup;
  Communicator& communicator;
  std::shared_ptr<Model> model;
  std::unique_ptr<FlatParameters> flat;
  std::unique_ptr<FlatOptimizer> optimizer;
  std::unique_ptr<GradientReducer> reducer;
  BatchPath path;
  HostCopy numbers;                    // piggybacked scalars, norm, loss; of a GPU
  std::unique_ptr<GpuTimer> gpuTimer;  // null on a CPU, where the host's clock says it
  StepResult step;                     // what accumulate() has found so far
  at::Tensor deviceLoss;               // step.loss, on a GPU
  LossScale lossScale;
  std::vector<float> weightsOnHost;
  double localWeight = 0;  // of the parts in it
};

Replica::Replica(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Replica::Replica(Replica&&) noexcept = default;
Replica& Replica::operator=(Replica&&) noexcept = default;
Replica::~Replica() = default;

bool Replica::computesOnGpu() const {
  return impl_->setup.device.isGpu;
}

std::size_t Replica::parameterCount() const {
  return static_cast<std::size_t>(impl_->flat->weightTensor().numel());
}

int usableGpus() {
  return static_cast<int>(torch::cuda::device_count());
}

Result<Replica> Replica::make(const ReplicaSetup& setup, Communicator& communicator,
                              Communicator& gradients) {
  try {
    at::set_num_threads(setup.threads);
    at::globalContext().setDeterministicAlgorithms(setup.deterministic, /*warn_only=*/false);
    at::globalContext().setBenchmarkCuDNN(!setup.deterministic);
    at::manual_seed(setup.seed);
    auto model = makeModel(setup.model);
    if (!model) return failure(model.error());
    if (!setup.initialWeights.empty() && setup.rank == 0) {
      if (auto loaded = loadStateDict(**model, setup.initialWeights); !loaded) return failure(loaded.error());
    }
    auto impl = std::make_unique<Impl>(setup, communicator, gradients, std::move(*model));
    if (auto sent = impl->share(impl->flat->weightTensor()); !sent) return failure(sent.error());
    Replica replica(std::move(impl));
    if (auto shared = replica.shareBuffers(); !shared) return failure(shared.error());
    return replica;
  } catch (const std::exception& error) {
    return failure(computingError("cannot build the network", error));
  }
}

Result<void> Replica::accumulate(const Batch& batch, const Part& part) {
  try {
    const auto start = Steady::now();
    if (part.isLast) impl_->reducer->expectLastBackward();
    if (part.isLast) impl_->boardStop(part.stopAsked);
    if (batch.samples == 0) return {};
    const BatchPath::Tensors there = impl_->bring(batch);
    impl_->enter(RankPhase::Forward);
    impl_->model->train();
    at::manual_seed(part.seed);
    const at::Tensor loss = at::cross_entropy_loss(impl_->scores(there.input).to(at::kFloat), there.targets);
    impl_->addPiggybackedScalars(loss, part);
    impl_->localWeight += part.weight;
    impl_->lap(&DeviceTimes::forward);
    const auto forwardDone = Steady::now();
    impl_->enter(RankPhase::Backward);
    loss.backward(at::full_like(loss, part.weight * impl_->lossScale.value()));
    impl_->lap(&DeviceTimes::backward);
    impl_->step.times.forward += milliseconds(start, forwardDone);
    impl_->step.times.backward += milliseconds(forwardDone, Steady::now());
    return {};
  } catch (const std::exception& error) {
    return failure(computingError("a training step failed", error));
  }
}

Result<StepResult> Replica::update(double learningRate) {
  const auto start = Steady::now();
  if (auto summed = impl_->reducer->finish(); !summed) return failure(summed.error());
  const auto waitDone = Steady::now();
  impl_->lap(&DeviceTimes::sums);
  impl_->enter(RankPhase::Optimizer);
  StepResult result = std::exchange(impl_->step, {});
  const double weight = std::exchange(impl_->localWeight, 0);
  try {
    impl_->sendNumbers();
    if (impl_->needsNormFirst()) impl_->readPiggybackedScalars(result);
    impl_->changeWeights(result, learningRate);
    impl_->lap(&DeviceTimes::optimizer);
    if (!impl_->needsNormFirst()) impl_->readPiggybackedScalars(result);
  } catch (const std::exception& error) {
    return failure(computingError("a training step failed", error));
  }
  result.loss = weight > 0 ? result.loss / weight : 0;
  result.times.wait = milliseconds(start, waitDone);
  if (!impl_->gpuTimer) result.times.optimizer = milliseconds(waitDone, Steady::now());
  return result;
}

Result<void> Replica::evaluate(const Batch& batch, EvaluationCounts& counts) {
  if (batch.samples == 0) return {};
  try {
    const c10::InferenceMode inference;
    impl_->model->eval();
    const BatchPath::Tensors there = impl_->path.bring(batch);
    const at::Tensor scores = impl_->scores(there.input).to(at::kFloat);
    const auto targetCount = static_cast<double>(batch.targets.size());
    counts.lossSum += at::cross_entropy_loss(scores, there.targets).item<float>() * targetCount;
    const at::Tensor guesses = scores.argmax(1).to(at::kCPU).contiguous();
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
    return failure(computingError("an evaluation failed", error));
  }
}

Result<void> Replica::shareBuffers() {
  std::vector<at::Tensor> buffers = impl_->model->buffers();
  std::vector<float> all;
  for (const at::Tensor& buffer : buffers) {
    const at::Tensor values = buffer.to(at::kCPU, at::kFloat).contiguous();
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
  if (auto sent = impl_->share(impl_->flat->weightTensor()); !sent) return failure(sent.error());
  for (const at::Tensor& moment : impl_->optimizer->moments()) {
    if (auto sent = impl_->share(moment); !sent) return failure(sent.error());
  }
  auto updates =
      static_cast<float>(impl_->optimizer->updates());  // exact below 2^24, and then it matters no more
  if (auto sent = impl_->communicator.broadcast({&updates, 1}); !sent) return failure(sent.error());
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
  if (!impl_->setup.device.isGpu) return impl_->flat->weights();
  const at::Tensor here = impl_->flat->weightTensor().to(at::kCPU);
  impl_->weightsOnHost.assign(here.data_ptr<float>(), here.data_ptr<float>() + here.numel());
  return impl_->weightsOnHost;
}

}  // namespace lockstep::trainer
