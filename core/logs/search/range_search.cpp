// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/search/range_search.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "logs/search/part_search.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kStride = 65'536;  // as LineSet divides its numbers, so that what is found is shared
constexpr std::chrono::milliseconds kFirstReport{15}, kBetweenReports{50};

/// Takes the last stride off the ranges.
LineRange takeStride(std::vector<LineRange>& ranges) {
  LineRange& last = ranges.back();
  const LineRange stride{std::max(last.first, (last.end - 1) / kStride * kStride), last.end};
  last.end = stride.first;
  if (last.first == last.end) ranges.pop_back();
  return stride;
}

/// Searches strides; one thread at a time.
class StrideSearch {
 public:
  StrideSearch(const LogSnapshot& snapshot, const LogQuery& query)
      : order_(snapshot.order()),
        search_(snapshot, query, [this](std::uint64_t line, const LogLineView& view) { look(line, view); }) {}

  /// From the first line on, until `isEnough`, which is asked after each part; the range says how far it came.
  SearchedLines search(LineRange range, const auto& isEnough) {
    now_ = {};
    now_.range = {range.first, range.first};
    end_ = range.end;
    while (now_.range.end < range.end) {
      const std::size_t part = order_.partOf(now_.range.end);
      search_.search(part, now_.range.end, [this](std::uint64_t first, std::uint64_t count) {
        if (first < end_) now_.found.appendRange(first, std::min(count, end_ - first));
      });
      now_.range.end = part + 1 < order_.partCount() ? std::min(order_.partStart(part + 1), end_) : end_;
      if (isEnough()) break;
    }
    return std::move(now_);
  }
  [[nodiscard]] std::optional<Error> tooHard() const { return search_.tooHard(); }

 private:
  void look(std::uint64_t line, const LogLineView& view) {
    if (line >= end_) return;
    now_.longest = std::max(now_.longest, view.text.size());
    if (view.level == LogLevel::Error) now_.errors.append(line);
    if (view.level == LogLevel::Warning) now_.warnings.append(line);
  }

  const LineOrder& order_;
  PartSearch search_;
  SearchedLines now_;
  std::uint64_t end_ = 0;
};

}  // namespace

void sortAndMerge(std::vector<LineRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const LineRange& a, const LineRange& b) { return a.first < b.first; });
  std::vector<LineRange> merged;
  for (const LineRange& range : ranges) {
    if (range.first >= range.end) continue;
    if (!merged.empty() && range.first <= merged.back().end)
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back(range);
  }
  ranges = std::move(merged);
}

void subtract(std::vector<LineRange>& ranges, const LineRange& taken) {
  std::vector<LineRange> left;
  for (const LineRange& range : ranges) {
    const LineRange before{range.first, std::min(range.end, taken.first)};
    const LineRange behind{std::max(range.first, taken.end), range.end};
    if (before.first < before.end) left.push_back(before);
    if (behind.first < behind.end) left.push_back(behind);
  }
  ranges = std::move(left);
}

std::vector<LineRange> movedTo(const std::vector<LineRange>& ranges, const std::vector<SameLines>& same) {
  std::vector<LineRange> moved;
  for (const LineRange& range : ranges)
    for (const SameLines& lines : same) {
      const std::uint64_t first = std::max(range.first, lines.older);
      const std::uint64_t end = std::min(range.end, lines.older + lines.count);
      if (first < end) moved.push_back({first - lines.older + lines.newer, end - lines.older + lines.newer});
    }
  sortAndMerge(moved);
  return moved;
}

struct RangeSearch::Parts {
  std::shared_ptr<const LogSnapshot> snapshot;
  LogQuery query;
  std::vector<LineRange> ranges;
  StrideSearch search;

  Parts(std::shared_ptr<const LogSnapshot> lines, LogQuery wanted, std::vector<LineRange> where)
      : snapshot(std::move(lines)),
        query(std::move(wanted)),
        ranges(std::move(where)),
        search(*snapshot, query) {}
};

RangeSearch::RangeSearch(std::shared_ptr<const LogSnapshot> snapshot, LogQuery query,
                         std::vector<LineRange> ranges) {
  std::erase_if(ranges, [](const LineRange& range) { return range.first >= range.end; });
  parts_ = std::make_unique<Parts>(std::move(snapshot), std::move(query), std::move(ranges));
}
RangeSearch::RangeSearch(RangeSearch&& other) noexcept = default;
RangeSearch& RangeSearch::operator=(RangeSearch&& other) noexcept = default;
RangeSearch::~RangeSearch() = default;

std::vector<SearchedLines> RangeSearch::advance(std::chrono::nanoseconds budget,
                                                const std::stop_token& stop) {
  const auto end = std::chrono::steady_clock::now() + budget;
  const auto isEnough = [&] { return stop.stop_requested() || std::chrono::steady_clock::now() >= end; };
  std::vector<SearchedLines> all;
  while (!isDone()) {
    const LineRange stride = takeStride(parts_->ranges);
    all.push_back(parts_->search.search(stride, isEnough));
    const std::uint64_t came = all.back().range.end;
    if (came < stride.end) parts_->ranges.push_back({came, stride.end});
    if (isEnough()) break;
  }
  return all;
}

bool RangeSearch::isDone() const {
  return parts_->ranges.empty();
}

std::optional<Error> RangeSearch::tooHard() const {
  return parts_->search.tooHard();
}

namespace {

/// The strides that several threads take, and what they found.
class SharedStrides {
 public:
  explicit SharedStrides(std::vector<LineRange> ranges) : ranges_(std::move(ranges)) {
    std::erase_if(ranges_, [](const LineRange& range) { return range.first >= range.end; });
  }
  std::optional<LineRange> take() {
    const std::lock_guard lock(mutex_);
    return ranges_.empty() ? std::nullopt : std::optional(takeStride(ranges_));
  }
  void put(SearchedLines lines, std::optional<Error> tooHard) {
    const std::lock_guard lock(mutex_);
    found_.lines.push_back(std::move(lines));
    if (!found_.tooHard) found_.tooHard = std::move(tooHard);
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    ++left_;
    changed_.notify_one();
  }
  /// What has come in this time, or until all threads have left.
  RangesFound wait(std::chrono::milliseconds time, int threads) {
    std::unique_lock lock(mutex_);
    found_.isLast = changed_.wait_for(lock, time, [&] { return left_ == threads; });
    return std::exchange(found_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<LineRange> ranges_;
  RangesFound found_;
  int left_ = 0;
};

}  // namespace

void searchRanges(const std::shared_ptr<const LogSnapshot>& snapshot, const LogQuery& query,
                  const std::vector<LineRange>& ranges, int threads, const std::stop_token& stop,
                  const std::function<void(RangesFound)>& report) {
  threads = std::max(1, threads);
  SharedStrides strides(ranges);
  const auto isStopped = [&stop] { return stop.stop_requested(); };
  const auto work = [&] {
    StrideSearch search(*snapshot, query);
    for (auto stride = strides.take(); stride && !isStopped(); stride = strides.take()) {
      SearchedLines lines = search.search(*stride, isStopped);
      strides.put(std::move(lines), search.tooHard());
    }
    strides.leave();
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  for (auto time = kFirstReport;; time = kBetweenReports) {
    RangesFound found = strides.wait(time, threads);
    const bool isLast = found.isLast;
    if (isStopped()) break;
    if (isLast || !found.lines.empty()) report(std::move(found));
    if (isLast) break;
  }
}

}  // namespace lockstep
