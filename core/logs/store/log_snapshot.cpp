// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/log_snapshot.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace lockstep {

LogSnapshot::LogSnapshot(std::vector<std::shared_ptr<const LineFile>> files,
                         std::shared_ptr<const LineOrder> order, std::vector<std::string> nodes,
                         std::vector<Rank> ranks, std::uint64_t dropped)
    : files_(std::move(files)),
      order_(std::move(order)),
      nodes_(std::move(nodes)),
      ranks_(std::move(ranks)),
      dropped_(dropped) {}

std::uint64_t LogSnapshot::bytes() const {
  return std::accumulate(files_.begin(), files_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& file) { return sum + file->index.bytes; });
}

std::vector<Rank> LogSnapshot::ranks() const {
  std::set<Rank> all(ranks_.begin(), ranks_.end());
  for (const auto& file : files_) all.merge(file->ranks->all());
  return {all.begin(), all.end()};
}

LineId LogSnapshot::idOf(std::uint64_t index) const {
  const OrderPart part = order_->part(order_->partOf(index));
  std::uint64_t left = index - part.first;
  for (const LineRun& run : part.runs) {
    if (left < run.count) return {files_[run.file]->id, run.first + left};
    left -= run.count;
  }
  return {};
}

std::optional<std::uint64_t> LogSnapshot::indexOf(LineId id, std::uint64_t near) const {
  const auto inPart = [&](std::size_t number) -> std::optional<std::uint64_t> {
    const OrderPart part = order_->part(number);
    std::uint64_t index = part.first;
    for (const LineRun& run : part.runs) {
      if (files_[run.file]->id == id.file && id.line >= run.first && id.line - run.first < run.count)
        return index + (id.line - run.first);
      index += run.count;
    }
    return std::nullopt;
  };
  const std::size_t parts = order_->partCount();
  if (parts == 0) return std::nullopt;
  const std::size_t middle = order_->partOf(std::min(near, size() - 1));
  for (std::size_t distance = 0; distance < parts; ++distance) {
    if (middle + distance < parts)
      if (const auto found = inPart(middle + distance)) return found;
    if (distance > 0 && distance <= middle)
      if (const auto found = inPart(middle - distance)) return found;
  }
  return std::nullopt;
}

std::uint64_t LogSnapshot::commonStart(const LogSnapshot& older) const {
  return std::min({order_->commonStart(*older.order_), size(), older.size()});
}

std::vector<SameLines> LogSnapshot::sameLines(const LogSnapshot& older) const {
  // Another owner counts its files anew: a file of the same number is another one then.
  const auto isOther = [&older](const std::shared_ptr<const LineFile>& file) {
    return std::any_of(older.files_.begin(), older.files_.end(), [&file](const auto& old) {
      return old->id == file->id && old->syntax == LineSyntax::Kept && old->bytes != file->bytes;
    });
  };
  if (std::any_of(files_.begin(), files_.end(), isOther)) return {};
  return order_->sameLines(*older.order_);
}

}  // namespace lockstep
