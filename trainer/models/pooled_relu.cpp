// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/pooled_relu.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/TracerMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include "trainer/optim/pool_kernels.h"

namespace lockstep::trainer {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kPixelsFirst = at::MemoryFormat::ChannelsLast;

// Pairs of rows of all images, shared out to the threads: action(pair, row of the output).
template <class Action>
void forRowPairs(const at::Tensor& images, Action&& action) {
  const std::int64_t pairs = images.size(2) / 2;
  at::parallel_for(0, images.size(0) * pairs, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      action(static_cast<std::size_t>(row / pairs * images.size(2) + row % pairs * 2),
             static_cast<std::size_t>(row));
  });
}

struct RowShape {
  explicit RowShape(const at::Tensor& images)
      : width(static_cast<std::size_t>(images.size(3))), channels(static_cast<std::size_t>(images.size(1))) {}
  [[nodiscard]] std::size_t in() const { return width * channels; }
  [[nodiscard]] std::size_t out() const { return width / 2 * channels; }

  std::size_t width, channels;
};

template <class Number>
Number* dataOf(const at::Tensor& tensor) {
  return static_cast<Number*>(tensor.data_ptr());
}

template <class Number>
void poolInto(const at::Tensor& images, const at::Tensor& output, const at::Tensor& source) {
  const RowShape shape(images);
  const auto* in = dataOf<const Number>(images);
  auto* out = dataOf<Number>(output);
  auto* from = dataOf<std::uint8_t>(source);
  forRowPairs(images, [&](std::size_t pair, std::size_t row) {
    const Number* upper = in + pair * shape.in();
    poolRows(RowPair<const Number>{upper, upper + shape.in(), shape.width, shape.channels},
             out + row * shape.out(), from + row * shape.out());
  });
}

template <class Number>
void unpoolInto(const at::Tensor& gradient, const at::Tensor& source, const at::Tensor& input) {
  const RowShape shape(input);
  const auto* out = dataOf<const Number>(gradient);
  const auto* from = dataOf<const std::uint8_t>(source);
  auto* in = dataOf<Number>(input);
  forRowPairs(input, [&](std::size_t pair, std::size_t row) {
    Number* upper = in + pair * shape.in();
    unpoolRows(out + row * shape.out(), from + row * shape.out(),
               RowPair<Number>{upper, upper + shape.in(), shape.width, shape.channels});
  });
}

class PooledRelu final : public torch::autograd::Function<PooledRelu> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x) {
    const at::Tensor images = x.contiguous(kPixelsFirst);
    const std::vector<std::int64_t> sizes = {images.size(0), images.size(1), images.size(2) / 2,
                                             images.size(3) / 2};
    at::Tensor output = at::empty(sizes, images.options(), kPixelsFirst);
    at::Tensor source = at::empty(sizes, images.options().dtype(at::kByte), kPixelsFirst);
    const bool isFloat = images.scalar_type() == at::kFloat;
    (isFloat ? poolInto<float> : poolInto<BFloat16Bits>)(images, output, source);
    context->save_for_backward({source});
    context->saved_data["sizes"] = images.sizes().vec();
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const at::Tensor gradient = gradients[0].contiguous(kPixelsFirst);
    const at::Tensor source = context->get_saved_variables()[0];
    at::Tensor input =
        at::empty(context->saved_data["sizes"].toIntVector(), gradient.options(), kPixelsFirst);
    if (input.size(2) % 2 != 0) input.select(2, input.size(2) - 1).zero_();
    const bool isFloat = input.scalar_type() == at::kFloat;
    (isFloat ? unpoolInto<float> : unpoolInto<BFloat16Bits>)(gradient, source, input);
    return {input};
  }
};

}  // namespace

at::Tensor pooledRelu(const at::Tensor& x) {
  // What is traced is exported, and holds LibTorch's own operations only.
  const bool isTraced = at::tracer::impl::is_dispatch_enabled();
  const bool isOurs = x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16;
  if (isOurs && x.device().is_cpu() && !isTraced) return PooledRelu::apply(x);
  return at::relu(at::max_pool2d(x, {2, 2}));  // both commute; the pooled image is the smaller one
}

}  // namespace lockstep::trainer
