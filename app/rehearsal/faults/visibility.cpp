// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/faults/visibility.h"

namespace lockstep::rehearsal {
namespace {

std::uint64_t numberOf(const std::string& id) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const unsigned char c : id) hash = (hash ^ c) * 0x100000001b3ULL;
  return hash;
}

}  // namespace

Visibility::Visibility(const Faults& faults, const std::string& operation) {
  if (const auto fault = faults.active(FaultKind::EventualListing, operation);
      fault && operation.starts_with("List"))
    latest_ = fault->delay.count();
  if (operation != "SearchLogs") return;
  if (const auto fault = faults.active(FaultKind::LateLogs, operation)) latest_ = fault->delay.count();
  if (const auto fault = faults.active(FaultKind::ReorderedLogs, operation)) {
    drawnWithin_ = fault->delay.count();
    seed_ = faults.plan().seed;
  }
}

bool Visibility::sees(long long since, const std::string& id, long long now) const {
  const auto drawnDelay =
      drawnWithin_ == 0 ? 0 : static_cast<long long>(drawn(seed_, 0, numberOf(id)) * double(drawnWithin_));
  return since + std::max(latest_, drawnDelay) <= now;
}

}  // namespace lockstep::rehearsal
