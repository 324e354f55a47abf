// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/replica/gradient_reducer.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <functional>

namespace lockstep::trainer {
namespace {

// The first bucket is small so that the network starts early (caps measured on a 1 Gbit/s link).
constexpr std::size_t kFirstBucketFloats = (1 << 20) / sizeof(float);
constexpr std::size_t kBucketFloats = (4 << 20) / sizeof(float);

class AfterAccumulation final : public torch::autograd::FunctionPostHook {
 public:
  explicit AfterAccumulation(std::function<void()> action) : action_(std::move(action)) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list&) override {
    action_();
    return outputs;
  }

 private:
  std::function<void()> action_;
};

}  // namespace

GradientReducer::GradientReducer(FlatParameters& parameters, Communicator& communicator, bool overlap)
    : parameters_(parameters), communicator_(communicator) {
  makeBuckets(overlap);
}

GradientReducer::~GradientReducer() = default;

void GradientReducer::makeBuckets(bool overlap) {
  const std::span<float> all = parameters_.gradientsAndPiggybackedScalars();
  if (!overlap) {
    buckets_.push_back({all, 1, 1});
    return;
  }
  std::size_t begin = 0;
  int count = 0;
  for (const auto& slice : parameters_.slices()) {
    const std::size_t end = slice.offset + slice.count;
    const bool isLast = end == parameters_.gradients().size();
    ++count;
    watch(slice, buckets_.size());
    const std::size_t cap = buckets_.empty() ? kFirstBucketFloats : kBucketFloats;
    if (end - begin < cap && !isLast) continue;
    buckets_.push_back({all.subspan(begin, (isLast ? all.size() : end) - begin), count, count});
    begin = end;
    count = 0;
  }
}

void GradientReducer::watch(const FlatParameters::Slice& slice, std::size_t bucket) {
  auto accumulator = torch::autograd::impl::grad_accumulator(slice.parameter);
  accumulator->add_post_hook(std::make_unique<AfterAccumulation>([this, bucket] { gradientReady(bucket); }));
  accumulators_.push_back(std::move(accumulator));
}

void GradientReducer::expectLastBackward() {
  expecting_ = true;
  sent_ = 0;
  failure_ = {};
  for (Bucket& bucket : buckets_) bucket.missing = bucket.parameters;
}

void GradientReducer::gradientReady(std::size_t bucket) {
  if (!expecting_) return;
  --buckets_[bucket].missing;
  sendReady();
}

void GradientReducer::sendReady() {
  while (sent_ < buckets_.size() && buckets_[sent_].missing <= 0 && failure_)
    failure_ = communicator_.start(buckets_[sent_++].range);
}

Result<void> GradientReducer::finish() {
  for (Bucket& bucket : buckets_) bucket.missing = 0;
  sendReady();
  expecting_ = false;
  if (!failure_) return failure_;
  return communicator_.finish();
}

}  // namespace lockstep::trainer
