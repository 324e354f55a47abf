// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_sight.h"

#include <utility>

namespace lockstep {

void RunSight::set(StepsInSight sight) {
  const std::lock_guard lock(mutex_);
  sight_ = std::move(sight);
  isNew_ = true;
  changed_.notify_all();
}

StepsInSight RunSight::take() {
  const std::lock_guard lock(mutex_);
  isNew_ = false;
  return sight_;
}

bool RunSight::isNew() const {
  const std::lock_guard lock(mutex_);
  return isNew_;
}

bool RunSight::waitFor(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, time, [this] { return isNew_; });
  return !stop.stop_requested();
}

bool RunSight::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return isNew_; });
  return !stop.stop_requested();
}

}  // namespace lockstep
