// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "metrics/segments/segment_name.h"

namespace lockstep {

/// What a reader has of the past of one rank, other than samples: which summaries it is going to read, and which stand for
/// which raw segments now. Nothing of it is looked at until plan().
class CoarsePast {
 public:
  using MayExist = std::function<bool(const SegmentId&)>;
  /// Covers the raw segments [0, count) of that rank by as few summaries as can be. What none covers is returned: to be read
  /// as it is.
  std::vector<SegmentSpan> plan(Rank rank, std::uint64_t count, const MayExist& mayExist);

  /// Raw segments below are of the past, and none of a poll's news.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  /// Summaries that are to be read.
  [[nodiscard]] const std::set<SegmentId>& toRead() const { return toRead_; }
  void hasCome(const SegmentId& id);
  /// That summary is lost: finer ones are read in its place. The raw segments that it stood for, where there are none.
  [[nodiscard]] SegmentSpan isLost(const SegmentId& id);

  /// Nothing from that raw segment on is believed to be there, but what summaries show.
  void forgetFrom(std::uint64_t raw);

  /// The summary that stands for exactly these raw segments; nullopt: none does.
  [[nodiscard]] std::optional<SegmentId> summaryOf(const SegmentSpan& segments) const;
  /// Whether a summary stands for that raw segment.
  [[nodiscard]] bool covers(std::uint64_t raw) const;
  /// `id` was replaced by these.
  void replace(const SegmentId& id, const std::vector<SegmentId>& by);
  /// It cannot be replaced: something that it is made of is lost.
  void keep(const SegmentSpan& segments) { kept_.insert(segments); }
  [[nodiscard]] bool isKept(const SegmentSpan& segments) const { return kept_.contains(segments); }
  /// The newest summary that can be replaced, other than these.
  [[nodiscard]] std::optional<SegmentId> newest(const std::set<SegmentId>& except = {}) const;
  /// For how many raw segments summaries stand that can be replaced.
  [[nodiscard]] std::uint64_t rawSegments() const;

 private:
  std::uint64_t end_ = 0;
  std::set<SegmentId> toRead_;
  std::map<std::uint64_t, SegmentId> shown_;  // by the first raw segment
  std::set<SegmentSpan> kept_;
};

}  // namespace lockstep
