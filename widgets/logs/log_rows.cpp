// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_rows.h"

#include <QElapsedTimer>
#include <algorithm>
#include <numeric>

#include "logs/text/line_part.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kEverything = UINT64_MAX;
constexpr std::uint64_t kLinesPerLook = 256;  // at the clock
constexpr int kLongestMessageSearch = 500;    // lines of a group
constexpr std::size_t kLongestText = std::size_t{1} << 20U;
constexpr std::uint64_t kNear = 20'000;  // lines
constexpr std::uint64_t kManyNew =
    20'000;  // lines; of fewer, nobody notices that they are still to be looked at
constexpr std::uint64_t kCutsInRows = 16;  // rows are cut off in pieces of this part of them

std::uint64_t countOf(const std::vector<LineRange>& ranges) {
  return std::accumulate(
      ranges.begin(), ranges.end(), std::uint64_t{0},
      [](std::uint64_t sum, const LineRange& range) { return sum + range.end - range.first; });
}

}  // namespace

void LogRows::setFilter(std::optional<LogQuery> filter) {
  filter_ = std::move(filter);
  all_ = {};
  unsearched_.clear();
  stopFolding();
  if (wantsAll()) all_.accepted = LineSet::all(log_->size());
  if (filter_) addUnsearched({{0, log_->size()}});
  isFirstSearch_ = !unsearched_.empty() && !wantsAll();
  toSearch_ = countOf(unsearched_);
  updateEnd();
  noteChange(0);
}

/// Lines beyond the times that are wanted need not be looked at.
void LogRows::addUnsearched(const std::vector<LineRange>& ranges) {
  std::uint64_t first = 0, end = kEverything;
  if (log_->log() && log_->log()->order().isByTime()) {
    if (filter_->from) first = log_->firstFrom(*filter_->from);
    if (filter_->to) end = log_->firstFrom(*filter_->to);
  }
  for (const LineRange& range : ranges)
    unsearched_.push_back({std::max(first, range.first), std::min(end, range.end)});
  sortAndMerge(unsearched_);
}

void LogRows::noteSearched(const LineRange& range) {
  subtract(unsearched_, range);
  if (!unsearched_.empty()) return;
  isFirstSearch_ = false;
  toSearch_ = 0;
}

void LogRows::noteSets() {
  if (!endTime_) return;
  for (LineSet Sets::*set : {&Sets::accepted, &Sets::errors, &Sets::warnings}) {
    visible_.*set = {};
    (visible_.*set).appendFrom(all_.*set, 0, end_);
  }
}

void LogRows::noteDirty(std::uint64_t from, std::uint64_t end) {
  if (from < end) dirty_.push_back({from, end});
}

/// Something else is let through from this line on.
void LogRows::noteChange(std::uint64_t line) {
  changedFrom_ = std::min(changedFrom_, line);
  noteSets();
  updateCut();
}

void LogRows::updateEnd() {
  end_ = endTime_ ? log_->firstAfter(*endTime_) : log_->size();
}

void LogRows::updateCut() {
  const std::uint64_t count = accepted().size(), step = std::max<std::uint64_t>(1, mostRows_ / kCutsInRows);
  const std::uint64_t place = count <= mostRows_ ? 0 : (count - mostRows_ + step - 1) / step * step;
  const std::uint64_t line = place == 0 ? 0 : accepted().at(place);
  noteDirty(std::min(line, cutLine_), std::max(line, cutLine_));
  cutPlace_ = place;
  cutLine_ = line;
}

void LogRows::setMostRows(std::uint64_t rows) {
  mostRows_ = std::max<std::uint64_t>(1, rows);
  updateCut();
}

void LogRows::setEnd(std::optional<TimePoint> end) {
  const std::uint64_t old = end_;
  endTime_ = end;
  updateEnd();
  noteDirty(std::min(old, end_), std::max(old, end_));
  noteChange(std::min(old, end_));
}

void LogRows::setFolding(bool isOn) {
  isFolding_ = isOn;
  stopFolding();
  unfolded_.clear();
}

void LogRows::follow(const LogChange& change) {
  const std::uint64_t oldEnd = end_;
  if (!change.isOnlyAtEnd()) {
    for (LineSet* set : {&all_.accepted, &all_.errors, &all_.warnings}) *set = set->movedTo(change.same);
    unfolded_.moveTo(change.same);
    unsearched_ = movedTo(unsearched_, change.same);
    cutLine_ = 0;  // noted anew below, with what is before it
  }
  if (wantsAll()) all_.accepted = LineSet::all(log_->size());
  if (filter_) addUnsearched(change.fresh);
  if (!wantsAll() && countOf(unsearched_) > kManyNew) {
    isFirstSearch_ = true;
    toSearch_ = std::max(toSearch_, countOf(unsearched_));
  }
  updateEnd();
  if (!change.gone.empty()) stopFolding();
  std::uint64_t from = change.fresh.empty() ? kEverything : change.fresh.front().first;
  if (change.isOnlyAtEnd()) from = std::min(from, oldEnd);
  if (wantsAll())
    for (const LineRange& range : change.fresh) noteDirty(range.first, range.end);
  noteChange(wantsAll() ? from : kEverything);
}

void LogRows::clear() {
  unfolded_.clear();
  sources_.clear();
  longestText_ = 0;
  setFilter(std::move(filter_));
}

void LogRows::put(const SearchedLines& lines) {
  const auto [first, end] = lines.range;
  noteSearched(lines.range);
  all_.errors = all_.errors.replaced(first, end, lines.errors);
  all_.warnings = all_.warnings.replaced(first, end, lines.warnings);
  longestText_ = std::max(longestText_, static_cast<int>(std::min(lines.longest, kLongestText)));
  const bool isNew = !wantsAll() && !lines.found.isEmpty();
  if (isNew) {
    all_.accepted = all_.accepted.replaced(first, end, lines.found);
    noteDirty(first, end);
  }
  noteChange(isNew ? first : kEverything);
}

double LogRows::scanned() const {
  if (!isScanning() || toSearch_ == 0) return 1.0;
  const std::uint64_t left = std::min(toSearch_, countOf(unsearched_));
  return 1.0 - static_cast<double>(left) / static_cast<double>(toSearch_);
}

bool LogRows::canFold() const {
  return isFolding_ && !isScanning() && accepted().size() <= kMaxFolded;
}

void LogRows::stopFolding() {
  if (folding_.size() > 0) noteDirty(0, kEverything);
  folding_.clear();
  changedFrom_ = 0;
}

bool LogRows::fold(std::chrono::nanoseconds budget) {
  if (!canFold()) {
    if (folding_.size() > 0) stopFolding();
    return false;
  }
  QElapsedTimer clock;
  clock.start();
  const auto count = static_cast<std::uint32_t>(accepted().size());
  const std::uint32_t before = folding_.size();
  const auto changed = static_cast<std::uint32_t>(accepted().countBefore(changedFrom_));
  changedFrom_ = kEverything;
  std::uint32_t at = folding_.truncate(changed);
  const bool wasCut = at < before;
  while (at < count && clock.nsecsElapsed() < budget.count())
    for (const std::uint64_t line : accepted().list(at, kLinesPerLook)) {
      const LogLineView view = log_->line(line);
      folding_.append(sourceOf(view), view.text);
      ++at;
    }
  const std::uint32_t from = folding_.takeChangedFrom();
  if (from < count && (from < at || wasCut))
    noteDirty(accepted().at(from), wasCut || at == count ? kEverything : accepted().at(at));
  return at < count;
}

std::vector<LineRange> LogRows::takeDirty(std::size_t many) {
  sortAndMerge(dirty_);
  std::vector<LineRange> all = std::exchange(dirty_, {});
  if (all.size() <= many) return all;
  std::vector<LineRange> merged{all.front()};
  for (const LineRange& range : all)
    if (range.first < merged.back().end + kNear)
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back(range);
  return merged;
}

bool LogRows::isRow(std::uint32_t place, std::uint64_t line) const {
  if (place >= folding_.size()) return true;
  const LineFolding::Group* const group = folding_.groupOf(place);
  if (group == nullptr || group->shown() == place) return true;
  return unfolded_.contains(group->first == place ? line : accepted().at(group->first));
}

LineSet LogRows::rowsIn(const LineRange& range) const {
  const std::uint64_t first = std::max(range.first, cutLine_);
  const std::uint64_t folded = std::min<std::uint64_t>(folding_.size(), accepted().size());
  const std::uint64_t behind = folded < accepted().size() ? accepted().at(folded) : kEverything;
  LineSet rows;
  const std::uint64_t place = accepted().countBefore(first);
  auto at = static_cast<std::uint32_t>(place);
  if (place < folded)
    for (const std::uint64_t line :
         accepted().list(place, accepted().countIn(first, std::min(range.end, behind))))
      if (isRow(at++, line)) rows.append(line);
  if (behind < range.end) rows.appendFrom(accepted(), std::max(first, behind), range.end);
  return rows;
}

std::uint32_t LogRows::sourceOf(const LogLineView& line) {
  std::string name(line.node);
  name += '\0';
  if (line.rank) name += std::to_string(line.rank->value);
  return sources_.try_emplace(std::move(name), static_cast<std::uint32_t>(sources_.size())).first->second;
}

std::optional<std::uint32_t> LogRows::placeOf(std::uint64_t line) const {
  if (folding_.size() == 0) return std::nullopt;
  const std::uint64_t place = accepted().countBefore(line);
  const bool isThere = place < folding_.size() && place < accepted().size() && accepted().at(place) == line;
  return isThere ? std::optional(static_cast<std::uint32_t>(place)) : std::nullopt;
}

const LineFolding::Group* LogRows::groupOf(std::uint64_t line) const {
  const auto place = placeOf(line);
  return place ? folding_.groupOf(*place) : nullptr;
}

bool LogRows::isUnfolded(std::uint64_t line) const {
  const LineFolding::Group* const group = groupOf(line);
  return group != nullptr && unfolded_.contains(accepted().at(group->first));
}

void LogRows::setUnfolded(std::uint64_t line, bool on) {
  const LineFolding::Group* const group = groupOf(line);
  if (group == nullptr || isUnfolded(line) == on) return;
  const std::uint64_t first = accepted().at(group->first);
  unfolded_.toggle(first);
  noteDirty(first, accepted().at(group->last) + 1);
}

std::optional<std::uint64_t> LogRows::messageOf(std::uint64_t line) const {
  const LineFolding::Group* const group = groupOf(line);
  if (group == nullptr || group->kind != LineFolding::Kind::Block) return std::nullopt;
  std::uint32_t place = group->last;
  for (int looked = 0; place != group->first && looked < kLongestMessageSearch; ++looked) {
    const std::uint64_t at = accepted().at(place);
    if (partOf(log_->line(at).text) == LinePart::Plain) return at;
    place = folding_.previousOf(place);
  }
  return std::nullopt;
}

}  // namespace lockstep
