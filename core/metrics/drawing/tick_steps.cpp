// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/drawing/tick_steps.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockstep {
namespace {

constexpr double kDay = 86'400;
constexpr double kTimeSteps[] = {1,   2,    5,    10,   15,    30,    60,    120,  300,      600,
                                 900, 1800, 3600, 7200, 10800, 21600, 43200, kDay, 2 * kDay, 7 * kDay};

}  // namespace

double decimalTickStep(double range, int count) {
  const double wanted = range / std::max(1, count);
  if (!(wanted > 0) || !std::isfinite(wanted)) return 1;
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= wanted * (1 - 1e-9)) return nice * power;
  return 10 * power;
}

double timeTickStep(double range, int count) {
  const double wanted = range / std::max(1, count);
  if (!(wanted > 1)) return std::min(1.0, decimalTickStep(range, count));
  const auto* const found =
      std::lower_bound(std::begin(kTimeSteps), std::end(kTimeSteps), wanted * (1 - 1e-9));
  return found == std::end(kTimeSteps) ? kDay * decimalTickStep(range / kDay, count) : *found;
}

}  // namespace lockstep
