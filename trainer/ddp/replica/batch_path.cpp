// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/replica/batch_path.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

namespace lockstep::trainer {

BatchPath::BatchPath(const SampleShape& shape, at::Device device, bool staged)
    : shape_(shape), device_(device), staged_(staged) {
  if (!staged_ || device_.is_cpu()) return;
  for (Place& place : places_) place.fence = makeDeviceFence(device_.index());
}

BatchPath::Tensors BatchPath::viewsOf(const Batch& batch) const {
  const at::Tensor targets = at::from_blob(const_cast<std::int64_t*>(batch.targets.data()),
                                           {static_cast<std::int64_t>(batch.targets.size())}, at::kLong);
  if (!shape_.isImage())
    return {at::from_blob(const_cast<std::int64_t*>(batch.tokens.data()), {batch.samples, shape_.length},
                          at::kLong),
            targets};
  const auto row = static_cast<std::int64_t>(shape_.width) * shape_.channels;
  return {at::from_blob(const_cast<float*>(batch.pixels.data()),
                        {batch.samples, shape_.channels, shape_.height, shape_.width},
                        {row * shape_.height, 1, row, shape_.channels}, at::kFloat),
          targets};
}

BatchPath::Tensors BatchPath::bring(const Batch& batch) {
  const Tensors here = viewsOf(batch);
  if (!staged_) return here;
  // What is allocated for an evaluation serves the training after it, which may not write to inference
  // tensors.
  const c10::InferenceMode ordinary(false);
  Place& place = places_.at(next_);
  next_ = (next_ + 1) % places_.size();
  if (place.fence) place.fence->wait();
  Tensors there{sent(place.input, here.input, place.fence != nullptr),
                sent(place.targets, here.targets, place.fence != nullptr)};
  if (place.fence) place.fence->set();
  return there;
}

// As one row of numbers, so that the copy to the GPU is one piece whatever the strides are.
at::Tensor BatchPath::sent(at::Tensor& staging, const at::Tensor& values, bool pinned) const {
  const auto count = values.numel();
  if (!staging.defined() || staging.numel() < count)
    staging = at::empty({count}, values.options().pinned_memory(pinned));
  const at::Tensor staged = staging.narrow(0, 0, count);
  staged.copy_(values.as_strided({count}, {1}));
  return staged.to(device_, /*non_blocking=*/pinned).as_strided(values.sizes(), values.strides());
}

}  // namespace lockstep::trainer
