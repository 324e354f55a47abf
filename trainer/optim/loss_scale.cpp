// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/optim/loss_scale.h"

namespace lockstep::trainer {

void LossScale::update(bool finite) {
  if (!finite) {
    value_ /= 2;
    goodSteps_ = 0;
  } else if (++goodSteps_ == kGoodSteps) {
    value_ *= 2;
    goodSteps_ = 0;
  }
}

}  // namespace lockstep::trainer
