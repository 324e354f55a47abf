// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "metrics/store/value_summary.h"

namespace lockstep {

/// What values come to, bucket by bucket, where the values themselves are not in memory. The value of a bucket is its last.
/// `T`: float where it holds every number but the mean exactly, else double.
template <class T>
class ValueBuckets {
 public:
  /// `firstOffset`, `lastOffset`: how far the first and the last sample lie behind the first step of the bucket.
  void append(const ValueSummary& values, std::uint64_t firstOffset, std::uint64_t lastOffset) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    const auto narrowed = [](std::uint64_t number) {
      return static_cast<std::uint32_t>(number < kMost ? number : kMost);
    };
    buckets_.push_back({static_cast<T>(values.min), static_cast<T>(values.max), static_cast<T>(values.first),
                        static_cast<T>(values.last), static_cast<T>(values.mean()), narrowed(values.finite),
                        narrowed(values.notFinite), narrowed(firstOffset), narrowed(lastOffset)});
  }
  [[nodiscard]] std::size_t size() const { return buckets_.size(); }
  /// NaN: no value of the bucket is finite.
  [[nodiscard]] T value(std::size_t index) const {
    const Bucket& bucket = buckets_[index];
    return bucket.finite > 0 ? bucket.last : std::numeric_limits<T>::quiet_NaN();
  }
  [[nodiscard]] std::uint32_t firstOffset(std::size_t index) const { return buckets_[index].firstOffset; }
  [[nodiscard]] std::uint32_t lastOffset(std::size_t index) const { return buckets_[index].lastOffset; }
  [[nodiscard]] ValueSummary summary(std::size_t first, std::size_t end) const {
    ValueSummary all;
    for (std::size_t i = first; i < end; ++i) all.append(summaryOf(buckets_[i]));
    return all;
  }
  /// The last bucket of [first, end) that has a finite value.
  [[nodiscard]] std::optional<std::size_t> lastFinite(std::size_t first, std::size_t end) const {
    for (std::size_t i = end; i > first; --i)
      if (buckets_[i - 1].finite > 0) return i - 1;
    return std::nullopt;
  }
  /// Forgets the buckets from `count` on.
  void keepFirst(std::size_t count) {
    buckets_.erase(buckets_.begin() + static_cast<std::ptrdiff_t>(count), buckets_.end());
  }
  void shrink() { buckets_.shrink_to_fit(); }
  [[nodiscard]] std::size_t bytes() const { return buckets_.capacity() * sizeof(Bucket); }

 private:
  struct Bucket {
    T min, max, first, last, mean;
    std::uint32_t finite, notFinite, firstOffset, lastOffset;
  };
  static ValueSummary summaryOf(const Bucket& bucket) {
    ValueSummary values;
    values.notFinite = bucket.notFinite;
    if (bucket.finite == 0) return values;
    values.finite = bucket.finite;
    values.min = bucket.min;
    values.max = bucket.max;
    values.first = bucket.first;
    values.last = bucket.last;
    values.sum = static_cast<double>(bucket.mean) * static_cast<double>(bucket.finite);
    return values;
  }

  std::vector<Bucket> buckets_;
};

}  // namespace lockstep
