// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/call_audit.h"

#include <algorithm>

namespace lockstep::oci {

void CallHistory::record(CallRecord record) {
  const std::lock_guard lock(mutex_);
  record.number = ++last_;
  if (ring_.size() < max_) {
    ring_.push_back(std::move(record));
  } else {
    ring_[(last_ - 1) % max_] = std::move(record);
  }
}

std::vector<CallRecord> CallHistory::since(std::uint64_t after) const {
  const std::lock_guard lock(mutex_);
  std::vector<CallRecord> found;
  const std::uint64_t oldest = last_ - ring_.size() + 1;
  for (std::uint64_t number = std::max(after + 1, oldest); number <= last_; ++number)
    found.push_back(ring_[(number - 1) % max_]);
  return found;
}

}  // namespace lockstep::oci
