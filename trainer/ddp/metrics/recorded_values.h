// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "metrics/metric_sample.h"

namespace lockstep::trainer {

/// What one step is recorded with; times in milliseconds. The parts sum to stepMs: otherMs() is what is left.
struct StepRecord {
  double loss = 0, learningRate = 0, samplesPerSecond = 0;
  double stepMs = 0, dataMs = 0, hostToDeviceMs = 0, forwardMs = 0, backwardMs = 0, waitMs = 0,
         transferMs = 0, optimizerMs = 0;
  double reducedBytes = 0;
  std::optional<double> gradientNorm, tokensPerSecond, modelFlopsPercent;
  int epoch = 0;
  double recordMs = 0;  // what recording it took; not recorded itself, for --bench
  [[nodiscard]] double otherMs() const {
    return stepMs - dataMs - hostToDeviceMs - forwardMs - backwardMs - waitMs - transferMs - optimizerMs;
  }
};

/// All that is recorded of a step, each under its name of the catalogue. What was not measured is left out.
[[nodiscard]] std::vector<NamedValue> valuesOf(const StepRecord& record);

/// One line of JSON with all of a step, under the names of the metrics.
[[nodiscard]] std::string jsonLine(int rank, Step step, const StepRecord& record);

}  // namespace lockstep::trainer
