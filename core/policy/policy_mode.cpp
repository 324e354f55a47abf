// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/policy_mode.h"

namespace lockstep {

const char* toString(PolicyMode mode) {
  switch (mode) {
    case PolicyMode::ProofOfConcept:
      return "poc";
    case PolicyMode::Restricted:
      return "restricted";
    case PolicyMode::Scoped:
      return "scoped";
  }
  return "restricted";
}

}  // namespace lockstep
