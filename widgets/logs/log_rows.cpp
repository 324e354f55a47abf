// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_rows.h"

#include <QElapsedTimer>
#include <algorithm>

#include "logs/text/line_part.h"

namespace lockstep {
namespace {

constexpr std::size_t kLinesPerLook = 256;      // at the clock
constexpr std::size_t kMostFolded = 1'000'000;  // of more lines, the window would wait for their folding
constexpr std::size_t kMostAtOnce = 20'000;     // lines that are looked at without slices
constexpr int kLongestMessageSearch = 500;      // lines of a group
constexpr std::size_t kLongestText = std::size_t{1} << 20U;

}  // namespace

void LogRows::setFilter(LogFilter filter) {
  filter_ = std::move(filter);
  accepted_.clear();
  errors_.clear();
  warnings_.clear();
  folding_.clear();
  changedFrom_ = 0;
  knownEnd_ = endLine();
  scanFrom_ = scanSize_ = filter_.until ? std::min(knownEnd_, log_->firstAfter(*filter_.until)) : knownEnd_;
}

std::size_t LogRows::endLine() const {
  return end_ ? log_->firstAfter(*end_) : log_->size();
}

std::size_t LogRows::firstLine() const {
  return filter_.from ? log_->firstFrom(*filter_.from) : 0;
}

void LogRows::setEnd(std::optional<TimePoint> end) {
  const std::size_t old = knownEnd_;
  end_ = end;
  knownEnd_ = endLine();
  if (knownEnd_ < old) {
    for (LineList* set : {&accepted_, &errors_, &warnings_})
      set->truncate(static_cast<LineList::Line>(knownEnd_));
    noteChange(accepted_.size());
    scanFrom_ = std::min(scanFrom_, knownEnd_);
    return;
  }
  if (isScanning() || knownEnd_ - old > kMostAtOnce) return setFilter(filter_);
  std::vector<LineList::Line> fresh;
  for (std::size_t line = old; line < knownEnd_; ++line)
    if (filter_.accepts(log_->book().line(line))) fresh.push_back(static_cast<LineList::Line>(line));
  accept(fresh);
}

void LogRows::setFolding(bool isOn) {
  isFolding_ = isOn;
  folding_.clear();
  unfolded_.clear();
  changedFrom_ = 0;
}

bool LogRows::scan(std::chrono::nanoseconds budget) {
  QElapsedTimer clock;
  clock.start();
  const std::size_t first = firstLine();
  std::vector<LineList::Line> found;  // descending
  while (scanFrom_ > first) {
    const std::size_t stop = std::max(first, scanFrom_ - std::min(scanFrom_, kLinesPerLook));
    for (; scanFrom_ > stop; --scanFrom_)
      if (filter_.accepts(log_->book().line(scanFrom_ - 1)))
        found.push_back(static_cast<LineList::Line>(scanFrom_ - 1));
    if (clock.nsecsElapsed() >= budget.count()) break;
  }
  if (scanFrom_ <= first) scanFrom_ = 0;
  std::reverse(found.begin(), found.end());
  accept(found);
  return isScanning();
}

double LogRows::scanned() const {
  return isScanning() && scanSize_ > 0
             ? 1.0 - static_cast<double>(scanFrom_) / static_cast<double>(std::max(scanSize_, scanFrom_))
             : 1.0;
}

void LogRows::accept(const std::vector<LineList::Line>& fresh) {
  if (fresh.empty()) return;
  noteChange(accepted_.placeOf(fresh.front()));
  std::vector<LineList::Line> errors, warnings;
  for (const LineList::Line at : fresh) {
    const LogLineView line = log_->book().line(at);
    longestText_ = std::max(longestText_, static_cast<int>(std::min(line.text.size(), kLongestText)));
    if (line.level == LogLevel::Error) errors.push_back(at);
    if (line.level == LogLevel::Warning) warnings.push_back(at);
  }
  accepted_.insert(fresh);
  errors_.insert(errors);
  warnings_.insert(warnings);
}

void LogRows::noteChange(std::size_t place) {
  changedFrom_ = std::min(changedFrom_, place);
}

void LogRows::added(const std::vector<std::size_t>& places) {
  if (places.empty()) return;
  for (LineList* set : {&accepted_, &errors_, &warnings_, &unfolded_}) set->moveUp(places);
  const bool wasScanning = isScanning();
  // What is new before the border is looked at when its turn comes.
  if (wasScanning)
    for (const std::size_t place : places)
      if (place <= scanFrom_) ++scanFrom_;
  scanSize_ += places.size();
  knownEnd_ = endLine();
  std::vector<LineList::Line> fresh;
  for (const std::size_t place : places) {
    if ((wasScanning && place < scanFrom_) || place >= knownEnd_) continue;
    if (filter_.accepts(log_->book().line(place))) fresh.push_back(static_cast<LineList::Line>(place));
  }
  accept(fresh);
}

void LogRows::dropOldest(std::size_t count) {
  for (LineList* set : {&accepted_, &errors_, &warnings_, &unfolded_}) set->dropOldest(count);
  scanFrom_ -= std::min(scanFrom_, count);
  scanSize_ -= std::min(scanSize_, count);
  knownEnd_ -= std::min(knownEnd_, count);
  folding_.clear();
  changedFrom_ = 0;
}

void LogRows::clear() {
  unfolded_.clear();
  sources_.clear();
  longestText_ = 0;
  setFilter(std::move(filter_));
}

std::uint32_t LogRows::sourceOf(const LogLineView& line) {
  std::string name(line.node);
  name += '\0';
  if (line.rank) name += std::to_string(line.rank->value);
  return sources_.try_emplace(std::move(name), static_cast<std::uint32_t>(sources_.size())).first->second;
}

void LogRows::fold() {
  const auto changed = static_cast<std::uint32_t>(std::min(changedFrom_, accepted_.size()));
  for (std::uint32_t at = folding_.truncate(changed); at < accepted_.size(); ++at) {
    const LogLineView line = log_->book().line(accepted_[at]);
    folding_.append(sourceOf(line), line.text);
  }
  noteChange(folding_.takeChangedFrom());
}

bool LogRows::isRow(std::uint32_t place) const {
  if (place >= folding_.size()) return true;
  const LineFolding::Group* const group = folding_.groupOf(place);
  return group == nullptr || group->shown() == place || unfolded_.contains(accepted_[group->first]);
}

LogRows::Tail LogRows::takeChanges() {
  if (isFolding_ && !isScanning() && accepted_.size() <= kMostFolded) {
    fold();
  } else if (folding_.size() > 0) {
    folding_.clear();
    changedFrom_ = 0;
  }
  const std::size_t from = std::min(changedFrom_, accepted_.size());
  Tail tail;
  tail.from = from < accepted_.size() ? accepted_[from] : from > 0 ? accepted_[from - 1] + 1 : 0;
  tail.rows.reserve(accepted_.size() - from);
  for (std::size_t place = from; place < accepted_.size(); ++place)
    if (isRow(static_cast<std::uint32_t>(place))) tail.rows.push_back(accepted_[place]);
  changedFrom_ = accepted_.size();
  return tail;
}

std::optional<std::uint32_t> LogRows::placeOf(LineList::Line line) const {
  const std::size_t place = accepted_.placeOf(line);
  const bool isThere = place < accepted_.size() && accepted_[place] == line && place < folding_.size();
  return isThere ? std::optional(static_cast<std::uint32_t>(place)) : std::nullopt;
}

const LineFolding::Group* LogRows::groupOf(LineList::Line line) const {
  const auto place = placeOf(line);
  return place ? folding_.groupOf(*place) : nullptr;
}

bool LogRows::isUnfolded(LineList::Line line) const {
  const LineFolding::Group* const group = groupOf(line);
  return group != nullptr && unfolded_.contains(accepted_[group->first]);
}

void LogRows::setUnfolded(LineList::Line line, bool on) {
  const LineFolding::Group* const group = groupOf(line);
  if (group == nullptr || isUnfolded(line) == on) return;
  unfolded_.toggle(accepted_[group->first]);
  noteChange(group->first);
}

std::optional<LineList::Line> LogRows::messageOf(LineList::Line line) const {
  const LineFolding::Group* const group = groupOf(line);
  if (group == nullptr || group->kind != LineFolding::Kind::Block) return std::nullopt;
  std::uint32_t place = group->last;
  for (int looked = 0; place != group->first && looked < kLongestMessageSearch; ++looked) {
    if (partOf(log_->book().line(accepted_[place]).text) == LinePart::Plain) return accepted_[place];
    place = folding_.previousOf(place);
  }
  return std::nullopt;
}

}  // namespace lockstep
