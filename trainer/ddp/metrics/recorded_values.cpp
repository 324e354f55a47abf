// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/metrics/recorded_values.h"

#include <nlohmann/json.hpp>

#include "trainer/usage/usage_values.h"

namespace lockstep::trainer {

std::vector<NamedValue> valuesOf(const StepRecord& r) {
  return measuredOf({{metric::kEpoch, r.epoch},
                     {metric::kLoss, r.loss},
                     {metric::kLearningRate, r.learningRate},
                     {metric::kSamplesPerSecond, r.samplesPerSecond},
                     {metric::kStepMs, r.stepMs},
                     {metric::kDataMs, r.dataMs},
                     {metric::kHostToDeviceMs, r.hostToDeviceMs},
                     {metric::kForwardMs, r.forwardMs},
                     {metric::kBackwardMs, r.backwardMs},
                     {metric::kWaitMs, r.waitMs},
                     {metric::kTransferMs, r.transferMs},
                     {metric::kOptimizerMs, r.optimizerMs},
                     {metric::kOtherMs, r.otherMs()},
                     {metric::kReducedBytes, r.reducedBytes},
                     {metric::kGradientNorm, r.gradientNorm},
                     {metric::kTokensPerSecond, r.tokensPerSecond},
                     {metric::kModelFlopsPercent, r.modelFlopsPercent}});
}

std::string jsonLine(int rank, Step step, const StepRecord& record) {
  nlohmann::ordered_json line = {{"rank", rank}, {"step", step}};
  for (const auto& [name, value] : valuesOf(record)) line[std::string(name)] = value;
  return line.dump();
}

}  // namespace lockstep::trainer
