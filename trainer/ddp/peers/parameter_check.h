// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>

namespace lockstep::trainer {

/// A sum over the bits of all numbers that depends on their places: equal replicas have equal sums, and a
/// flipped bit or two exchanged numbers change it. Some GB/s.
[[nodiscard]] std::uint64_t parameterSum(std::span<const float> parameters);

/// The first rank whose parameters are not those of the others.
struct Divergence {
  int rank = 0;
  long long step = 0;        // where it was found
  long long lastEqual = -1;  // the last step at which all were equal; -1: none was checked
};

/// Compares what the ranks say about their parameters at the same step. The rank that differs from most is
/// the one; between two ranks it is the one that is not rank 0. One thread.
class DivergenceRule {
 public:
  explicit DivergenceRule(int worldSize) : worldSize_(worldSize) {}
  std::optional<Divergence> add(int rank, long long step, std::uint64_t sum);

 private:
  int worldSize_;
  std::map<long long, std::map<int, std::uint64_t>> open_;  // by step; until all ranks have come
  long long lastEqual_ = -1;
};

}  // namespace lockstep::trainer
