// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_store.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "metrics/sample_rows.h"
#include "metrics/store/changed_steps.h"

namespace lockstep {
namespace {

MetricPoint pointAt(const SampleChunk& chunk, const ValueColumn& column, std::uint32_t index) {
  const RowKey key = chunk.key(column, index);
  return {key.step, key.time, column.value(index)};
}

/// The chunk of an attempt that reaches `step` first.
auto chunkAt(const Attempt& attempt, Step step) {
  return std::ranges::partition_point(attempt.chunks,
                                      [step](const auto& chunk) { return chunk->last().step < step; });
}

/// The first sample of one attempt at or behind `step`.
std::optional<MetricPoint> firstFrom(const Attempt& attempt, std::uint32_t id, Step step) {
  for (auto chunk = chunkAt(attempt, step); chunk != attempt.chunks.end(); ++chunk) {
    const ValueColumn* column = (*chunk)->column(id);
    const std::uint32_t next = column == nullptr ? 0 : (*chunk)->firstAt(*column, step);
    if (column != nullptr && next < column->size()) return pointAt(**chunk, *column, next);
  }
  return std::nullopt;
}

/// The last sample of one attempt before `step`.
std::optional<MetricPoint> lastBefore(const Attempt& attempt, std::uint32_t id, Step step) {
  auto behind = chunkAt(attempt, step);
  if (behind != attempt.chunks.end()) ++behind;
  while (behind != attempt.chunks.begin()) {
    const SampleChunk& chunk = **--behind;
    const ValueColumn* column = chunk.column(id);
    const std::uint32_t count = column == nullptr ? 0 : chunk.firstAt(*column, step);
    if (count > 0) return pointAt(chunk, *column, count - 1);
  }
  return std::nullopt;
}

double distance(const RowKey& key, double step) {
  return std::fabs(static_cast<double>(key.step) - step);
}

/// The first step at or above `x`, within what a step can be.
Step stepAtOrAbove(double x) {
  constexpr double kBeyond = 4e18;
  return static_cast<Step>(std::ceil(std::clamp(x, -kBeyond, kBeyond)));
}

/// The rows next to `step`: the first at or behind it and the last before it.
std::vector<RowKey> rowsAround(const Attempt& attempt, Step step) {
  std::vector<RowKey> found;
  const auto chunk = std::ranges::partition_point(
      attempt.chunks, [step](const auto& one) { return one->last().step < step; });
  std::optional<RowKey> before;
  if (chunk != attempt.chunks.end()) {
    found.push_back((*chunk)->rowAt(step));
    before = (*chunk)->rowBefore(step);
  }
  if (before)
    found.push_back(*before);
  else if (chunk != attempt.chunks.begin())
    found.push_back((*std::prev(chunk))->last());
  return found;
}

/// The step of the last row that is not later; the first step where threads of the rank recorded out of order. Within an
/// attempt times go up with the steps.
Step lastStepBy(const Attempt& attempt, TimePoint time) {
  const auto chunk = std::ranges::partition_point(attempt.chunks,
                                                  [time](const auto& one) { return one->minTime() <= time; });
  if (chunk == attempt.chunks.begin()) return attempt.minStep();
  return (*std::prev(chunk))->rowBy(time).step;
}

/// The last `count` samples of an attempt that are not beyond `step`, newest first.
std::vector<MetricPoint> backwards(const Attempt& attempt, std::uint32_t id, std::size_t count,
                                   Step step = std::numeric_limits<Step>::max()) {
  std::vector<MetricPoint> points;
  for (auto chunk = attempt.chunks.rbegin(); chunk != attempt.chunks.rend(); ++chunk) {
    const ValueColumn* column = (*chunk)->column(id);
    if (column == nullptr || (*chunk)->first().step > step) continue;
    const bool isWithin = (*chunk)->last().step <= step;
    for (std::uint32_t i = isWithin ? column->size() : (*chunk)->firstAt(*column, step + 1);
         i-- > 0 && points.size() < count;)
      points.push_back(pointAt(**chunk, *column, i));
    if (points.size() == count) break;
  }
  return points;
}

}  // namespace

/// What the quantities are called: a number of each, which the tables know it by.
struct MetricStore::Names {
  std::map<std::string, std::uint32_t, std::less<>> ids;
};

MetricStore::MetricStore() : names_(std::make_shared<Names>()) {}
MetricStore::~MetricStore() = default;
MetricStore::MetricStore(const MetricStore& other) = default;
MetricStore::MetricStore(MetricStore&& other) noexcept = default;
MetricStore& MetricStore::operator=(MetricStore&& other) noexcept = default;

void MetricStore::add(std::span<const MetricSeriesBatch> batches) {
  std::map<Rank, SampleRows> rows;
  for (const MetricSeriesBatch& batch : batches)
    if (!batch.points.empty()) rows[batch.rank].add(idOf(batch.name), batch.points, batch.segments);
  for (auto& [rank, ofRank] : rows) changeable(rank).add(ofRank.take());
}

std::shared_ptr<const MetricStore> MetricStore::snapshot() {
  areNamesShared_ = true;
  for (auto& [rank, ofRank] : ranks_) ofRank.isShared = true;
  return std::shared_ptr<const MetricStore>(new MetricStore(*this));
}

std::shared_ptr<const MetricStore> MetricStore::until(const std::function<TimePoint(Rank)>& end) const {
  auto past = std::make_shared<MetricStore>();
  past->names_ = names_;
  past->areNamesShared_ = true;
  for (const auto& [rank, ofRank] : ranks_) {
    auto table = std::make_shared<RankColumns>(ofRank.table->until(end(rank)));
    if (!table->isEmpty()) past->ranks_[rank] = {std::move(table), true};
  }
  return past;
}

std::span<const Attempt> MetricStore::attempts(Rank rank) const {
  const RankColumns* table = tableOf(rank);
  return table == nullptr ? std::span<const Attempt>() : table->attempts();
}

std::uint32_t MetricStore::idOf(const std::string& name) {
  if (const auto id = findId(name)) return *id;
  if (areNamesShared_) names_ = std::make_shared<Names>(*names_);
  areNamesShared_ = false;
  const auto id = static_cast<std::uint32_t>(names_->ids.size());
  names_->ids.emplace(name, id);
  return id;
}

std::optional<std::uint32_t> MetricStore::findId(std::string_view name) const {
  const auto found = names_->ids.find(name);
  return found == names_->ids.end() ? std::nullopt : std::optional(found->second);
}

const RankColumns* MetricStore::tableOf(Rank rank) const {
  const auto found = ranks_.find(rank);
  return found == ranks_.end() ? nullptr : found->second.table.get();
}

RankColumns& MetricStore::changeable(Rank rank) {
  OfRank& ofRank = ranks_[rank];
  if (!ofRank.table) ofRank.table = std::make_shared<RankColumns>();
  if (ofRank.isShared) {
    ofRank.table = std::make_shared<RankColumns>(*ofRank.table);
    ofRank.table->shareChunks();
    ofRank.isShared = false;
  }
  return *ofRank.table;
}

std::vector<std::string> MetricStore::names() const {
  std::vector<std::string> result;
  for (const auto& [name, id] : names_->ids) result.push_back(name);
  return result;
}

std::vector<Rank> MetricStore::ranks() const {
  std::vector<Rank> result;
  for (const auto& [rank, ofRank] : ranks_)
    if (!ofRank.table->attempts().empty()) result.push_back(rank);
  return result;
}

std::vector<Rank> MetricStore::ranks(std::string_view name) const {
  std::vector<Rank> result;
  const auto id = findId(name);
  if (!id) return result;
  for (const auto& [rank, ofRank] : ranks_)
    if (ofRank.table->steps(*id)) result.push_back(rank);
  return result;
}

void MetricStore::forEachColumn(
    std::string_view name, Rank rank,
    const std::function<void(const SampleChunk&, const ValueColumn&)>& visit) const {
  const auto id = findId(name);
  const RankColumns* table = tableOf(rank);
  if (!id || table == nullptr) return;
  for (const Attempt& attempt : table->attempts())
    for (const auto& chunk : attempt.chunks)
      if (const ValueColumn* column = chunk->column(*id)) visit(*chunk, *column);
}

std::vector<MetricPoint> MetricStore::series(std::string_view name, Rank rank) const {
  std::vector<MetricPoint> samples;
  forEachColumn(name, rank, [&samples](const SampleChunk& chunk, const ValueColumn& column) {
    for (std::uint32_t i = 0; !chunk.isCoarse() && i < column.size(); ++i)
      samples.push_back(pointAt(chunk, column, i));
  });
  return samples;
}

std::vector<MetricPoint> MetricStore::points(std::string_view name, Rank rank) const {
  std::vector<MetricPoint> all;
  forEachColumn(name, rank, [&all](const SampleChunk& chunk, const ValueColumn& column) {
    for (std::uint32_t i = 0; i < column.size(); ++i) all.push_back(pointAt(chunk, column, i));
  });
  return all;
}

std::optional<MetricPoint> MetricStore::last(std::string_view name, Rank rank) const {
  const auto points = newest(name, rank, 1);
  return points.empty() ? std::nullopt : std::optional(points.front());
}

std::optional<MetricPoint> MetricStore::last(std::string_view name, Rank rank, const Reached& by) const {
  const auto id = findId(name);
  const auto all = attempts(rank);
  if (!id) return std::nullopt;
  for (std::size_t i = std::min(all.size(), static_cast<std::size_t>(by.attempt) + 1); i-- > 0;) {
    const bool isThen = i == static_cast<std::size_t>(by.attempt);
    if (auto point = lastBefore(all[i], *id, (isThen ? by.step : all[i].maxStep()) + 1)) return point;
  }
  return std::nullopt;
}

std::vector<MetricPoint> MetricStore::newest(std::string_view name, Rank rank, std::size_t count) const {
  const auto id = findId(name);
  const RankColumns* table = tableOf(rank);
  if (!id || table == nullptr || !table->steps(*id)) return {};
  std::vector<MetricPoint> points;
  for (std::size_t i = table->attempts().size(); i-- > 0 && points.empty();)
    points = backwards(table->attempts()[i], *id, count);
  std::ranges::reverse(points);
  return points;
}

std::vector<MetricPoint> MetricStore::newest(std::string_view name, Rank rank, std::size_t count,
                                             const Reached& by) const {
  const auto id = findId(name);
  const auto all = attempts(rank);
  if (!id || by.attempt < 0 || static_cast<std::size_t>(by.attempt) >= all.size()) return {};
  auto points = backwards(all[static_cast<std::size_t>(by.attempt)], *id, count, by.step);
  std::ranges::reverse(points);
  return points;
}

std::optional<MetricPoint> MetricStore::nearest(std::string_view name, Rank rank, double step) const {
  const auto id = findId(name);
  const RankColumns* table = tableOf(rank);
  if (!id || table == nullptr || std::isnan(step)) return std::nullopt;
  std::optional<MetricPoint> best;
  const auto away = [step](const MetricPoint& p) { return distance(RowKey{p.step, p.time}, step); };
  for (std::size_t i = table->attempts().size(); i-- > 0;) {
    const Attempt& attempt = table->attempts()[i];
    for (const auto& point :
         {firstFrom(attempt, *id, stepAtOrAbove(step)), lastBefore(attempt, *id, stepAtOrAbove(step))})
      if (point && (!best || away(*point) < away(*best))) best = point;
  }
  return best;
}

std::optional<std::pair<Step, Step>> MetricStore::steps(std::string_view name) const {
  std::optional<std::pair<Step, Step>> all;
  const auto id = findId(name);
  if (!id) return all;
  for (const auto& [rank, ofRank] : ranks_) {
    const auto steps = ofRank.table->steps(*id);
    if (!steps) continue;
    if (!all) all = steps;
    all = std::pair(std::min(all->first, steps->first), std::max(all->second, steps->second));
  }
  return all;
}

std::optional<RowKey> MetricStore::nearestRow(Rank rank, double step) const {
  const RankColumns* table = tableOf(rank);
  if (table == nullptr || std::isnan(step)) return std::nullopt;
  std::optional<RowKey> best;
  for (std::size_t i = table->attempts().size(); i-- > 0;) {
    for (const RowKey& key : rowsAround(table->attempts()[i], stepAtOrAbove(step)))
      if (!best || distance(key, step) < distance(*best, step)) best = key;
  }
  return best;
}

std::optional<MetricStore::Reached> MetricStore::reachedAt(Rank rank, TimePoint time) const {
  const RankColumns* table = tableOf(rank);
  if (table == nullptr) return std::nullopt;
  for (std::size_t i = table->attempts().size(); i-- > 0;) {
    const Attempt& attempt = table->attempts()[i];
    if (attempt.minTime > time) continue;
    return Reached{static_cast<int>(i), lastStepBy(attempt, time)};
  }
  return std::nullopt;
}

std::optional<std::pair<TimePoint, TimePoint>> MetricStore::times() const {
  std::optional<std::pair<TimePoint, TimePoint>> all;
  for (const auto& [rank, ofRank] : ranks_) {
    for (const Attempt& attempt : ofRank.table->attempts()) {
      if (!all) all = std::pair(attempt.minTime, attempt.maxTime);
      all = std::pair(std::min(all->first, attempt.minTime), std::max(all->second, attempt.maxTime));
    }
  }
  return all;
}

std::optional<std::pair<Step, Step>> MetricStore::changedSteps(std::string_view name,
                                                               std::span<const Rank> ranks,
                                                               const MetricStore& before) const {
  std::optional<std::pair<Step, Step>> all;
  const auto id = findId(name);
  if (!id) return all;
  const bool wasKnown = before.findId(name) == id;
  for (const Rank rank : ranks) {
    const RankColumns* table = tableOf(rank);
    const auto steps = table == nullptr
                           ? std::nullopt
                           : lockstep::changedSteps(wasKnown ? before.tableOf(rank) : nullptr, *table, *id);
    if (!steps) continue;
    if (!all) all = steps;
    all = std::pair(std::min(all->first, steps->first), std::max(all->second, steps->second));
  }
  return all;
}

std::size_t MetricStore::sampleCount() const {
  std::size_t count = 0;
  for (const auto& [rank, ofRank] : ranks_) count += ofRank.table->valueCount();
  return count;
}

std::size_t MetricStore::sampleCount(std::string_view name, Rank rank) const {
  std::uint64_t count = 0;
  forEachColumn(name, rank, [&count](const SampleChunk&, const ValueColumn& column) {
    count += column.summary().finite + column.summary().notFinite;
  });
  return static_cast<std::size_t>(count);
}

std::size_t MetricStore::bytes() const {
  std::size_t bytes = sizeof(*this);
  for (const auto& [rank, ofRank] : ranks_) bytes += ofRank.table->bytes();
  return bytes;
}

std::vector<PixelSpan> MetricStore::spans(std::string_view name, Rank rank, double fromStep, double toStep,
                                          int pixels) const {
  const auto id = findId(name);
  const RankColumns* table = tableOf(rank);
  if (!id || table == nullptr) return {};
  return pixelSpans(*table, *id, {fromStep, toStep, pixels});
}

void MetricStore::forEachPixel(std::string_view name, Rank rank, const PixelGrid& grid,
                               const std::function<void(const PixelPart&)>& visit) const {
  const auto id = findId(name);
  const RankColumns* table = tableOf(rank);
  if (id && table != nullptr) lockstep::forEachPixel(*table, *id, grid, visit);
}

}  // namespace lockstep
