// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/replica.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "trainer/ddp/cifar_net.h"
#include "trainer/ddp/flat_parameters.h"

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;

double milliseconds(Steady::time_point from, Steady::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace

struct Replica::Impl {
  Impl(const ReplicaSetup& setup, Communicator& communicator_)
      : worldSize(setup.worldSize),
        communicator(communicator_),
        pixels(static_cast<std::size_t>(setup.maxBatchSize) * kImageBytes),
        labels(static_cast<std::size_t>(setup.maxBatchSize)),
        net(setup.dropout) {
    net.to(at::kFloat);
    for (at::Tensor& parameter : net.parameters()) {
      if (parameter.dim() == 4) parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
    }
    flat = std::make_unique<FlatParameters>(net.parameters());
    reducer = std::make_unique<GradientReducer>(*flat, communicator, setup.overlap);
  }

  [[nodiscard]] at::Tensor images(int samples) {
    constexpr auto kRow = static_cast<std::int64_t>(kImageSide * kImageChannels);
    return at::from_blob(pixels.data(), {samples, kImageChannels, kImageSide, kImageSide},
                         {static_cast<std::int64_t>(kImageBytes), 1, kRow, kImageChannels}, at::kFloat);
  }
  [[nodiscard]] at::Tensor classes(int samples) { return at::from_blob(labels.data(), {samples}, at::kLong); }

  int worldSize;
  Communicator& communicator;
  std::vector<float> pixels;
  std::vector<std::int64_t> labels;
  CifarNet net;
  std::unique_ptr<FlatParameters> flat;
  std::unique_ptr<GradientReducer> reducer;
};

Replica::Replica(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Replica::Replica(Replica&&) noexcept = default;
Replica& Replica::operator=(Replica&&) noexcept = default;
Replica::~Replica() = default;

Result<Replica> Replica::make(const ReplicaSetup& setup, Communicator& communicator) {
  try {
    at::set_num_threads(setup.threads);
    at::manual_seed(setup.seed);
    auto impl = std::make_unique<Impl>(setup, communicator);
    if (auto sent = communicator.broadcast(impl->flat->weights()); !sent) return failure(sent.error());
    // One choice for all ranks, so that equal seeds give equal runs on every rank count of one machine.
    float convolution = setup.rank == 0 && impl->net.convolutionIsFaster(setup.maxBatchSize) ? 1 : 0;
    if (auto sent = communicator.broadcast({&convolution, 1}); !sent) return failure(sent.error());
    impl->net.useConvolutionForLinear(convolution > 0);
    at::manual_seed(setup.seed * 1'000'003 + static_cast<std::uint64_t>(setup.rank) +
                    1);  // dropout differs by rank
    return Replica(std::move(impl));
  } catch (const std::exception& error) {
    return failure(StatusCode::Internal, "cannot build the network", error.what());
  }
}

Replica::Input Replica::input(int samples) {
  const auto count = static_cast<std::size_t>(samples);
  return {std::span(impl_->pixels).first(count * kImageBytes), std::span(impl_->labels).first(count)};
}

Result<StepResult> Replica::step(int samples, double learningRate, double momentum) {
  StepResult result;
  try {
    const auto start = Steady::now();
    impl_->net.train();
    impl_->reducer->beginStep();
    const at::Tensor loss =
        at::cross_entropy_loss(impl_->net.forward(impl_->images(samples)), impl_->classes(samples));
    result.loss = loss.item<float>();
    const auto forwardDone = Steady::now();
    loss.backward();
    const auto backwardDone = Steady::now();
    if (auto summed = impl_->reducer->finish(); !summed) return failure(summed.error());
    const auto waitDone = Steady::now();
    impl_->flat->update({static_cast<float>(learningRate), static_cast<float>(momentum),
                         1.0F / static_cast<float>(impl_->worldSize)});
    result.times = {milliseconds(start, forwardDone), milliseconds(forwardDone, backwardDone),
                    milliseconds(backwardDone, waitDone), milliseconds(waitDone, Steady::now())};
    return result;
  } catch (const std::exception& error) {
    return failure(StatusCode::Internal, "a training step failed", error.what());
  }
}

void Replica::evaluate(int samples, EvaluationCounts& counts) {
  const c10::InferenceMode inference;
  impl_->net.eval();
  const at::Tensor scores = impl_->net.forward(impl_->images(samples));
  counts.lossSum += at::cross_entropy_loss(scores, impl_->classes(samples)).item<float>() * samples;
  const at::Tensor guesses = scores.argmax(1).contiguous();
  const std::int64_t* guess = guesses.data_ptr<std::int64_t>();
  for (int i = 0; i < samples; ++i) {
    const auto label = static_cast<std::size_t>(impl_->labels[static_cast<std::size_t>(i)]);
    ++counts.seen[label];
    if (guess[i] == static_cast<std::int64_t>(label)) ++counts.right[label];
  }
}

std::string Replica::stateDictBytes() const {
  return impl_->net.stateDictBytes();
}

std::span<const float> Replica::weights() const {
  return impl_->flat->weights();
}

}  // namespace lockstep::trainer
