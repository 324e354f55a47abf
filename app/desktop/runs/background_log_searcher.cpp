// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/background_log_searcher.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace lockstep {
namespace {

constexpr unsigned kMaxThreads = 8;

int threadsToUse() {
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency() / 2, 1U, kMaxThreads));
}

}  // namespace

BackgroundLogSearcher::BackgroundLogSearcher(QObject* parent) : LogSearcher(parent) {}

BackgroundLogSearcher::~BackgroundLogSearcher() = default;

void BackgroundLogSearcher::search(Request request) {
  task_.run(
      [this, request = std::move(request)](const std::stop_token& stop, const BackgroundTask::Post& post) {
        searchRanges(request.log, request.query, request.ranges, threadsToUse(), stop, [&](RangesFound what) {
          post([this, log = request.log, what = std::move(what)] { emit found(log, what); });
        });
      });
}

void BackgroundLogSearcher::cancel() {
  task_.cancel();
}

}  // namespace lockstep
