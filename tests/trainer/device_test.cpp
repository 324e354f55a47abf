// SPDX-License-Identifier: GPL-3.0-or-later
// What only a real GPU proves: sums over NVIDIA's own NCCL, steps on the GPU beside the same ones on the CPU,
// and NVML. Without a GPU, or with CUDA_VISIBLE_DEVICES empty, every test leaves itself out.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/child_process.h"
#include "trainer/ddp/collectives/nccl_communicator.h"
#include "trainer/ddp/replica/replica.h"
#include "trainer/usage/nvml.h"

namespace lockstep::trainer {
namespace {

class Device : public ::testing::Test {
 protected:
  void SetUp() override {
    if (usableGpus() == 0) GTEST_SKIP() << "no GPU that LibTorch can use";
  }
};

using Losses = std::vector<double>;

std::span<float> spanOf(at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

// Two ranks on one GPU are what NCCL refuses, so one rank sums alone: the library, the stream and the order
// of both queues are those of any number.
TEST_F(Device, NcclOfOneRankLeavesTheNumbersAsTheyWere) {
  const auto library = NcclLibrary::open(currentEnvironment());
  ASSERT_TRUE(library) << describe(library.error());
  auto queue = makeDeviceQueue(0);
  ASSERT_TRUE(queue) << describe(queue.error());
  NcclSetup setup;
  setup.library = *library;
  setup.queue = std::move(*queue);
  ASSERT_EQ((*library)->getUniqueId(&setup.job), 0);
  auto made = makeNcclCommunicator(std::move(setup));
  ASSERT_TRUE(made) << describe(made.error());
  at::Tensor numbers = at::arange(1 << 20, at::TensorOptions(at::kCUDA).dtype(at::kFloat));
  const at::Tensor expected = numbers * 2;
  for (int step = 0; step < 3; ++step) {
    ASSERT_TRUE((*made)->start(spanOf(numbers)));
    ASSERT_TRUE((*made)->finish());
  }
  numbers.mul_(2);  // queued behind the sums
  EXPECT_TRUE(at::equal(numbers, expected));
  ASSERT_TRUE((*made)->broadcast(spanOf(numbers)));
  EXPECT_TRUE(at::equal(numbers, expected));
  const CommunicationTimes times = (*made)->popTimes();
  EXPECT_GE(times.waitMs, 0);
  EXPECT_GE(times.transferMs, 0);
}

TEST_F(Device, IsTheOneThatARankUses) {
  const int last = usableGpus() - 1;
  if (last == 0) GTEST_SKIP() << "there is one GPU only";
  useDevice(last);
  EXPECT_EQ(at::zeros({1}, at::kCUDA).device().index(), last);
  useDevice(0);
}

Batch drawnBatch(const SampleShape& shape, int samples, std::uint32_t seed) {
  Batch batch;
  batch.resize(shape, static_cast<std::size_t>(samples));
  std::mt19937 random(seed);
  const auto classes = static_cast<std::uint32_t>(shape.classes);
  for (float& pixel : batch.pixels) pixel = static_cast<float>(random() % 256) / 127.5F - 1.0F;
  for (std::int64_t& token : batch.tokens) token = random() % classes;
  for (std::int64_t& target : batch.targets) target = random() % classes;
  return batch;
}

Losses trained(const std::string& model, bool isGpu, Precision precision, const std::string& optimizer) {
  ReplicaSetup setup;
  setup.model.name = model;
  setup.model.shape = usualShape(model);
  setup.model.dropout = 0;
  setup.precision = precision;
  setup.device.isGpu = isGpu;
  setup.seed = 3;
  setup.optimizer.momentum = 0.9;
  if (optimizer == "adamw") setup.optimizer.kind = OptimizerSettings::Kind::AdamW;
  const auto communicator = makeLoneCommunicator();
  auto replica = Replica::make(setup, *communicator);
  if (!replica) throw std::runtime_error(describe(replica.error()));
  EXPECT_EQ(replica->computesOnGpu(), isGpu);
  Losses losses;
  for (std::uint32_t step = 0; step < 6; ++step) {
    if (auto added = replica->accumulate(drawnBatch(setup.model.shape, 8, step + 1), {}); !added)
      throw std::runtime_error(describe(added.error()));
    const auto result = replica->update(optimizer == "adamw" ? 0.001 : 0.02);
    if (!result) throw std::runtime_error(describe(result.error()));
    losses.push_back(result->loss);
  }
  return losses;
}

void expectNear(const Losses& a, const Losses& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "step " << i;
}

TEST_F(Device, TakesTheStepsOfTheCpu) {
  // Products in TF32, which LibTorch leaves convolutions to use, carry ten bits.
  expectNear(trained("cifar", true, Precision::Fp32, "sgd"), trained("cifar", false, Precision::Fp32, "sgd"),
             0.01);
  expectNear(trained("gpt-tiny", true, Precision::Fp32, "adamw"),
             trained("gpt-tiny", false, Precision::Fp32, "adamw"), 0.01);
}

TEST_F(Device, LearnsInSmallPrecisions) {
  const Losses full = trained("gpt-tiny", true, Precision::Fp32, "adamw");
  expectNear(trained("gpt-tiny", true, Precision::Bf16, "adamw"), full, 0.05);
  expectNear(trained("gpt-tiny", true, Precision::Fp16, "adamw"), full, 0.05);
}

TEST_F(Device, SaysWhatItIsDoing) {
  const auto device = NvmlDevice::open(0, currentEnvironment());
  ASSERT_NE(device, nullptr) << "libnvidia-ml.so.1 cannot be used";
  const at::Tensor held = at::ones({64 << 20}, at::TensorOptions(at::kCUDA).dtype(at::kFloat));
  ASSERT_EQ(held[0].item<float>(), 1.0F);
  const GpuUsage usage = device->read();
  ASSERT_TRUE(usage.memoryBytes);
  EXPECT_GE(*usage.memoryBytes, 256.0 * (1 << 20));
  ASSERT_TRUE(usage.percent);
  EXPECT_LE(*usage.percent, 100);
  if (usage.powerWatts) {
    EXPECT_GT(*usage.powerWatts, 0);
  }
  if (usage.lastXid) {
    EXPECT_EQ(*usage.lastXid, 0);
  }
}

}  // namespace
}  // namespace lockstep::trainer
