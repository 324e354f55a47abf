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
    if (!chunks.empty()) add(chunks.front()->first().step, chunks.back()->last().step);
  }
  [[nodiscard]] const std::optional<std::pair<Step, Step>>& get() const { return all_; }

 private:
  std::optional<std::pair<Step, Step>> all_;
};

/// The rows of `before` are the first ones of `after`, and have the same samples of that quantity.
bool isPrefix(const SampleChunk& before, const SampleChunk& after, std::uint32_t id) {
  const std::uint32_t rows = before.size();
  if (after.size() < rows || after.axis().key(rows - 1) != before.last()) return false;
  const ValueColumn* old = before.column(id);
  const ValueColumn* now = after.column(id);
  return (old == nullptr ? 0U : old->size()) == (now == nullptr ? 0U : now->indexAt(rows));
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
    if (grown.size() > before.front()->size())
      changed.add(grown.axis().step(before.front()->size()), grown.last().step);
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
