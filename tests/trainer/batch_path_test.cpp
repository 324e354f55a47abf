// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/replica/batch_path.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <numeric>

#include "trainer/ddp/replica/host_copy.h"

namespace lockstep::trainer {
namespace {

constexpr SampleShape kSmallImages{SampleShape::Kind::Image, 3, 2, 4, 0, 10};

Batch numbered(const SampleShape& shape, std::size_t samples, int first) {
  Batch batch;
  batch.resize(shape, samples);
  std::iota(batch.pixels.begin(), batch.pixels.end(), static_cast<float>(first));
  std::iota(batch.tokens.begin(), batch.tokens.end(), first);
  std::iota(batch.targets.begin(), batch.targets.end(), first);
  return batch;
}

void expectHolds(const BatchPath::Tensors& tensors, const SampleShape& shape, const Batch& batch) {
  const BatchPath::Tensors wanted = BatchPath(shape, at::kCPU, false).bring(batch);
  EXPECT_TRUE(tensors.input.equal(wanted.input));
  EXPECT_EQ(tensors.input.strides(), wanted.input.strides());
  EXPECT_TRUE(tensors.targets.equal(wanted.targets));
}

TEST(BatchPath, OnACpuTheTensorsAreTheBatch) {
  const Batch batch = numbered(kSmallImages, 2, 5);
  const auto there = BatchPath(kSmallImages, at::kCPU, false).bring(batch);
  EXPECT_EQ(there.input.data_ptr<float>(), batch.pixels.data());
  EXPECT_EQ(there.targets.data_ptr<std::int64_t>(), batch.targets.data());
  EXPECT_EQ(there.input.sizes(), (std::vector<std::int64_t>{2, 3, 2, 4}));
  EXPECT_EQ(there.input[1][2][1][3].item<float>(), 5 + 47) << "colours are side by side";
  EXPECT_TRUE(there.input.is_contiguous(at::MemoryFormat::ChannelsLast));
}

TEST(BatchPath, WhatWasStagedStaysWhileTheNextIsStaged) {
  const SampleShape text{SampleShape::Kind::Tokens, 0, 0, 0, 7, 256};
  for (const SampleShape& shape : {kSmallImages, text}) {
    BatchPath path(shape, at::kCPU, true);
    Batch before = numbered(shape, 3, 1000);
    BatchPath::Tensors held = path.bring(before);
    for (const std::size_t samples :
         {3U, 1U, 5U, 2U}) {  // a last batch is smaller, another --batch-size larger
      const Batch batch = numbered(shape, samples, static_cast<int>(samples));
      const auto there = path.bring(batch);
      expectHolds(there, shape, batch);
      expectHolds(held, shape, before);
      held = there;
      before = batch;
    }
  }
}

TEST(BatchPath, AnEvaluationLeavesNothingThatTrainingMayNotWriteTo) {
  BatchPath path(kSmallImages, at::kCPU, true);
  const Batch batch = numbered(kSmallImages, 2, 0);
  {
    const c10::InferenceMode inference;
    path.bring(batch);
    path.bring(batch);
  }
  const auto there = path.bring(batch);
  expectHolds(there, kSmallImages, batch);
  EXPECT_FALSE(there.input.is_inference());
}

TEST(HostCopy, HoldsTheNumbersAsTheyWere) {
  HostCopy copy(at::kCPU);
  for (const std::int64_t count : {3, 6, 2}) {
    at::Tensor numbers = at::arange(count, at::kFloat);
    copy.begin(numbers);
    numbers.zero_();
    const auto told = copy.wait();
    ASSERT_EQ(told.size(), static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i], static_cast<float>(i));
  }
}

}  // namespace
}  // namespace lockstep::trainer
