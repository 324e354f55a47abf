// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/window/stall_watchdog.h"

#include <pthread.h>
#include <time.h>

#include <QMetaObject>
#include <atomic>
#include <fstream>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/time_text.h"

namespace lockstep {
namespace {

std::chrono::nanoseconds timeOn(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

StallWatchdog::StallWatchdog(Report report, QObject* parent) : QObject(parent), report_(std::move(report)) {
  clockid_t workClock = CLOCK_THREAD_CPUTIME_ID;
  ::pthread_getcpuclockid(::pthread_self(),
                          &workClock);  // of the watched thread, readable from the other one
  thread_ = std::jthread([this, workClock](const std::stop_token& stop) {
    // One ping is under way at a time, so that a long stall is one report and not a queue of them.
    auto answered = std::make_shared<std::atomic<bool>>(true);
    SystemClock clock;
    do {
      if (!answered->exchange(false)) continue;
      handover_.post([this, answered, posted = std::chrono::steady_clock::now(), worked = timeOn(workClock)] {
        answer(posted, worked);
        answered->store(true);
      });
    } while (clock.sleepFor(kPingInterval, stop));
  });
}

StallWatchdog::~StallWatchdog() {
  thread_.request_stop();
  thread_.join();
}

void StallWatchdog::answer(std::chrono::steady_clock::time_point posted,
                           std::chrono::nanoseconds workedBefore) {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  const auto late = duration_cast<milliseconds>(std::chrono::steady_clock::now() - posted);
  if (late <= kLimit) return;
  report_({late, duration_cast<milliseconds>(timeOn(CLOCK_THREAD_CPUTIME_ID) - workedBefore)});
}

StallWatchdog::Report stallLogTo(const std::filesystem::path& file) {
  auto log = std::make_shared<std::ofstream>(file, std::ios::app);
  return [log](const StallWatchdog::Stall& stall) {
    *log << toRfc3339(SystemClock().now()) << " stall " << stall.length.count() << " ms, worked "
         << stall.worked.count() << " ms" << std::endl;
  };
}

}  // namespace lockstep
