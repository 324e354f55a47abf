// SPDX-License-Identifier: GPL-3.0-or-later
// How the rows of a LogModel follow the log, and what a search finds in it.
#include <algorithm>

#include "widgets/logs/log_model.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxGroups = 64;
constexpr std::uint64_t kRowsOfGroups = 4'000'000;
constexpr auto kFoldSlice = std::chrono::milliseconds(10);

/// Of more groups of rows one removal and one insertion are cheaper for a view: each costs it all rows.
std::size_t mostGroups(std::uint64_t rows) {
  return std::clamp<std::size_t>(kRowsOfGroups / (rows + 1), 2, kMaxGroups);
}

/// What has to go from one ascending list, and come into it, to make another of it: in ranges of neighbours.
struct Difference {
  std::vector<LineRange> gone, come;
};

Difference differenceOf(const std::vector<std::uint64_t>& old, const std::vector<std::uint64_t>& wanted) {
  Difference all;
  std::vector<LineRange>* last = nullptr;  // which list the line before was noted in
  const auto note = [&](std::vector<LineRange>& ranges, std::uint64_t line) {
    if (last == &ranges)
      ranges.back().end = line + 1;
    else
      ranges.push_back({line, line + 1});
    last = &ranges;
  };
  auto a = old.begin();
  for (auto b = wanted.begin(); a != old.end() || b != wanted.end();) {
    if (b == wanted.end() || (a != old.end() && *a < *b)) {
      note(all.gone, *a++);
    } else if (a == old.end() || *b < *a) {
      note(all.come, *b++);
    } else {
      last = nullptr;
      ++a, ++b;
    }
  }
  return all;
}

}  // namespace

void LogModel::connectLines() {
  connect(lines_, &LogLines::aboutToChange, this, &LogModel::beforeChange);
  connect(lines_, &LogLines::changed, this, &LogModel::onChange);
  connect(lines_, &LogLines::aboutToClear, this, [this] { beginResetModel(); });
  connect(lines_, &LogLines::cleared, this, [this] {
    searcher_->cancel();
    isSearching_ = isBehind_ = false;
    rows_.clear();
    (void)rows_.takeDirty(1);
    later_.clear();
    shown_ = {};
    endResetModel();
  });
  connect(lines_, &LogLines::marksChanged, this, &LogModel::onMarksChanged);
}

void LogModel::setSearcher(std::unique_ptr<LogSearcher> searcher) {
  searcher_ = std::move(searcher);
  connect(searcher_.get(), &LogSearcher::found, this, &LogModel::onFound);
  startSearch();
}

void LogModel::setFilter(LogQuery filter) {
  begin(std::move(filter));
}

void LogModel::showNothing() {
  begin(std::nullopt);
}

void LogModel::begin(std::optional<LogQuery> filter) {
  beginResetModel();
  isResetting_ = true;
  rows_.setFilter(std::move(filter));
  startSearch();
  if (rows_.fold(kFoldSlice)) slices_.start();
  (void)rows_.takeDirty(1);
  later_.clear();
  const LineSet rows = rows_.rowsIn({0, UINT64_MAX});
  shown_ = {};
  shown_.appendFrom(rows, keepForLater({0, UINT64_MAX}, rows).first, UINT64_MAX);
  if (isFilling()) slices_.start();
  isResetting_ = false;
  endResetModel();
}

void LogModel::startSearch() {
  isBehind_ = false;
  isSearching_ = !rows_.unsearched().empty();
  if (!isSearching_) return searcher_->cancel();
  searcher_->search({lines_->log(), *rows_.filter(), rows_.unsearched()});
}

void LogModel::onFound(const std::shared_ptr<const LogSnapshot>& log, const RangesFound& what) {
  if (!lines_->log()) return;
  std::optional<std::vector<SameLines>> same;
  if (log != lines_->log()) same = lines_->log()->sameLines(*log);
  for (const SearchedLines& lines : what.lines) put(lines, same ? &*same : nullptr);
  if (what.isLast || isBehind_) startSearch();
  if (what.tooHard) emit tooHard(*what.tooHard);
  if (isResetting_) return;
  sync();
  emit scanAdvanced();
}

/// `same`: where the lines that were searched stand now; null: where they stood.
void LogModel::put(const SearchedLines& lines, const std::vector<SameLines>* same) {
  if (same == nullptr) return rows_.put(lines);
  for (const SameLines& kept : *same) {
    const std::uint64_t first = std::max(lines.range.first, kept.older);
    const std::uint64_t end = std::min(lines.range.end, kept.older + kept.count);
    if (first >= end) continue;
    const std::uint64_t shift = kept.newer - kept.older;
    SearchedLines moved{{first + shift, end + shift}, {}, {}, {}, lines.longest};
    for (LineSet SearchedLines::*set :
         {&SearchedLines::found, &SearchedLines::errors, &SearchedLines::warnings})
      (moved.*set).appendFrom(lines.*set, first, end, shift);
    rows_.put(moved);
  }
}

void LogModel::beforeChange(const LogChange& change) {
  if (change.gone.size() <= mostGroups(shown_.size()))
    for (const LineRange& range : change.gone) removeRange(range);
  else
    removeRange({change.gone.front().first, change.gone.back().end});
}

void LogModel::onChange(const LogChange& change) {
  rows_.follow(change);
  if (!change.isOnlyAtEnd()) {
    shown_ = shown_.movedTo(change.same);
    later_ = movedTo(later_, change.same);
  }
  // One that is under way goes on: what it finds is put where it belongs, and then it begins anew where it is to go on.
  if (isSearching_)
    isBehind_ = true;
  else
    startSearch();
  sync();
}

void LogModel::setEnd(std::optional<TimePoint> end) {
  rows_.setEnd(end);
  sync();
}

void LogModel::setFolding(bool isOn) {
  if (isOn == isFolding()) return;
  rows_.setFolding(isOn);
  sync();
}

void LogModel::setMostRows(std::uint64_t rows) {
  rows_.setMostRows(rows);
  sync();
}

void LogModel::sync() {
  if (rows_.fold(kFoldSlice)) slices_.start();
  for (const LineRange& range : rows_.takeDirty(mostGroups(shown_.size()))) {
    subtract(later_, range);
    syncRange(range);
  }
  if (isFilling()) slices_.start();
}

void LogModel::fillOn() {
  if (!isFilling()) return;
  const LineRange newest = later_.back();
  later_.pop_back();
  syncRange(newest);
  if (isFilling()) slices_.start();
}

/// The end of the range, with as many rows as may be put at once.
LineRange LogModel::keepForLater(const LineRange& range, const LineSet& rows) {
  if (rows.size() <= mostAtOnce_) return range;
  const std::uint64_t first = rows.at(rows.size() - mostAtOnce_);
  later_.push_back({range.first, first});
  sortAndMerge(later_);
  return {first, range.end};
}

void LogModel::syncRange(const LineRange& range) {
  const LineSet rows = rows_.rowsIn(range);
  const std::uint64_t old = shown_.countIn(range.first, range.end);
  if (old == 0 || rows.isEmpty()) {
    if (old > 0) removeRange(range);
    if (!rows.isEmpty()) insertRange(keepForLater(range, rows), rows);
    return;
  }
  const Difference difference =
      differenceOf(shown_.list(shown_.countBefore(range.first), old), rows.list(0, rows.size()));
  if (difference.gone.size() + difference.come.size() > mostGroups(shown_.size()))
    return rewrite(range, rows);
  for (const LineRange& gone : difference.gone) removeRange(gone);
  for (const LineRange& come : difference.come) insertRange(come, rows);
  tellChanged(range);  // what stays may stand for another number of lines now
}

void LogModel::rewrite(const LineRange& range, const LineSet& rows) {
  emit aboutToRewrite();
  removeRange(range);
  insertRange(range, rows);
  emit rewritten();
}

void LogModel::removeRange(const LineRange& range) {
  const std::uint64_t count = shown_.countIn(range.first, range.end);
  if (count == 0) return;
  const int first = rowOfLine(range.first);
  beginRemoveRows({}, first, first + static_cast<int>(count) - 1);
  shown_ = shown_.replaced(range.first, range.end, {});
  endRemoveRows();
}

/// None of the range is shown yet.
void LogModel::insertRange(const LineRange& range, const LineSet& rows) {
  const std::uint64_t count = rows.countIn(range.first, range.end);
  if (count == 0) return;
  const int first = rowOfLine(range.first);
  beginInsertRows({}, first, first + static_cast<int>(count) - 1);
  shown_ = shown_.replaced(range.first, range.end, rows);
  endInsertRows();
}

void LogModel::tellChanged(const LineRange& range) {
  const int from = rowOfLine(range.first), end = rowOfLine(range.end);
  if (from < end) emit dataChanged(index(from, 0), index(end - 1, TextColumn));
}

}  // namespace lockstep
