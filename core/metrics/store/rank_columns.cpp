// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/rank_columns.h"

#include <algorithm>

#include "metrics/store/attempt_rules.h"

namespace lockstep {
namespace {

void noteTimes(Attempt& attempt, const std::vector<RowKey>& keys, bool isFirst) {
  for (const RowKey& key : keys) {
    attempt.minTime = isFirst ? key.time : std::min(attempt.minTime, key.time);
    attempt.maxTime = isFirst ? key.time : std::max(attempt.maxTime, key.time);
    isFirst = false;
  }
}

/// Whether the steps of these chunks go up with the times.
bool isInOrder(const Attempt& attempt, const std::vector<std::size_t>& chunks) {
  const auto at = [&attempt](std::size_t i) {
    return i < attempt.chunks.size() ? attempt.chunks[i].get() : nullptr;
  };
  return std::ranges::none_of(
      chunks, [&at](std::size_t i) { return goesBack(i > 0 ? at(i - 1) : nullptr, *at(i), at(i + 1)); });
}

}  // namespace

void RankColumns::add(const RowBlock& block) {
  if (block.isEmpty()) return;
  noteSteps(block);
  if (isAfterAll(block)) {
    if (attempts_.empty()) attempts_.emplace_back();
    append(attempts_.back(), block);
  } else if (!distribute(block) && rebuilds_ < kMaxRebuilds) {
    ++rebuilds_;
    rebuild({});
  }
}

void RankColumns::noteSteps(const RowBlock& block) {
  for (const RowBlock::Column& column : block.columns) {
    const Step first = block.keys[column.rows.front()].step, last = block.keys[column.rows.back()].step;
    auto& steps = steps_.try_emplace(column.id, first, last).first->second;
    steps = {std::min(steps.first, first), std::max(steps.second, last)};
  }
}

bool RankColumns::isAfterAll(const RowBlock& block) const {
  if (!std::ranges::is_sorted(block.keys, {}, &RowKey::time)) return false;
  if (attempts_.empty()) return true;
  const Attempt& last = attempts_.back();
  return block.keys.front() > last.chunks.back()->last() && block.keys.front().time >= last.maxTime;
}

std::optional<std::vector<std::uint32_t>> RankColumns::attemptsOf(const std::vector<RowKey>& keys) const {
  std::vector<AttemptExtent> known;
  for (const Attempt& attempt : attempts_)
    known.emplace_back(attempt.minStep(), attempt.maxStep(), attempt.minTime, attempt.maxTime);
  std::vector<std::uint32_t> attempts(keys.size());
  for (const std::uint32_t row : byTime(keys)) {
    auto place = attemptFor(known, keys[row]);
    const bool isFull = known.size() >= kMaxAttempts || rebuilds_ >= kMaxRebuilds;
    if (!place && !isFull) return std::nullopt;
    if (!place || (*place == known.size() && known.size() >= kMaxAttempts)) place = known.size() - 1;
    if (*place == known.size()) known.emplace_back(keys[row]);
    known[*place].include(keys[row]);
    attempts[row] = static_cast<std::uint32_t>(*place);
  }
  return attempts;
}

/// False: a restart shows that was not known.
bool RankColumns::distribute(const RowBlock& block) {
  const auto attempts = attemptsOf(block.keys);
  const bool isContradiction = attempts && rebuilds_ < kMaxRebuilds && contradictsCoarse(block, *attempts);
  if (isContradiction) ++rebuilds_;
  if (!attempts || isContradiction) {
    rebuild(block);
    return true;
  }
  const std::size_t count = std::max<std::size_t>(attempts_.size(), std::ranges::max(*attempts) + 1U);
  attempts_.resize(count);
  const std::vector<RowBlock> parts = split(block, *attempts, count);
  bool isConsistent = true;
  for (std::size_t i = 0; i < count; ++i)
    if (!parts[i].isEmpty()) isConsistent = merge(attempts_[i], parts[i]) && isConsistent;
  return isConsistent || count >= kMaxAttempts;
}

void RankColumns::rebuild(const RowBlock& more) {
  RowBlock all;
  Chunks coarse;
  for (const Attempt& attempt : attempts_) {
    RowBlock one;
    for (const auto& chunk : attempt.chunks) {
      if (chunk->isCoarse()) coarse.push_back(chunk);
      one.append(chunk->rows());
    }
    all = merged(all, one);
  }
  all = merged(all, more);
  std::vector<RowKey> keys = all.keys;
  for (const auto& chunk : coarse) {
    keys.push_back({chunk->first().step, chunk->minTime()});
    keys.push_back({chunk->last().step, chunk->maxTime()});
  }
  attempts_.clear();
  open_.reset();
  if (keys.empty()) return;
  std::vector<std::uint32_t> attempts = attemptsAmong(keys, kMaxAttempts);
  attempts_.resize(std::ranges::max(attempts) + 1U);
  for (std::size_t i = 0; i < coarse.size(); ++i)
    place(attempts_[attempts[all.keys.size() + 2 * i]], coarse[i]);
  attempts.resize(all.keys.size());
  const std::vector<RowBlock> parts = split(all, attempts, attempts_.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!parts[i].isEmpty()) (void)merge(attempts_[i], parts[i]);
  std::erase_if(attempts_, [](const Attempt& attempt) { return attempt.chunks.empty(); });
}

void RankColumns::append(Attempt& attempt, const RowBlock& block) {
  noteTimes(attempt, block.keys, attempt.chunks.empty());
  std::shared_ptr<SampleChunk> chunk = openChunk(attempt);
  for (std::uint32_t first = 0; first < block.keys.size();) {
    first += chunk->append(block, first);
    const bool goesOn = first < block.keys.size();
    if (goesOn || chunk->size() == SampleChunk::kMaxRows) chunk->shrink();
    if (!goesOn) break;
    chunk = std::make_shared<SampleChunk>();
    attempt.chunks.push_back(chunk);
  }
  open_ = std::move(chunk);
}

/// The last chunk of the attempt, for appending: a copy of it where somebody else may be reading it.
std::shared_ptr<SampleChunk> RankColumns::openChunk(Attempt& attempt) {
  const bool isOpen = !attempt.chunks.empty() && !attempt.chunks.back()->isCoarse();
  if (isOpen && attempt.chunks.back()->size() < SampleChunk::kMaxRows) {
    if (open_ == attempt.chunks.back()) return open_;
    auto copy = std::make_shared<SampleChunk>(*attempt.chunks.back());
    attempt.chunks.back() = copy;
    return copy;
  }
  auto chunk = std::make_shared<SampleChunk>();
  attempt.chunks.push_back(chunk);
  return chunk;
}

/// False: by their times the steps of the attempt go back now.
bool RankColumns::merge(Attempt& attempt, const RowBlock& block) {
  noteTimes(attempt, block.keys, attempt.chunks.empty());
  if (attempt.chunks.empty()) {
    append(attempt, block);
    return true;
  }
  Chunks chunks;
  std::vector<std::size_t> changed;
  const auto rowsOf = [&](std::size_t i) {  // up to the next chunk; those behind the last one are appended
    const bool isLast = i + 1 == attempt.chunks.size();
    const auto end = isLast ? std::ranges::upper_bound(block.keys, attempt.chunks[i]->last())
                            : std::ranges::lower_bound(block.keys, attempt.chunks[i + 1]->first());
    return static_cast<std::size_t>(end - block.keys.begin());
  };
  std::size_t first = 0;
  for (std::size_t i = 0; i < attempt.chunks.size(); ++i) {
    const auto& chunk = attempt.chunks[i];
    const std::size_t end = rowsOf(i);
    if (end <= first) {
      chunks.push_back(chunk);
      continue;
    }
    std::size_t added = chunks.size();
    if (chunk->isCoarse())
      addAround(chunk, slice(block, first, end), chunks);
    else
      addChunks(merged(chunk->rows(), slice(block, first, end)), chunks);
    while (added < chunks.size()) changed.push_back(added++);
    first = end;
  }
  attempt.chunks = std::move(chunks);
  if (first < block.keys.size()) append(attempt, slice(block, first, block.keys.size()));
  return isInOrder(attempt, changed);
}

std::optional<std::pair<Step, Step>> RankColumns::steps(std::uint32_t id) const {
  const auto found = steps_.find(id);
  return found == steps_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t RankColumns::valueCount() const {
  std::size_t count = 0;
  for (const Attempt& attempt : attempts_)
    for (const auto& chunk : attempt.chunks) count += chunk->valueCount();
  return count;
}

std::size_t RankColumns::bytes() const {
  std::size_t bytes = sizeof(*this);
  for (const Attempt& attempt : attempts_)
    for (const auto& chunk : attempt.chunks) bytes += chunk->bytes() + sizeof(chunk);
  return bytes;
}

}  // namespace lockstep
