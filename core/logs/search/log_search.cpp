// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/search/log_search.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "logs/search/part_search.h"

namespace lockstep {
namespace {

constexpr std::chrono::milliseconds kBetweenReports{50};

}  // namespace

bool LogQuery::needsFacts() const {
  return !ranks.empty() || !nodes.empty() || minLevel != LogLevel::Debug || from || to;
}

bool LogQuery::wantsAll() const {
  return !needsFacts() && (!text || text->wantsAll());
}

bool LogQuery::acceptsFacts(const LogLineView& line) const {
  if (line.level < minLevel || (from && line.time < *from) || (to && line.time >= *to)) return false;
  if (!ranks.empty() && std::find(ranks.begin(), ranks.end(), line.rank) == ranks.end()) return false;
  return nodes.empty() || std::find(nodes.begin(), nodes.end(), line.node) != nodes.end();
}

struct LogSearch::Parts {
  std::shared_ptr<const LogSnapshot> snapshot;
  LogQuery query;
  std::uint64_t searched;
  LineSet found;
  PartSearch search;
  std::optional<Error> tooHard;

  Parts(std::shared_ptr<const LogSnapshot> lines, LogQuery wanted, std::uint64_t first, LineSet known)
      : snapshot(std::move(lines)),
        query(std::move(wanted)),
        searched(std::min(first, snapshot->size())),
        found(std::move(known)),
        search(*snapshot, query) {}
};

LogSearch::LogSearch(std::shared_ptr<const LogSnapshot> snapshot, LogQuery query, std::uint64_t first,
                     LineSet found)
    : parts_(std::make_unique<Parts>(std::move(snapshot), std::move(query), first, std::move(found))) {}
LogSearch::LogSearch(LogSearch&& other) noexcept = default;
LogSearch& LogSearch::operator=(LogSearch&& other) noexcept = default;
LogSearch::~LogSearch() = default;

bool LogSearch::advance(std::chrono::nanoseconds budget, const std::stop_token& stop) {
  const auto end = std::chrono::steady_clock::now() + budget;
  const LineOrder& order = parts_->snapshot->order();
  while (!isDone() && !stop.stop_requested()) {
    const std::size_t part = order.partOf(parts_->searched);
    parts_->search.search(part, parts_->searched, [this](std::uint64_t first, std::uint64_t count) {
      parts_->found.appendRange(first, count);
    });
    parts_->searched = part + 1 < order.partCount() ? order.partStart(part + 1) : parts_->snapshot->size();
    if (std::chrono::steady_clock::now() >= end) break;
  }
  parts_->tooHard = parts_->search.tooHard();
  return isDone();
}

std::uint64_t LogSearch::searched() const {
  return parts_->searched;
}

const LineSet& LogSearch::found() const {
  return parts_->found;
}

const std::shared_ptr<const LogSnapshot>& LogSearch::snapshot() const {
  return parts_->snapshot;
}

const std::optional<Error>& LogSearch::tooHard() const {
  return parts_->tooHard;
}

namespace {

/// What several threads found, put together in the order of the parts.
class FoundByMany {
 public:
  using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  explicit FoundByMany(std::size_t parts) : ranges_(parts), isDone_(parts) {}

  void put(std::size_t part, Ranges ranges) {
    const std::lock_guard lock(mutex_);
    ranges_[part] = std::move(ranges);
    isDone_[part] = true;
    if (part == taken_) changed_.notify_one();
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    ++left_;
    changed_.notify_one();
  }
  /// Moves what has come without gaps into `into`; how many parts that are by now.
  std::size_t take(LineSet& into) {
    const std::lock_guard lock(mutex_);
    for (; taken_ < ranges_.size() && isDone_[taken_]; ++taken_)
      for (const auto& [first, count] : std::exchange(ranges_[taken_], {})) into.appendRange(first, count);
    return taken_;
  }
  /// Until something came, all `threads` have left, or the time is over; false: they have left.
  bool wait(int threads) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kBetweenReports, [&] { return left_ == threads; });
    return left_ < threads;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Ranges> ranges_;
  std::vector<bool> isDone_;
  std::size_t taken_ = 0;
  int left_ = 0;
};

}  // namespace

LineSet searchAll(const std::shared_ptr<const LogSnapshot>& snapshot, const LogQuery& query, int threads,
                  const std::stop_token& stop, const ReportFound& report) {
  const LineOrder& order = snapshot->order();
  FoundByMany found(order.partCount());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    PartSearch search(*snapshot, query);
    for (std::size_t part = next++; part < order.partCount() && !stop.stop_requested(); part = next++) {
      FoundByMany::Ranges ranges;
      search.search(part, 0, [&](std::uint64_t first, std::uint64_t count) {
        if (!ranges.empty() && ranges.back().first + ranges.back().second == first)
          ranges.back().second += count;
        else
          ranges.emplace_back(first, count);
      });
      found.put(part, std::move(ranges));
    }
    found.leave();
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < std::max(1, threads); ++i) workers.emplace_back(work);
  LineSet all;
  for (bool isGoing = true; isGoing;) {
    isGoing = found.wait(std::max(1, threads));
    const std::size_t parts = found.take(all);
    if (report) report(all, parts < order.partCount() ? order.partStart(parts) : order.size());
  }
  return all;
}

}  // namespace lockstep
