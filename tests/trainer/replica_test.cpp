// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned step (flat buffers, fused update, channel-last, pooling before relu) against the plain one of
// LibTorch, and the copies of several ranks against one.
#include <gtest/gtest.h>
#include <torch/optim/sgd.h>
#include <torch/serialize.h>

#include <cmath>
#include <latch>
#include <map>
#include <numeric>
#include <random>
#include <thread>
#include <utility>

#include "trainer/data/cifar10.h"
#include "trainer/ddp/collectives/shared_memory_communicator.h"
#include "trainer/ddp/replica/flat_optimizer.h"
#include "trainer/ddp/replica/replica.h"
#include "trainer/models/cifar_net.h"

namespace lockstep::trainer {
namespace {

constexpr int kSteps = 6;
constexpr double kRate = 0.05;
constexpr double kMomentum = 0.9;
using Weights = std::map<std::string, at::Tensor>;

Batch drawnBatch(int samples, int firstSample, const SampleShape& shape = {}) {
  Batch batch;
  batch.resize(shape, static_cast<std::size_t>(samples));
  const auto classes = static_cast<std::uint32_t>(shape.classes);
  const std::size_t inputs = shape.inputsPerSample();
  const std::size_t targets = shape.targetsPerSample();
  for (std::size_t i = 0; i < static_cast<std::size_t>(samples); ++i) {
    std::mt19937 random(static_cast<std::uint32_t>(firstSample) + static_cast<std::uint32_t>(i) + 1);
    for (std::size_t j = 0; j < inputs; ++j) {
      if (shape.isImage())
        batch.pixels[i * inputs + j] = static_cast<float>(random() % 256) / 127.5F - 1.0F;
      else
        batch.tokens[i * inputs + j] = random() % classes;
    }
    for (std::size_t j = 0; j < targets; ++j) batch.targets[i * targets + j] = random() % classes;
  }
  return batch;
}

Result<StepResult> stepWith(Replica& replica, const Batch& batch, double weight = 1) {
  Replica::Part part;
  part.weight = weight;
  if (auto added = replica.accumulate(batch, part); !added) return failure(added.error());
  return replica.update(kRate);
}

Weights weightsOf(const Replica& replica) {
  const std::string bytes = replica.stateDictBytes();
  Weights weights;
  for (const auto& entry : torch::pickle_load({bytes.begin(), bytes.end()}).toGenericDict())
    weights[entry.key().toStringRef()] = entry.value().toTensor();
  return weights;
}

double largestDifference(const Weights& a, const Weights& b) {
  double largest = 0;
  for (const auto& [name, tensor] : a)
    largest = std::max(largest, (tensor - b.at(name)).abs().max().item<double>());
  return largest;
}

ReplicaSetup setupOf(int rank, int world) {
  ReplicaSetup setup;
  setup.rank = rank;
  setup.worldSize = world;
  setup.model.dropout = 0;  // drawn per rank, so it would differ
  setup.optimizer.momentum = kMomentum;
  setup.seed = 3;
  return setup;
}

Weights trainedAlone(int batch) {
  const auto communicator = makeLoneCommunicator();
  auto replica = Replica::make(setupOf(0, 1), *communicator);
  for (int step = 0; step < kSteps; ++step) {
    EXPECT_TRUE(stepWith(*replica, drawnBatch(batch, step * batch)));
  }
  return weightsOf(*replica);
}

at::Tensor plainForward(CifarNet& net, const at::Tensor& images) {
  const auto p = [&](const char* name) { return net.named_parameters()[name]; };
  at::Tensor x = at::relu(at::conv2d(images, p("conv1.weight"), p("conv1.bias")));
  x = at::max_pool2d(at::relu(at::conv2d(x, p("conv2.weight"), p("conv2.bias"))), {2, 2});
  x = at::max_pool2d(at::relu(at::conv2d(x, p("conv3.weight"), p("conv3.bias"))), {2, 2});
  x = at::relu(at::linear(x.reshape({-1, 4608}), p("fc1.weight"), p("fc1.bias")));
  return at::linear(at::relu(at::linear(x, p("fc2.weight"), p("fc2.bias"))), p("fc3.weight"), p("fc3.bias"));
}

TEST(Replica, TakesTheStepsOfLibTorchsSgd) {
  constexpr int kBatch = 6;
  at::manual_seed(3);
  CifarNet net(0);
  torch::optim::SGD optimizer(net.parameters(), torch::optim::SGDOptions(kRate).momentum(kMomentum));
  for (int step = 0; step < kSteps; ++step) {
    Batch batch = drawnBatch(kBatch, step * kBatch);
    const at::Tensor images = at::from_blob(batch.pixels.data(), {kBatch, 32, 32, 3}, at::kFloat)
                                  .permute({0, 3, 1, 2})
                                  .contiguous();
    optimizer.zero_grad();
    at::cross_entropy_loss(plainForward(net, images),
                           at::from_blob(batch.targets.data(), {kBatch}, at::kLong))
        .backward();
    optimizer.step();
  }
  Weights plain;
  for (const auto& item : net.named_parameters()) plain[item.key()] = item.value().detach().clone();
  EXPECT_LT(largestDifference(plain, trainedAlone(kBatch)), 1e-4);
}

// The random numbers of LibTorch are one stream per process, which ranks of a real job never share: rank 0
// draws its weights first here, and opens the gate with the broadcast of them.
class GateOpener final : public Communicator {
 public:
  GateOpener(Communicator& inner, std::latch& gate) : inner_(inner), gate_(gate) {}
  [[nodiscard]] const char* name() const override { return inner_.name(); }
  Result<void> start(std::span<float> data) override { return inner_.start(data); }
  Result<void> finish() override { return inner_.finish(); }
  Result<void> broadcast(std::span<float> data) override {
    if (!std::exchange(open_, true)) gate_.count_down();
    return inner_.broadcast(data);
  }

 private:
  Communicator& inner_;
  std::latch& gate_;
  bool open_ = false;
};

// `overlap` sends ranges from inside backward, as it is done between machines.
Weights trainedByTwo(int batchPerRank, bool overlap) {
  const auto root = SharedSegment::create(sharedSegmentBytes(2));
  std::vector<std::unique_ptr<Communicator>> communicators;
  for (int rank = 0; rank < 2; ++rank) {
    auto segment = SharedSegment::open(root->path(), ::getpid(), sharedSegmentBytes(2));
    communicators.push_back(
        makeSharedMemoryCommunicator(std::move(*segment), rank, 2, std::chrono::minutes(2)));
  }
  Weights results[2];
  std::latch gate(1);
  GateOpener first(*communicators[0], gate);
  {
    std::vector<std::jthread> ranks;
    for (int rank = 0; rank < 2; ++rank) {
      ranks.emplace_back([&, rank] {
        auto setup = setupOf(rank, 2);
        setup.overlap = overlap;
        if (rank != 0) gate.wait();
        auto replica = Replica::make(setup, rank == 0 ? first : *communicators[1]);
        for (int step = 0; step < kSteps; ++step) {
          EXPECT_TRUE(stepWith(*replica, drawnBatch(batchPerRank, (2 * step + rank) * batchPerRank), 0.5));
        }
        results[rank] = weightsOf(*replica);
      });
    }
  }
  EXPECT_EQ(largestDifference(results[0], results[1]), 0);
  return results[0];
}

TEST(Replica, TwoRanksComeToWhatOneRankComesToWithTheSameBatch) {
  const Weights alone = trainedAlone(8);
  EXPECT_LT(largestDifference(alone, trainedByTwo(4, false)), 1e-4);
  EXPECT_LT(largestDifference(alone, trainedByTwo(4, true)), 1e-4);
}

TEST(Replica, CountsWhatAnEvaluationSaw) {
  const auto communicator = makeLoneCommunicator();
  auto replica = Replica::make(setupOf(0, 1), *communicator);
  EvaluationCounts counts;
  ASSERT_TRUE(replica->evaluate(drawnBatch(20, 0), counts));
  EXPECT_EQ(std::accumulate(counts.seen.begin(), counts.seen.end(), std::int64_t{0}), 20);
  for (std::size_t i = 0; i < counts.seen.size(); ++i) EXPECT_LE(counts.right[i], counts.seen[i]);
  EXPECT_NEAR(counts.lossSum / 20, 2.3, 0.3);
}

TEST(Replica, AFailedSumFailsTheStep) {
  class Broken final : public Communicator {
   public:
    [[nodiscard]] const char* name() const override { return "broken"; }
    Result<void> start(std::span<float>) override { return failure(ErrorCode::Unavailable, "gone"); }
    Result<void> finish() override { return {}; }
    Result<void> broadcast(std::span<float>) override { return {}; }
  } communicator;
  for (const bool overlap : {false, true}) {
    auto setup = setupOf(0, 2);
    setup.overlap = overlap;
    auto replica = Replica::make(setup, communicator);
    const auto step = stepWith(*replica, drawnBatch(4, 0));
    ASSERT_FALSE(step);
    EXPECT_EQ(step.error().code, ErrorCode::Unavailable);
  }
}

// What one rank does with a batch of eight it also does with parts of five, two and one.
TEST(Replica, PartsOfAStepComeToTheWhole) {
  const auto communicator = makeLoneCommunicator();
  auto replica = Replica::make(setupOf(0, 1), *communicator);
  for (int step = 0; step < kSteps; ++step) {
    int first = step * 8;
    for (const int samples : {5, 2, 1}) {
      Replica::Part part;
      part.weight = samples / 8.0;
      part.isLast = samples == 1;
      EXPECT_TRUE(replica->accumulate(drawnBatch(samples, first), part));
      first += samples;
    }
    EXPECT_TRUE(replica->update(kRate));
  }
  EXPECT_LT(largestDifference(trainedAlone(8), weightsOf(*replica)), 1e-4);
}

TEST(Replica, AnEmptyBatchTakesPartWithNothing) {
  const auto communicator = makeLoneCommunicator();
  for (const bool overlap : {false, true}) {
    auto setup = setupOf(0, 1);
    setup.overlap = overlap;
    auto replica = Replica::make(setup, *communicator);
    const Weights before = weightsOf(*replica);
    const auto step = stepWith(*replica, Batch{}, 0);
    ASSERT_TRUE(step);
    EXPECT_EQ(step->gradientNorm, 0);
    EXPECT_EQ(step->loss, 0);
    EXPECT_EQ(largestDifference(before, weightsOf(*replica)), 0);
  }
}

TEST(Replica, ClipsTheNormOfAllGradientsTogether) {
  const auto communicator = makeLoneCommunicator();
  auto setup = setupOf(0, 1);
  setup.optimizer.momentum = 0;
  auto plain = Replica::make(setup, *communicator);
  setup.clipNorm = 0.1;
  auto clipped = Replica::make(setup, *communicator);
  const std::vector<float> before(plain->weights().begin(), plain->weights().end());
  const auto free = stepWith(*plain, drawnBatch(4, 0));
  const auto held = stepWith(*clipped, drawnBatch(4, 0));
  ASSERT_TRUE(free && held);
  EXPECT_NEAR(free->gradientNorm, held->gradientNorm, 1e-5) << "the norm before clipping";
  ASSERT_GT(free->gradientNorm, 0.2);
  double moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    moved += std::pow(static_cast<double>(before[i]) - static_cast<double>(clipped->weights()[i]), 2);
  EXPECT_NEAR(std::sqrt(moved) / kRate, 0.1, 1e-4);
}

TEST(Replica, BfloatStaysNearFloat) {
  const auto communicator = makeLoneCommunicator();
  auto setup = setupOf(0, 1);
  auto exact = Replica::make(setup, *communicator);
  setup.precision = Precision::Bf16;
  auto coarse = Replica::make(setup, *communicator);
  for (int step = 0; step < kSteps; ++step) {
    const Batch batch = drawnBatch(8, 0);
    const auto a = stepWith(*exact, batch);
    const auto b = stepWith(*coarse, batch);
    ASSERT_TRUE(a && b);
    EXPECT_NEAR(a->loss, b->loss, 0.03 * a->loss) << step;
  }
  const double difference = largestDifference(weightsOf(*exact), weightsOf(*coarse));
  EXPECT_GT(difference, 0) << "bf16 was not used";
  EXPECT_LT(difference, 0.02);
}

// Every network takes a step, lowers its loss on one batch, and is the same to the bit when done again.
TEST(Replica, EveryNetworkLearnsOneBatch) {
  const auto communicator = makeLoneCommunicator();
  for (const char* name : {"cifar", "mnist", "resnet18", "gpt-tiny"}) {
    auto setup = setupOf(0, 1);
    setup.model = {name, usualShape(name), 0.0};
    setup.deterministic = true;
    if (!setup.model.shape.isImage()) setup.model.shape.length = 16;
    std::vector<double> losses[2];
    for (auto& run : losses) {
      auto replica = Replica::make(setup, *communicator);
      ASSERT_TRUE(replica) << describe(replica.error());
      const Batch batch = drawnBatch(4, 0, setup.model.shape);
      for (int step = 0; step < 8; ++step) run.push_back(stepWith(*replica, batch)->loss);
    }
    EXPECT_LT(losses[0].back(), losses[0].front() * 0.9) << name;
    EXPECT_EQ(losses[0], losses[1]) << name;
  }
}

// What a GPU does, held against the loops of the host, on a CPU.
TEST(FlatOptimizer, OfTensorsTakesTheStepsOfTheHosts) {
  for (const auto kind : {OptimizerSettings::Kind::Sgd, OptimizerSettings::Kind::AdamW}) {
    OptimizerSettings settings;
    settings.kind = kind;
    settings.weightDecay = 0.1;
    at::manual_seed(1);
    const at::Tensor start = at::randn({1003});
    FlatParameters here({start.clone().set_requires_grad(true)});
    FlatParameters there({start.clone().set_requires_grad(true)});
    const auto host = makeHostOptimizer(settings, here.weights().size());
    const auto tensors = makeTensorOptimizer(settings, there.weightTensor());
    for (int step = 0; step < 5; ++step) {
      const at::Tensor gradients = at::randn({1003});
      for (FlatParameters* flat : {&here, &there}) flat->gradientTensor().copy_(gradients);
      host->update(here, 0.01, 0.5);
      tensors->update(there, 0.01, 0.5);
      EXPECT_EQ(there.gradientTensor().abs().max().item<float>(), 0);
    }
    EXPECT_LT((here.weightTensor() - there.weightTensor()).abs().max().item<float>(), 1e-5F);
    EXPECT_GT((start - there.weightTensor()).abs().max().item<float>(), 1e-3F);
    const auto first = host->moments();
    const auto second = tensors->moments();
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i)
      EXPECT_LT((first[i] - second[i]).abs().max().item<float>(), 1e-5F);
    EXPECT_EQ(host->updates(), 5);
    EXPECT_EQ(tensors->updates(), 5);
  }
}

TEST(Replica, EveryRankGetsTheRunningAveragesOfRankZero) {
  class FromElsewhere final : public Communicator {
   public:
    [[nodiscard]] const char* name() const override { return "from elsewhere"; }
    Result<void> start(std::span<float>) override { return {}; }
    Result<void> finish() override { return {}; }
    Result<void> broadcast(std::span<float> data) override {
      if (fill) std::ranges::fill(data, 5.0F);
      return {};
    }
    bool fill = false;
  } communicator;
  auto setup = setupOf(1, 2);
  setup.model.name = "resnet18";
  auto replica = Replica::make(setup, communicator);
  ASSERT_TRUE(replica) << describe(replica.error());
  communicator.fill = true;
  ASSERT_TRUE(replica->shareBuffers());
  const Weights weights = weightsOf(*replica);
  EXPECT_EQ(weights.at("bn1.running_mean").min().item<float>(), 5);
  EXPECT_EQ(weights.at("layer4.1.bn2.num_batches_tracked").item<std::int64_t>(), 5);
  EXPECT_NE(weights.at("bn1.weight").max().item<float>(), 5);
}

}  // namespace
}  // namespace lockstep::trainer
