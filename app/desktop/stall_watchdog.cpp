// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/stall_watchdog.h"

#include <QMetaObject>
#include <atomic>
#include <fstream>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/time_text.h"

namespace lockstep {

StallWatchdog::StallWatchdog(Report report, QObject* parent) : QObject(parent), report_(std::move(report)) {
  thread_ = std::jthread([this](const std::stop_token& stop) {
    // One ping is under way at a time, so that a long stall is one report and not a queue of them.
    auto answered = std::make_shared<std::atomic<bool>>(true);
    SystemClock clock;
    do {
      if (!answered->exchange(false)) continue;
      QMetaObject::invokeMethod(
          this,
          [this, answered, posted = std::chrono::steady_clock::now()] {
            answer(posted);
            answered->store(true);
          },
          Qt::QueuedConnection);
    } while (clock.sleepFor(kPingInterval, stop));
  });
}

StallWatchdog::~StallWatchdog() {
  thread_.request_stop();
  thread_.join();
}

void StallWatchdog::answer(std::chrono::steady_clock::time_point posted) {
  const auto late =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - posted);
  if (late > kLimit) report_(late);
}

StallWatchdog::Report stallLogTo(const std::filesystem::path& file) {
  auto log = std::make_shared<std::ofstream>(file, std::ios::app);
  return [log](std::chrono::milliseconds length) {
    *log << toRfc3339(SystemClock().now()) << " stall " << length.count() << " ms" << std::endl;
  };
}

}  // namespace lockstep
