// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "policy/compartment_tree.h"
#include "policy/policy_statement.h"

namespace lockstep {

/// A statement where it stands. One that cannot be parsed stays among them: it grants nothing, and is shown.
struct AttachedStatement {
  std::string policyId, policyName;
  std::size_t line = 0;    // within its policy, from 1
  std::string attachedTo;  // compartment of the policy
  std::string text;
  tl::expected<PolicyStatement, PolicyMistake> parsed;
};
[[nodiscard]] std::vector<AttachedStatement> attachedStatements(const std::string& policyId,
                                                                const std::string& policyName,
                                                                const std::string& attachedTo,
                                                                const std::vector<std::string>& statements);

/// Who asks. What is not known of them is not assumed.
struct PolicyPrincipal {
  enum class Kind { User, Resource, Service };
  Kind kind = Kind::User;
  std::string title;  // "group trainers", for people
  std::set<std::string>
      groups;           // keys of their groups (User) or dynamic groups (Resource), as groupKey() has
  std::string service;  // Service: "datascience"
  PolicyFacts facts;    // what conditions may ask of them: request.principal.type = '…'
};
/// By which names of groups compare; ids are their own keys.
[[nodiscard]] std::string groupKey(const std::string& name, const std::string& domain = {});
[[nodiscard]] bool isAbout(const PolicySubject& subject, const PolicyPrincipal& who);

/// Something that must be granted.
struct PolicyNeed {
  PolicyPrincipal who;
  PolicyVerb verb = PolicyVerb::Inspect;
  std::string resourceType;
  std::string compartmentId;
  std::optional<PolicyCondition> where;  // only this much of it is needed
};

/// A statement that would grant it, were it not for one thing.
struct NearMiss {
  enum class Why { Verb, Place, Subject, Condition };
  Why why = Why::Verb;
  const AttachedStatement* statement = nullptr;
};

struct PolicyCoverage {
  bool isCovered = false;
  std::vector<const AttachedStatement*> by;       // when covered: one, or the fewest that we find together
  std::vector<NearMiss> nearMisses;               // when not
  std::vector<const AttachedStatement*> denials;  // statements that may take it away
};

/// Whether the statements grant all of the need: manage covers use covers read covers inspect, families cover
/// their members, a compartment covers those below it, a where-clause covers an equal or narrower one;
/// several statements may do it together. Pointers are into `statements`.
[[nodiscard]] PolicyCoverage coverageOf(const PolicyNeed& need,
                                        const std::vector<AttachedStatement>& statements,
                                        const CompartmentTree& tree);

/// In which ways a statement grants more than the needs ask for; empty: it does not.
struct Excess {
  bool inSubject = false, inVerb = false, inType = false, inPlace = false, inCondition = false;
  [[nodiscard]] bool any() const { return inSubject || inVerb || inType || inPlace || inCondition; }
};
[[nodiscard]] Excess excessOf(const AttachedStatement& statement, const std::vector<PolicyNeed>& needs,
                              const CompartmentTree& tree);

/// Whether a matching rule takes in every resource for which `facts` hold.
[[nodiscard]] bool takesIn(const std::string& matchingRule, const PolicyFacts& facts);

}  // namespace lockstep
