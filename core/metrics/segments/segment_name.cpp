// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/segment_name.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 5> kFolders{"raw", "sum", "x16", "x256", "x4096"};  // by level

/// Takes `text` off the beginning.
bool skip(std::string_view& rest, std::string_view text) {
  if (!rest.starts_with(text)) return false;
  rest.remove_prefix(text.size());
  return true;
}

template <class Integer>
bool takeNumber(std::string_view& rest, Integer& value) {
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc() || value < 0) return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return true;
}

std::optional<SegmentLevel> takeFolder(std::string_view& rest) {
  const std::string_view folder = rest.substr(0, rest.find('/'));
  for (std::size_t level = 0; level < kFolders.size(); ++level) {
    if (folder != kFolders[level]) continue;
    rest.remove_prefix(folder.size());
    return static_cast<SegmentLevel>(level);
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t rawSegmentsIn(SegmentLevel level) {
  switch (level) {
    case SegmentLevel::Raw:
      return 1;
    case SegmentLevel::Summary:
    case SegmentLevel::Of16:
      return kSegmentFan;
    case SegmentLevel::Of256:
      return kSegmentFan * kSegmentFan;
    case SegmentLevel::Of4096:
      return kSegmentFan * kSegmentFan * kSegmentFan;
  }
  return 1;
}

SegmentLevel finer(SegmentLevel level) {
  if (level == SegmentLevel::Of4096) return SegmentLevel::Of256;
  return level == SegmentLevel::Of256 ? SegmentLevel::Of16 : SegmentLevel::Raw;
}

SegmentSpan SegmentId::segments() const {
  const std::uint64_t count = rawSegmentsIn(level);
  return {sequence * count, (sequence + 1) * count};
}

std::string segmentName(Rank rank, std::uint64_t sequence, SegmentLevel level) {
  return fmt::format("rank-{:05}/{}/{:010}.lsm", rank.value, kFolders[static_cast<std::size_t>(level)],
                     sequence);
}

std::optional<SegmentId> parseSegmentName(std::string_view name) {
  SegmentId id;
  std::string_view rest = name;
  std::int64_t sequence = 0;
  if (!skip(rest, "rank-") || !takeNumber(rest, id.rank.value) || !skip(rest, "/")) return std::nullopt;
  const auto level = takeFolder(rest);
  if (!level || !skip(rest, "/") || !takeNumber(rest, sequence) || rest != ".lsm") return std::nullopt;
  id.level = *level;
  id.sequence = static_cast<std::uint64_t>(sequence);
  // "rank-7/raw/0.lsm" would be a second name of the same segment.
  const bool isIts = sequence <= kMaxSequence && segmentName(id) == name;
  return isIts ? std::optional(id) : std::nullopt;
}

}  // namespace lockstep
