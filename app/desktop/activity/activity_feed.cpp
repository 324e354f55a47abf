// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/activity/activity_feed.h"

#include "base/clock.h"
#include "oci/calls/call_log.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxAtFirst = 2'000;
constexpr std::chrono::milliseconds kLookInterval{400};

}  // namespace

ActivityFeed::ActivityFeed(std::filesystem::path file, QObject* parent)
    : QObject(parent), file_(std::move(file)) {
  connect(&task_, &BackgroundTask::failed, this, &ActivityFeed::failed);
}

void ActivityFeed::setRunning(bool running) {
  if (running == task_.isRunning()) return;
  if (!running) return task_.cancel();
  emit started();
  task_.run([this, file = file_](const std::stop_token& stop, const BackgroundTask::Post& post) {
    oci::CallLogReader reader(file);
    SystemClock clock;
    auto calls = reader.last(kMaxAtFirst);
    bool complained = false;
    do {
      if (calls && !calls->empty()) post([this, found = std::move(*calls)] { emit called(found); });
      if (!calls && !std::exchange(complained, true))
        post([this, status = calls.error()] { emit failed(status); });
      if (!clock.sleepFor(kLookInterval, stop)) return;
      calls = reader.more();
    } while (!stop.stop_requested());
  });
}

}  // namespace lockstep
