// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/optim/learning_rate.h"

#include <algorithm>
#include <cmath>

namespace lockstep::trainer {

double learningRateAt(const LearningRateSettings& settings, long long step, int epoch, long long totalSteps) {
  if (step < settings.warmupSteps)
    return settings.base * static_cast<double>(step + 1) / static_cast<double>(settings.warmupSteps);
  switch (settings.schedule) {
    case LearningRateSettings::Schedule::Constant:
      break;
    case LearningRateSettings::Schedule::Step:
      return settings.base * std::pow(settings.gamma, epoch / settings.epochsPerDrop);
    case LearningRateSettings::Schedule::Cosine: {
      const auto all = static_cast<double>(std::max(totalSteps - settings.warmupSteps, 1LL));
      const double part = std::min(1.0, static_cast<double>(step - settings.warmupSteps) / all);
      return settings.min + (settings.base - settings.min) * (1 + std::cos(M_PI * part)) / 2;
    }
  }
  return settings.base;
}

}  // namespace lockstep::trainer
