// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

#include "base/error.h"

namespace lockstep::trainer {

/// Where a training is, beside its weights: what a checkpoint has to know so that the next steps are those
/// that would have come. Random numbers are not in it, because every draw is made from seed, step and sample.
struct TrainingPosition {
  long long step = 0;         // updates so far
  int epoch = 0;              // from 0
  long long samplesDone = 0;  // of this epoch, on all ranks together
  std::uint64_t seed = 1;     // of order and draws
  std::string model;
  double bestTestLoss = 0;  // for early stop; 0: no evaluation yet
  int epochsWithoutGain = 0;
  bool operator==(const TrainingPosition&) const = default;
};

/// One JSON object.
[[nodiscard]] std::string toText(const TrainingPosition& position);
/// DataLoss when it is none.
[[nodiscard]] Result<TrainingPosition> positionFrom(const std::string& text);

}  // namespace lockstep::trainer
