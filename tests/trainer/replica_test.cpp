// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned step (flat buffers, fused update, channel-last, pooling before relu) against the plain one of
// LibTorch, and the copies of several ranks against one.
#include <gtest/gtest.h>
#include <torch/optim/sgd.h>
#include <torch/serialize.h>

#include <latch>
#include <map>
#include <numeric>
#include <random>
#include <thread>
#include <utility>

#include "trainer/ddp/cifar_net.h"
#include "trainer/ddp/flat_parameters.h"
#include "trainer/ddp/replica.h"
#include "trainer/ddp/shared_memory_communicator.h"

namespace lockstep::trainer {
namespace {

constexpr int kSteps = 6;
constexpr double kRate = 0.05;
constexpr double kMomentum = 0.9;
using Weights = std::map<std::string, at::Tensor>;

void fill(Replica::Input input, int firstSample) {
  const auto samples = input.labels.size();
  for (std::size_t i = 0; i < samples; ++i) {
    std::mt19937 random(static_cast<std::uint32_t>(firstSample) + static_cast<std::uint32_t>(i) + 1);
    for (std::size_t j = 0; j < kImageBytes; ++j)
      input.pixels[i * kImageBytes + j] = static_cast<float>(random() % 256) / 127.5F - 1.0F;
    input.labels[i] = random() % kClassCount;
  }
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

ReplicaSetup setupOf(int rank, int world, int batch) {
  ReplicaSetup setup;
  setup.rank = rank;
  setup.worldSize = world;
  setup.maxBatchSize = batch;
  setup.dropout = 0;  // drawn per rank, so it would differ
  setup.seed = 3;
  return setup;
}

Weights trainedAlone(int batch) {
  const auto communicator = makeLoneCommunicator();
  auto replica = Replica::make(setupOf(0, 1, batch), *communicator);
  for (int step = 0; step < kSteps; ++step) {
    fill(replica->input(batch), step * batch);
    EXPECT_TRUE(replica->step(batch, kRate, kMomentum));
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
  std::vector<float> pixels(kBatch * kImageBytes);
  std::vector<std::int64_t> labels(kBatch);
  for (int step = 0; step < kSteps; ++step) {
    fill({pixels, labels}, step * kBatch);
    const at::Tensor images =
        at::from_blob(pixels.data(), {kBatch, 32, 32, 3}, at::kFloat).permute({0, 3, 1, 2}).contiguous();
    optimizer.zero_grad();
    at::cross_entropy_loss(plainForward(net, images), at::from_blob(labels.data(), {kBatch}, at::kLong))
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
    auto segment = SharedSegment::open(root->path(), sharedSegmentBytes(2));
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
        auto setup = setupOf(rank, 2, batchPerRank);
        setup.overlap = overlap;
        if (rank != 0) gate.wait();
        auto replica = Replica::make(setup, rank == 0 ? first : *communicators[1]);
        for (int step = 0; step < kSteps; ++step) {
          fill(replica->input(batchPerRank), (2 * step + rank) * batchPerRank);
          EXPECT_TRUE(replica->step(batchPerRank, kRate, kMomentum));
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

TEST(Replica, LinearAsConvolutionGivesTheSameScores) {
  CifarNet net(0);
  net.eval();
  const at::Tensor images = at::rand({5, 3, 32, 32});
  const at::Tensor plain = net.forward(images);
  net.useConvolutionForLinear(true);
  EXPECT_LT((net.forward(images) - plain).abs().max().item<double>(), 1e-4);
}

TEST(Replica, CountsWhatAnEvaluationSaw) {
  const auto communicator = makeLoneCommunicator();
  auto replica = Replica::make(setupOf(0, 1, 20), *communicator);
  fill(replica->input(20), 0);
  EvaluationCounts counts;
  replica->evaluate(20, counts);
  EXPECT_EQ(std::accumulate(counts.seen.begin(), counts.seen.end(), std::int64_t{0}), 20);
  for (std::size_t i = 0; i < counts.seen.size(); ++i) EXPECT_LE(counts.right[i], counts.seen[i]);
  EXPECT_NEAR(counts.lossSum / 20, 2.3, 0.3);
}

TEST(Replica, AFailedSumFailsTheStep) {
  class Broken final : public Communicator {
   public:
    [[nodiscard]] const char* name() const override { return "broken"; }
    Result<void> start(std::span<float>) override { return failure(StatusCode::Unavailable, "gone"); }
    Result<void> finish() override { return {}; }
    Result<void> broadcast(std::span<float>) override { return {}; }
  } communicator;
  for (const bool overlap : {false, true}) {
    auto setup = setupOf(0, 2, 4);
    setup.overlap = overlap;
    auto replica = Replica::make(setup, communicator);
    fill(replica->input(4), 0);
    const auto step = replica->step(4, kRate, kMomentum);
    ASSERT_FALSE(step);
    EXPECT_EQ(step.error().code, StatusCode::Unavailable);
  }
}

}  // namespace
}  // namespace lockstep::trainer
