// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/peers/parameter_check.h"

#include <array>
#include <cstring>

namespace lockstep::trainer {

std::uint64_t parameterSum(std::span<const float> parameters) {
  // Four lanes, so that the compiler can keep four multiplications in flight.
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;
  std::array<std::uint64_t, 4> lanes{1, 2, 3, 4};
  const auto* bytes = reinterpret_cast<const char*>(parameters.data());
  std::size_t left = parameters.size_bytes();
  std::array<std::uint64_t, 4> block{};
  for (; left > 0; left -= std::min(left, sizeof block)) {
    if (left < sizeof block) block.fill(0);
    std::memcpy(block.data(), bytes, std::min(left, sizeof block));
    bytes += std::min(left, sizeof block);
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = lanes[i] * kFactor + block[i];
  }
  std::uint64_t sum = parameters.size();
  for (const std::uint64_t lane : lanes) {
    sum = (sum ^ lane) * kFactor;
    sum ^= sum >> 32;
  }
  return sum;
}

std::optional<Divergence> DivergenceRule::add(int rank, long long step, std::uint64_t sum) {
  constexpr std::size_t kMaxOpen = 64;  // a rank that says nothing must not fill the memory
  auto& sums = open_[step];
  sums[rank] = sum;
  if (open_.size() > kMaxOpen) open_.erase(open_.begin());
  if (sums.size() < static_cast<std::size_t>(worldSize_)) return std::nullopt;
  std::map<std::uint64_t, int> votes;
  for (const auto& [who, value] : sums) ++votes[value];
  std::uint64_t common = sums.begin()->second;  // rank 0's, unless most have another
  for (const auto& [value, count] : votes) {
    if (count > votes[common]) common = value;
  }
  std::optional<Divergence> found;
  for (const auto& [who, value] : sums) {
    if (value != common && !found) found = Divergence{who, step, lastEqual_};
  }
  if (!found) lastEqual_ = std::max(lastEqual_, step);
  open_.erase(step);
  return found;
}

}  // namespace lockstep::trainer
