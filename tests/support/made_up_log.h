// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "logs/store/kept_log.h"

namespace lockstep {

/// The log of a run whose lines a test brings, in memory.
class MadeUpLog {
 public:
  std::shared_ptr<const LogSnapshot> add(std::vector<LogLine> lines) {
    log_.add(std::move(lines));
    return log_.snapshot();
  }

 private:
  KeptLog log_;
};

inline std::shared_ptr<const LogSnapshot> snapshotOf(std::vector<LogLine> lines) {
  return MadeUpLog().add(std::move(lines));
}

}  // namespace lockstep
