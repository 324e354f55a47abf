// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/changed_steps.h"

#include <algorithm>
#include <span>

namespace lockstep {
namespace {

using Chunks = std::span<const std::shared_ptr<const SampleChunk>>;

class StepRange {
 public:
  void add(Step from, Step to) {
    all_ = all_ ? std::pair(std::min(all_->first, from), std::max(all_->second, to)) : std::pair(from, to);
  }
  void add(Chunks chunks) {
    for (const auto& chunk : chunks) add(chunk->first().step, chunk->last().step);
  }
  [[nodiscard]] const std::optional<std::pair<Step, Step>>& get() const { return all_; }

 private:
  std::optional<std::pair<Step, Step>> all_;
};

/// Rows, or buckets.
std::uint32_t countOf(const SampleChunk& chunk) {
  return chunk.isCoarse() ? static_cast<std::uint32_t>(chunk.buckets().size()) : chunk.size();
}

Step firstStepOf(const SampleChunk& chunk, std::uint32_t place) {
  return chunk.isCoarse() ? chunk.buckets()[place].first.step : chunk.axis().step(place);
}

/// Of two that are both rows, or buckets of the same ones.
bool beginsWith(const SampleChunk& after, const SampleChunk& before) {
  const std::uint32_t count = countOf(before);
  if (after.isCoarse() != before.isCoarse() || countOf(after) < count) return false;
  if (!before.isCoarse()) return after.axis().key(count - 1) == before.last();
  return after.segments() == before.segments() &&
         std::ranges::equal(after.buckets().first(count), before.buckets());
}

/// The rows of `before` are the first ones of `after`, and have the same samples of that quantity.
bool isPrefix(const SampleChunk& before, const SampleChunk& after, std::uint32_t id) {
  if (!beginsWith(after, before)) return false;
  const ValueColumn* old = before.column(id);
  const ValueColumn* now = after.column(id);
  return (old == nullptr ? 0U : old->size()) == (now == nullptr ? 0U : now->indexAt(countOf(before)));
}

void compare(Chunks before, Chunks after, std::uint32_t id, StepRange& changed) {
  const auto same = std::ranges::mismatch(before, after);
  before = Chunks(same.in1, before.end());
  after = Chunks(same.in2, after.end());
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    before = before.first(before.size() - 1);
    after = after.first(after.size() - 1);
  }
  if (before.size() == 1 && !after.empty() && isPrefix(*before.front(), *after.front(), id)) {
    const SampleChunk& grown = *after.front();
    if (const std::uint32_t count = countOf(*before.front()); countOf(grown) > count)
      changed.add(firstStepOf(grown, count), grown.last().step);
    return changed.add(after.subspan(1));
  }
  changed.add(before);
  changed.add(after);
}

Chunks chunksOf(const RankColumns* table, std::size_t attempt) {
  return table == nullptr || attempt >= table->attempts().size() ? Chunks()
                                                                 : table->attempts()[attempt].chunks;
}

}  // namespace

std::optional<std::pair<Step, Step>> changedSteps(const RankColumns* before, const RankColumns& after,
                                                  std::uint32_t id) {
  StepRange changed;
  if (before == &after) return changed.get();
  const std::size_t count =
      std::max(before == nullptr ? 0 : before->attempts().size(), after.attempts().size());
  for (std::size_t i = 0; i < count; ++i) compare(chunksOf(before, i), chunksOf(&after, i), id, changed);
  return changed.get();
}

}  // namespace lockstep
