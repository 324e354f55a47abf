// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/normalization.h>

#include "trainer/models/model.h"

namespace lockstep::trainer {

/// A decoder as GPT-2's, with the names and the layout of nanoGPT: token and position embeddings, blocks of
/// attention and GELU with a layer norm before each, a last layer norm, and scores by the token embedding.
class Gpt final : public Model {
 public:
  Gpt(const GptSize& size, int vocabulary, double dropout);
  at::Tensor scores(const at::Tensor& tokens) override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> sharedNames() const override {
    return {{"lm_head.weight", "transformer.wte.weight"}};
  }

 private:
  class Block;
  void drawWeights();

  GptSize size_;
  double dropout_;
  torch::nn::Embedding wte_{nullptr}, wpe_{nullptr};
  std::vector<std::shared_ptr<Block>> blocks_;
  torch::nn::LayerNorm lnF_{nullptr};
};

}  // namespace lockstep::trainer
