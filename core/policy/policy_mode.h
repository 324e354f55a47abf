// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockstep {

/// How much the policies of a tenancy shall grant for training.
enum class PolicyMode {
  ProofOfConcept,  // everything: unsafe
  Restricted,      // what training needs, in one compartment
  Scoped,          // the same, only for the bucket and the repository in use
};
[[nodiscard]] const char* toString(PolicyMode mode);  // "poc" "restricted" "scoped"

}  // namespace lockstep
