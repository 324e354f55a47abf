// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/api/visibility.h"

#include <algorithm>

namespace lockstep::rehearsal {
namespace {

std::uint64_t mixed(std::uint64_t x) {  // splitmix64: every bit of the result depends on every bit of x
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::uint64_t numberOf(const std::string& id) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const unsigned char c : id) hash = (hash ^ c) * 0x100000001b3ULL;
  return hash;
}

}  // namespace

double drawn(std::uint64_t seed, std::uint64_t stream, std::uint64_t n) {
  const std::uint64_t bits = mixed(mixed(mixed(seed) ^ stream) ^ n);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

bool Visibility::sees(long long since, const std::string& id, long long now) const {
  if (late == 0 && drawnWithin == 0) return true;  // also what a clock that was ahead has stamped
  const auto share = drawnWithin == 0 ? 0.0 : drawn(seed, 0, numberOf(id)) * static_cast<double>(drawnWithin);
  return since + std::max(late, static_cast<long long>(share)) <= now;
}

}  // namespace lockstep::rehearsal
