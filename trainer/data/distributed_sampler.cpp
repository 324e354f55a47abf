// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/distributed_sampler.h"

#include <numeric>
#include <random>
#include <utility>

namespace lockstep::trainer {

std::vector<std::size_t> randomOrder(std::size_t count, std::uint64_t seed) {
  std::mt19937 engine(
      static_cast<std::uint32_t>(seed));  // PyTorch's CPU generator uses the low 32 bits as well
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i + 1 < count; ++i) std::swap(order[i], order[i + engine() % (count - i)]);
  return order;
}

std::size_t DistributedSampler::samplesOf(std::size_t rank) const {
  if (rest_ == Rest::Wrapped) return (count_ + worldSize_ - 1) / worldSize_;
  return count_ / worldSize_ + (rank < count_ % worldSize_ ? 1 : 0);
}

std::vector<std::size_t> DistributedSampler::indices(int epoch) const {
  std::vector<std::size_t> mine;
  if (count_ == 0) return mine;
  const std::vector<std::size_t> order = randomOrder(count_, seed_ + static_cast<std::uint64_t>(epoch));
  const std::size_t size = samplesOf(rank_);
  mine.reserve(size);
  for (std::size_t i = 0; i < size; ++i) mine.push_back(order[(rank_ + i * worldSize_) % count_]);
  return mine;
}

}  // namespace lockstep::trainer
