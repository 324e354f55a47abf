// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/exporting/board_folder.h"

#include <fmt/format.h>

#include <vector>

#include "base/atomic_file.h"
#include "metrics/events/event_writer.h"

namespace lockstep {
namespace {

Result<void> writeRank(const std::filesystem::path& file, const MetricStore& samples, Rank rank,
                       const std::vector<std::string>& names, TimePoint begun, const std::stop_token& stop) {
  return writeFileInPieces(file, [&](const PutBytes& put) -> Result<void> {
    if (auto head = put(eventFileHead(begun)); !head) return head;
    for (const std::string& name : names) {
      if (stop.stop_requested()) return failure(ErrorCode::Cancelled, "the samples were not written");
      std::string records;
      for (const MetricPoint& point : samples.series(name, rank))
        appendScalarEvent(records, point.step, point.time, name, point.value);
      if (auto done = put(records); !done) return done;
    }
    return {};
  });
}

}  // namespace

Result<void> writeBoard(const std::filesystem::path& folder, const MetricStore& samples,
                        const std::function<bool(std::string_view name, Rank rank)>& isWanted,
                        const std::stop_token& stop) {
  const auto times = samples.times();
  const TimePoint begun = times ? times->first : TimePoint{};
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(begun.time_since_epoch()).count();
  for (const Rank rank : samples.ranks()) {
    std::vector<std::string> names;
    for (const std::string& name : samples.names())
      if (isWanted(name, rank) && samples.sampleCount(name, rank) > 0) names.push_back(name);
    if (names.empty()) continue;
    const std::filesystem::path place = folder / fmt::format("rank-{:05}", rank.value);
    std::error_code ec;
    std::filesystem::create_directories(place, ec);
    if (ec)
      return failure(errnoError(fmt::format("cannot make the folder '{}'", place.string()), ec.value()));
    auto done = writeRank(place / fmt::format("events.out.tfevents.{}.lockstep.1", seconds), samples, rank,
                          names, begun, stop);
    if (!done) return done;
  }
  return {};
}

}  // namespace lockstep
