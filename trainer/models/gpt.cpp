// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/gpt.h"

#include <ATen/core/grad_mode.h>
#include <torch/nn/init.h>
#include <torch/version.h>

#include <cmath>
#include <limits>

namespace lockstep::trainer {
namespace {

torch::nn::LayerNorm norm(int width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

// Heads apart: [N, heads, T, width / heads]. Each token looks at itself and what is before it.
at::Tensor attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, double dropout) {
#if TORCH_VERSION_MAJOR >= 2
  return at::scaled_dot_product_attention(query, key, value, {}, dropout, true);
#else
  const auto length = query.size(2);
  const double scale = 1.0 / std::sqrt(static_cast<double>(query.size(3)));
  const at::Tensor future = at::ones({length, length}, query.options().dtype(at::kBool)).triu(1);
  const at::Tensor scores = at::matmul(query, key.transpose(2, 3)) * scale;
  const at::Tensor weights =
      at::softmax(scores.masked_fill(future, -std::numeric_limits<float>::infinity()), -1);
  return at::matmul(at::dropout(weights, dropout, dropout > 0), value);
#endif
}

}  // namespace

class Gpt::Block final : public torch::nn::Module {
 public:
  Block(const GptSize& size, double dropout) : heads_(size.heads), width_(size.width), dropout_(dropout) {
    ln1_ = register_module("ln_1", norm(width_));
    auto attention = register_module("attn", std::make_shared<torch::nn::Module>());
    attention_ = attention->register_module("c_attn", torch::nn::Linear(width_, 3 * width_));
    attended_ = attention->register_module("c_proj", torch::nn::Linear(width_, width_));
    ln2_ = register_module("ln_2", norm(width_));
    auto mlp = register_module("mlp", std::make_shared<torch::nn::Module>());
    wide_ = mlp->register_module("c_fc", torch::nn::Linear(width_, 4 * width_));
    narrow_ = mlp->register_module("c_proj", torch::nn::Linear(4 * width_, width_));
  }

  at::Tensor forward(const at::Tensor& input) {
    const at::Tensor x = input + dropped(attention(ln1_->forward(input)));
    return x + dropped(narrow_->forward(at::gelu(wide_->forward(ln2_->forward(x)))));
  }

 private:
  [[nodiscard]] at::Tensor dropped(const at::Tensor& x) const {
    return dropout_ > 0 ? at::dropout(x, dropout_, is_training()) : x;
  }
  at::Tensor attention(const at::Tensor& x) {
    const auto samples = x.size(0);
    const auto length = x.size(1);
    const auto parts = attention_->forward(x).split(width_, 2);
    const auto apart = [&](const at::Tensor& part) {
      return part.view({samples, length, heads_, width_ / heads_}).transpose(1, 2);
    };
    const at::Tensor seen =
        attend(apart(parts[0]), apart(parts[1]), apart(parts[2]), is_training() ? dropout_ : 0.0);
    return attended_->forward(seen.transpose(1, 2).reshape({samples, length, width_}));
  }

  int heads_, width_;
  double dropout_;
  torch::nn::LayerNorm ln1_{nullptr}, ln2_{nullptr};
  torch::nn::Linear attention_{nullptr}, attended_{nullptr}, wide_{nullptr}, narrow_{nullptr};
};

Gpt::Gpt(const GptSize& size, int vocabulary, double dropout) : size_(size), dropout_(dropout) {
  auto transformer = register_module("transformer", std::make_shared<torch::nn::Module>());
  wte_ = transformer->register_module("wte", torch::nn::Embedding(vocabulary, size.width));
  wpe_ = transformer->register_module("wpe", torch::nn::Embedding(size.context, size.width));
  auto layers = transformer->register_module("h", std::make_shared<torch::nn::Module>());
  for (int i = 0; i < size.layers; ++i) {
    blocks_.push_back(std::make_shared<Block>(size, dropout));
    layers->register_module(std::to_string(i), blocks_.back());
  }
  lnF_ = transformer->register_module("ln_f", norm(size.width));
  drawWeights();
}

void Gpt::drawWeights() {
  const at::NoGradGuard noGrad;
  const double end = 0.02 / std::sqrt(2.0 * size_.layers);  // two additions to the residual stream per block
  for (auto& item : named_parameters()) {
    const bool isEnd = item.key().ends_with("c_proj.weight");
    if (item.value().dim() == 2) item.value().normal_(0, isEnd ? end : 0.02);
    if (item.key().ends_with(".bias")) item.value().zero_();
  }
}

at::Tensor Gpt::scores(const at::Tensor& tokens) {
  const at::Tensor places = at::arange(tokens.size(1), tokens.options());
  at::Tensor x = wte_->forward(tokens) + wpe_->forward(places);
  if (dropout_ > 0) x = at::dropout(x, dropout_, is_training());
  for (const auto& block : blocks_) x = block->forward(x);
  x = lnF_->forward(x).view({-1, size_.width});
  return at::linear(x, wte_->weight);
}

}  // namespace lockstep::trainer
