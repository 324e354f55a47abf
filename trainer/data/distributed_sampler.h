// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::trainer {

/// Which samples a rank sees in an epoch: the rule of PyTorch's DistributedSampler with shuffle=True and
/// drop_last=False. All ranks shuffle 0…count-1 alike (seed + epoch), pad by wrapping until the world size
/// divides it, and rank r takes r, r + world, r + 2·world… The order equals torch.randperm's for the same
/// seed.
class DistributedSampler {
 public:
  /// What happens when the world size does not divide the number of samples.
  enum class Rest {
    Wrapped,  // as PyTorch: some samples are seen twice
    Uneven,   // the first ranks have one more
  };
  DistributedSampler(std::size_t count, int rank, int worldSize, std::uint64_t seed,
                     Rest rest = Rest::Wrapped)
      : count_(count),
        rank_(static_cast<std::size_t>(rank)),
        worldSize_(static_cast<std::size_t>(worldSize)),
        seed_(seed),
        rest_(rest) {}

  [[nodiscard]] std::vector<std::size_t> indices(int epoch) const;
  [[nodiscard]] std::size_t samplesOf(std::size_t rank) const;
  [[nodiscard]] std::size_t rank() const { return rank_; }
  [[nodiscard]] std::size_t worldSize() const { return worldSize_; }

 private:
  std::size_t count_, rank_, worldSize_;
  std::uint64_t seed_;
  Rest rest_;
};

/// 0…count-1 in the order of torch.randperm(count, generator seeded with `seed`); count below 2^32 / 20.
[[nodiscard]] std::vector<std::size_t> randomOrder(std::size_t count, std::uint64_t seed);

}  // namespace lockstep::trainer
