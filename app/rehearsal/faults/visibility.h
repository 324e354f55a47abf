// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <string>

#include "rehearsal/faults/fault_plan.h"

namespace lockstep::rehearsal {

/// When things that are there come to be seen: what is created shows in listings late, log records in
/// searches late and in another order. Asked once for each listing or search. Times in ms.
class Visibility {
 public:
  /// `operation`: "ListJobRuns", "SearchLogs".
  Visibility(const Faults& faults, const std::string& operation);
  [[nodiscard]] bool isPlain() const { return latest_ == 0 && drawnWithin_ == 0; }
  /// Whether what came to be at `since` can be seen at `now`. `id` decides its place in a drawn order.
  [[nodiscard]] bool sees(long long since, const std::string& id, long long now) const;

 private:
  long long latest_ = 0, drawnWithin_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace lockstep::rehearsal
