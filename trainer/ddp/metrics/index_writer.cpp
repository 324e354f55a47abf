// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/metrics/index_writer.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"

namespace lockstep::trainer {

std::vector<std::uint64_t> segmentsOf(const std::vector<PeerStanding>& standings) {
  std::vector<std::uint64_t> segments;
  for (const PeerStanding& one : standings) {
    if (one.rank < 0) continue;
    const auto rank = static_cast<std::size_t>(one.rank);
    if (rank >= segments.size()) segments.resize(rank + 1);
    segments[rank] = static_cast<std::uint64_t>(std::max(0LL, one.standing.segments));
  }
  return segments;
}

IndexWriter::IndexWriter(std::shared_ptr<ObjectStore> store, std::string name, Source source,
                         std::chrono::milliseconds interval)
    : store_(std::move(store)),
      name_(std::move(name)),
      source_(std::move(source)),
      interval_(interval),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void IndexWriter::run(const std::stop_token& stop) {
  SystemClock clock;
  while (clock.sleepFor(interval_, stop)) write(stop);
}

// A rank that is silent for a moment keeps the number that it has said.
void IndexWriter::write(const std::stop_token& stop) {
  std::vector<std::uint64_t> segments = segmentsOf(source_());
  segments.resize(std::max(segments.size(), index_.segments.size()));
  for (std::size_t rank = 0; rank < index_.segments.size(); ++rank)
    segments[rank] = std::max(segments[rank], index_.segments[rank]);
  const auto now = std::chrono::steady_clock::now();
  if (isStored_ && segments == index_.segments && now - lastWrite_ < kSignOfLife) return;
  index_.segments = std::move(segments);
  ++index_.written;
  lastWrite_ = now;
  isStored_ = store_->put(name_, toText(index_), stop).has_value();
}

}  // namespace lockstep::trainer
