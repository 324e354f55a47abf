// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "policy/required_policies.h"
#include "setup/policies/policy_requirements.h"
#include "setup/policies/policy_snapshot.h"

namespace lockstep {

/// One required statement against what is there.
struct ReviewedStatement {
  enum class State { Have, Missing, Unknown };  // Unknown: too little may be read to tell
  RequiredStatement required;
  PolicyNeed need;
  PolicyCoverage coverage;
  State state = State::Unknown;
};

/// The group of the job runs.
struct JobRunsGroup {
  enum class State { Found, OtherRule, Missing, Unknown };
  State state = State::Unknown;
  std::string name, domain;
  std::string rule;         // that takes in the job runs of the compartment
  bool isNeeded = true;     // false: what job runs need reaches them without it
  oci::DynamicGroup found;  // unless it is missing or unknown
};

/// Who launches.
struct LaunchersGroup {
  enum class State {
    Chosen,      // the user named it
    Mine,        // the only one in question
    Several,     // the user is in several: somebody has to choose
    None,        // the user is in none
    Unknown,     // the user may not see his groups
    NotThere,    // the chosen one does not exist
    NotAMember,  // the chosen one is there, and the user is not in it
  };
  State state = State::Unknown;
  std::string name, domain;         // empty unless it is known
  std::vector<std::string> choice;  // Several: their names
  bool isDynamic = false;           // a dynamic group, of what launches by itself
  bool isUserCovered = true;        // whatever the group: the user's own groups grant what a launch needs
};

/// What training needs, what of it is there, what is missing, and what is more than needed.
struct PoliciesReview {
  PolicyRequirements requirements;
  JobRunsGroup jobRuns;
  LaunchersGroup launchers;
  std::vector<ReviewedStatement> statements;
  /// Statements that grant more than needed, of those that are counted as having.
  struct Broad {
    const AttachedStatement* statement = nullptr;
    Excess excess;
    bool isUnsafe = false;  // everything, to something that runs other people's code
  };
  std::vector<Broad> broad;
  [[nodiscard]] std::size_t count(ReviewedStatement::State state) const;
  /// Those that are not granted, or not to our knowledge.
  [[nodiscard]] std::vector<RequiredStatement> notGranted() const;
};

/// Pure. Pointers are into `snapshot`. `requirements` has everything but groups and compartments.
[[nodiscard]] PoliciesReview reviewPolicies(const PolicySnapshot& snapshot, const SetupChoices& choices,
                                            PolicyRequirements requirements);

/// The compartment that a required statement is about.
[[nodiscard]] std::string placeOf(const RequiredStatement& required, const PolicySnapshot& snapshot);

}  // namespace lockstep
