// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/flat_parameters.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <functional>

namespace lockstep::trainer {
namespace {

// The first bucket is small so that the network starts early (caps measured on a 1 Gbit/s link).
constexpr std::size_t kFirstBucketFloats = (1 << 20) / sizeof(float);
constexpr std::size_t kBucketFloats = (4 << 20) / sizeof(float);

at::Tensor viewOf(const at::Tensor& flat, const at::Tensor& like, std::size_t offset) {
  return flat.as_strided(like.sizes(), like.strides(), static_cast<std::int64_t>(offset));
}

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

FlatParameters::FlatParameters(const std::vector<at::Tensor>& parameters) {
  std::int64_t total = 0;
  for (const at::Tensor& parameter : parameters) total += parameter.numel();
  weights_ = at::empty({total}, at::kFloat);
  gradients_ = at::zeros({total}, at::kFloat);
  velocities_ = at::zeros({total}, at::kFloat);
  const at::NoGradGuard noGrad;
  std::size_t offset = 0;
  for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
    const at::Tensor view = viewOf(weights_, *parameter, offset);
    view.copy_(*parameter);
    parameter->set_data(view);
    parameter->mutable_grad() = viewOf(gradients_, *parameter, offset);
    slices_.push_back({*parameter, offset, static_cast<std::size_t>(parameter->numel())});
    offset += slices_.back().count;
  }
}

GradientReducer::GradientReducer(FlatParameters& parameters, Communicator& communicator, bool overlap)
    : parameters_(parameters), communicator_(communicator) {
  makeBuckets(overlap);
}

GradientReducer::~GradientReducer() = default;

void GradientReducer::makeBuckets(bool overlap) {
  if (!overlap) {
    buckets_.push_back({parameters_.gradients(), 1, 1});
    return;
  }
  std::size_t begin = 0;
  int count = 0;
  for (const auto& slice : parameters_.slices()) {
    const std::size_t end = slice.offset + slice.count;
    ++count;
    watch(slice, buckets_.size());
    const std::size_t cap = buckets_.empty() ? kFirstBucketFloats : kBucketFloats;
    if (end - begin >= cap || end == parameters_.gradients().size()) {
      buckets_.push_back({parameters_.gradients().subspan(begin, end - begin), count, count});
      begin = end;
      count = 0;
    }
  }
}

void GradientReducer::watch(const FlatParameters::Slice& slice, std::size_t bucket) {
  auto accumulator = torch::autograd::impl::grad_accumulator(slice.parameter);
  accumulator->add_post_hook(std::make_unique<AfterAccumulation>([this, bucket] { gradientReady(bucket); }));
  accumulators_.push_back(std::move(accumulator));
}

void GradientReducer::beginStep() {
  sent_ = 0;
  failure_ = {};
  for (Bucket& bucket : buckets_) bucket.missing = bucket.parameters;
}

void GradientReducer::gradientReady(std::size_t bucket) {
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
  if (!failure_) return failure_;
  return communicator_.finish();
}

}  // namespace lockstep::trainer
