// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "metrics/coarse_part.h"
#include "metrics/sample_joiner.h"
#include "metrics/segments/calls_at_once.h"
#include "metrics/segments/segment_filter.h"
#include "workdir/object_store.h"

namespace lockstep {

/// Objects of a metrics folder, as they were read: side by side where the store is slow, in the order they were asked for.
class PieceReader {
 public:
  /// `folder`: with a slash behind. The filter outlives the reader.
  PieceReader(std::shared_ptr<ObjectStore> store, std::string folder, SegmentFilter& filter);

  /// One object, or why it is none: NotFound and DataLoss say that it is lost, everything else that it may come.
  struct Object {
    SegmentId id;
    std::size_t bytes = 0;
    std::optional<MetricSegment> segment;   // of Raw and Summary
    std::optional<SegmentSummary> summary;  // of the other levels
    std::optional<Error> error;             // absent: one of the two is there

    [[nodiscard]] bool isLost() const;
  };
  [[nodiscard]] std::vector<Object> read(const std::vector<SegmentId>& ids, const std::stop_token& stop);

  /// What came of an attempt to read a part of the past more finely: all of it or nothing.
  struct Finer {
    CoarsePart part;
    std::size_t rawBytes = 0;  // of the raw segments that were read
    std::uint64_t rawObjects = 0;
    std::optional<Error>
        error;  // what is lost (NotFound, DataLoss; `where` names it) or cannot be had now; then there is no part
  };
  /// `ids`: what `replaces` is made of. Where a summary is lost, what it is made of is read in its place. Blocks for as long as
  /// that takes.
  [[nodiscard]] Finer readFiner(const CoarseSpan& replaces, std::vector<SegmentId> ids,
                                const std::stop_token& stop);
  /// How many objects are read at once at present.
  [[nodiscard]] std::size_t width() const { return calls_.width(); }
  /// Of all objects so far, also of those that turned out to be none.
  [[nodiscard]] std::uint64_t bytesRead() const { return bytesRead_; }

 private:
  void take(Object object, Finer& into, SampleJoiner& samples, std::vector<SegmentId>& ids);
  [[nodiscard]] Object decoded(const SegmentId& id, Result<std::string> bytes);

  std::shared_ptr<ObjectStore> store_;
  std::string folder_;
  SegmentFilter& filter_;
  CallsAtOnce calls_;
  std::uint64_t bytesRead_ = 0;
};

/// The objects of the next finer level that one is made of; none of Raw.
[[nodiscard]] std::vector<SegmentId> partsOf(const SegmentId& id);

}  // namespace lockstep
