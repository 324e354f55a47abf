// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_mailbox.h"

#include <utility>

namespace lockstep {

bool RunMailbox::put(RunUpdate update) {
  const std::lock_guard lock(mutex_);
  const bool isFirst = !waiting_;
  if (waiting_) {
    // What this look brought nothing new of.
    if (!update.log) update.log = std::move(waiting_->log);
    if (!update.samples) update.samples = std::move(waiting_->samples);
    if (!update.health) update.health = std::move(waiting_->health);
    if (!update.diagnosis) update.diagnosis = std::move(waiting_->diagnosis);
  }
  waiting_ = std::move(update);
  return isFirst;
}

std::shared_ptr<const RunUpdate> RunMailbox::take() {
  const std::lock_guard lock(mutex_);
  if (!waiting_) return nullptr;
  return std::make_shared<const RunUpdate>(*std::exchange(waiting_, std::nullopt));
}

}  // namespace lockstep
