// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace lockstep::oci {

Result<void> sideBySide(std::size_t count, int parallel, const std::stop_token& stop,
                        const std::function<Result<void>(std::size_t, const std::stop_token&)>& work) {
  std::stop_source ours;
  const std::stop_callback forward(stop, [&] { ours.request_stop(); });
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::optional<Error> first;
  const auto loop = [&] {
    while (!ours.stop_requested()) {
      const std::size_t index = next++;
      if (index >= count) return;
      const auto done = work(index, ours.get_token());
      if (done) continue;
      const std::lock_guard lock(mutex);
      if (!first) first = done.error();
      ours.request_stop();
    }
  };
  {
    std::vector<std::jthread> threads;
    const auto wanted = std::min<std::size_t>(count, static_cast<std::size_t>(std::max(1, parallel)));
    for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(loop);
    loop();
  }
  if (first) return failure(std::move(*first));
  if (stop.stop_requested()) return failure(ErrorCode::Cancelled, "the transfer was cancelled");
  return {};
}

}  // namespace lockstep::oci
