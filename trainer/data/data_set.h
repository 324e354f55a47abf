// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "trainer/data/batch.h"

namespace lockstep::trainer {

/// Samples by number. Immutable after it is made; gather() is thread-safe.
class DataSet {
 public:
  virtual ~DataSet() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual const SampleShape& shape() const = 0;
  /// Puts the samples of `indices` into `batch`, which it resizes. Each is augmented, where the set does
  /// that, by the random numbers of `seed` and its own index, so that the same sample looks the same on
  /// whatever rank it lands. DataLoss names a sample that cannot be read.
  virtual Result<void> gather(std::span<const std::size_t> indices, std::uint64_t seed,
                              Batch& batch) const = 0;
  /// Whether a batch takes so little that reading ahead gains nothing.
  [[nodiscard]] virtual bool isCheap() const { return true; }
};

/// What a training needs of a data folder.
struct TrainingData {
  std::unique_ptr<DataSet> train, test;
  std::vector<std::string> classNames;  // empty: text
};

}  // namespace lockstep::trainer
