// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/epoch_plan.h"

#include <algorithm>

namespace lockstep::trainer {

EpochPlan::EpochPlan(const DistributedSampler& sampler, std::size_t batchSize, std::size_t accumulation)
    : sampler_(sampler), batchSize_(batchSize), accumulation_(accumulation) {}

std::size_t EpochPlan::steps() const {
  const std::size_t perStep = batchSize_ * accumulation_;
  return (sampler_.samplesOf(0) + perStep - 1) / perStep;  // rank 0 has the most
}

std::size_t EpochPlan::globalBatchSize() const {
  return batchSize_ * accumulation_ * sampler_.worldSize();
}

std::size_t EpochPlan::samplesIn(std::size_t step, std::size_t rankSamples) const {
  const std::size_t perStep = batchSize_ * accumulation_;
  const std::size_t from = std::min(step * perStep, rankSamples);
  return std::min(perStep, rankSamples - from);
}

std::vector<EpochPlan::Part> EpochPlan::parts(std::size_t step) const {
  std::size_t all = 0;
  for (std::size_t rank = 0; rank < sampler_.worldSize(); ++rank)
    all += samplesIn(step, sampler_.samplesOf(rank));
  const std::size_t mine = samplesIn(step, sampler_.samplesOf(sampler_.rank()));
  const std::size_t max = samplesIn(step, sampler_.samplesOf(0));
  std::vector<Part> parts;
  for (std::size_t from = 0; from < max; from += batchSize_) {
    Part part;
    part.first = step * batchSize_ * accumulation_ + std::min(from, mine);
    part.count = std::min(batchSize_, mine - std::min(from, mine));
    part.weight = static_cast<double>(part.count) / static_cast<double>(all);
    parts.push_back(part);
  }
  return parts;
}

}  // namespace lockstep::trainer
