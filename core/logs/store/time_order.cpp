// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/time_order.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t kMaxInChunk = 2048;

bool isBefore(const TimedLine& a, const TimedLine& b) {
  return a.time < b.time;
}

bool isSame(const TimedLine& a, const TimedLine& b) {
  return a.file == b.file && a.line == b.line;
}

}  // namespace

TimeOrder::TimeOrder(std::vector<std::shared_ptr<const Chunk>> chunks, std::vector<std::uint64_t> files)
    : chunks_(std::move(chunks)), files_(std::move(files)) {
  starts_.reserve(chunks_.size() + 1);
  starts_.push_back(0);
  for (const auto& chunk : chunks_) starts_.push_back(starts_.back() + chunk->size());
}

std::size_t TimeOrder::partOf(std::uint64_t index) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), index);
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

OrderPart TimeOrder::part(std::size_t number) const {
  OrderPart part{starts_[number], chunks_[number]->size(), {}};
  std::uint64_t lastFile = 0;
  for (const TimedLine& line : *chunks_[number]) {
    const bool isSameFile = !part.runs.empty() && lastFile == line.file;
    if (isSameFile && part.runs.back().first + part.runs.back().count == line.line) {
      ++part.runs.back().count;
      continue;
    }
    lastFile = line.file;
    const auto place = std::ranges::lower_bound(files_, lastFile);
    part.runs.push_back({static_cast<std::uint32_t>(place - files_.begin()), line.line, 1});
  }
  return part;
}

bool TimeOrder::hasFile(std::uint64_t file) const {
  return std::ranges::binary_search(files_, file);
}

std::uint64_t TimeOrder::commonStart(const LineOrder& older) const {
  const auto* other = dynamic_cast<const TimeOrder*>(&older);
  if (!other) return 0;
  const std::size_t parts = std::min(chunks_.size(), other->chunks_.size());
  std::size_t mine = 0;
  while (mine < parts && chunks_[mine] == other->chunks_[mine]) ++mine;
  // From here on line by line: chunks that were divided hold the same lines in other pieces.
  std::size_t theirs = mine, mineAt = 0, theirsAt = 0;
  const std::uint64_t start = starts_[mine];
  std::uint64_t same = 0;
  while (mine < chunks_.size() && theirs < other->chunks_.size() &&
         isSame((*chunks_[mine])[mineAt], (*other->chunks_[theirs])[theirsAt])) {
    ++same;
    if (++mineAt == chunks_[mine]->size()) ++mine, mineAt = 0;
    if (++theirsAt == other->chunks_[theirs]->size()) ++theirs, theirsAt = 0;
  }
  return start + same;
}

/// A line on the way through an order.
struct TimeOrder::Place {
  const TimeOrder* order;
  std::size_t chunk = 0, line = 0;

  [[nodiscard]] bool isAtEnd() const { return chunk == order->chunks_.size(); }
  [[nodiscard]] bool isAtStart() const { return line == 0; }
  [[nodiscard]] const std::shared_ptr<const Chunk>& all() const { return order->chunks_[chunk]; }
  [[nodiscard]] const TimedLine& get() const { return (*all())[line]; }
  [[nodiscard]] std::uint64_t index() const { return order->starts_[chunk] + line; }
  void next(std::size_t count) {
    line += count;
    if (line == all()->size()) ++chunk, line = 0;
  }
};

std::vector<SameLines> TimeOrder::sameLines(const LineOrder& older) const {
  const auto* other = dynamic_cast<const TimeOrder*>(&older);
  if (!other) return {};
  std::vector<SameLines> same;
  const auto note = [&same](const Place& theirs, const Place& mine, std::uint64_t count) {
    const std::uint64_t from = theirs.index(), to = mine.index();
    if (!same.empty() && same.back().older + same.back().count == from &&
        same.back().newer + same.back().count == to)
      same.back().count += count;
    else
      same.push_back({from, to, count});
  };
  Place theirs{other}, mine{this};
  while (!theirs.isAtEnd() && !mine.isAtEnd()) {
    std::size_t count = 0;
    if (theirs.isAtStart() && mine.isAtStart() && theirs.all() == mine.all())
      count = mine.all()->size();
    else if (isSame(theirs.get(), mine.get()))
      count = 1;
    if (count > 0) {
      note(theirs, mine, count);
      theirs.next(count);
      mine.next(count);
    } else if (!hasFile(theirs.get().file)) {
      theirs.next(1);  // has gone with its file
    } else {
      mine.next(1);  // has come in between
    }
  }
  return same;
}

void TimeOrderBuilder::add(std::vector<TimedLine> lines) {
  if (lines.empty()) return;
  std::stable_sort(lines.begin(), lines.end(), isBefore);
  size_ += lines.size();
  // From behind, so that the slots before stay where they are.
  const TimedLine* end = lines.data() + lines.size();
  while (end != lines.data()) {
    const std::size_t slot = slotFor(end[-1].time);
    const TimedLine* first = end - 1;
    while (first != lines.data() && slotFor(first[-1].time) == slot) --first;
    insert(slot, first, end);
    end = first;
  }
}

/// The last slot that begins at that time or before: lines of the same time stay in the order in which they came.
std::size_t TimeOrderBuilder::slotFor(std::int64_t time) const {
  const auto after =
      std::upper_bound(slots_.begin(), slots_.end(), time,
                       [](std::int64_t at, const Slot& slot) { return at < slot.chunk->front().time; });
  return after == slots_.begin() ? 0 : static_cast<std::size_t>(after - slots_.begin()) - 1;
}

void TimeOrderBuilder::insert(std::size_t slot, const TimedLine* first, const TimedLine* last) {
  if (slots_.empty()) slots_.push_back({std::make_shared<TimeOrder::Chunk>(), false});
  TimeOrder::Chunk& chunk = changeable(slot);
  const auto middle = static_cast<std::ptrdiff_t>(chunk.size());
  chunk.insert(chunk.end(), first, last);
  std::inplace_merge(chunk.begin(), chunk.begin() + middle, chunk.end(), isBefore);
  if (chunk.size() <= kMaxInChunk) return;
  // Into pieces: full ones at the end of the log, where more will come, halves in its middle.
  const bool isLast = slot + 1 == slots_.size();
  const std::size_t piece = isLast ? kMaxInChunk : kMaxInChunk / 2;
  std::vector<Slot> pieces;
  for (std::size_t from = 0; from < chunk.size(); from += piece) {
    const auto begin = chunk.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = chunk.begin() + static_cast<std::ptrdiff_t>(std::min(from + piece, chunk.size()));
    pieces.push_back({std::make_shared<TimeOrder::Chunk>(begin, end), false});
  }
  const auto place = slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(slot));
  slots_.insert(place, std::make_move_iterator(pieces.begin()), std::make_move_iterator(pieces.end()));
}

TimeOrder::Chunk& TimeOrderBuilder::changeable(std::size_t slot) {
  Slot& found = slots_[slot];
  if (found.isShared) {
    auto copy = std::make_shared<TimeOrder::Chunk>();
    copy->reserve(kMaxInChunk);
    *copy = *found.chunk;
    found = {std::move(copy), false};
  }
  return *found.chunk;
}

void TimeOrderBuilder::drop(std::uint64_t file) {
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const auto isOfIt = [file](const TimedLine& line) { return line.file == file; };
    if (std::any_of(slots_[slot].chunk->begin(), slots_[slot].chunk->end(), isOfIt))
      size_ -= std::erase_if(changeable(slot), isOfIt);
  }
  std::erase_if(slots_, [](const Slot& slot) { return slot.chunk->empty(); });
}

std::shared_ptr<const TimeOrder> TimeOrderBuilder::order(std::vector<std::uint64_t> files) {
  std::vector<std::shared_ptr<const TimeOrder::Chunk>> chunks;
  chunks.reserve(slots_.size());
  for (Slot& slot : slots_) {
    slot.isShared = true;
    chunks.push_back(slot.chunk);
  }
  return std::make_shared<TimeOrder>(std::move(chunks), std::move(files));
}

}  // namespace lockstep
