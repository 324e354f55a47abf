// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "rehearsal/api/principal.h"
#include "rehearsal/iam/policy_language.h"
#include "rehearsal/iam/policy_words.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// A statement in force, with its names looked up.
struct PolicyInForce {
  PolicyStatement statement;
  std::string policyId, policyName, text;
  std::string locationId;          // empty: the location names nothing
  std::set<std::string> groupIds;  // Group, DynamicGroup: OCIDs of the subject's names that exist
};

/// What a condition may ask: a variable's values; none when it does not apply to the request.
class PolicyVariables {
 public:
  virtual ~PolicyVariables() = default;
  [[nodiscard]] virtual std::vector<std::string> valuesOf(const std::string& variable) const = 0;
};
/// A test of a variable that does not apply to the request is false, whatever its operator. Texts compare in
/// any case, '*' stands for any number of characters.
[[nodiscard]] bool holds(const PolicyCondition& condition, const PolicyVariables& variables);

/// Everything that decisions are made from, read once and kept until it changes: compartments, groups,
/// policies of all tenancies. Used within a Transaction, so by one thread at a time.
class PolicyBook final : public DerivedState {
 public:
  /// The book of the state as this transaction sees it.
  static PolicyBook& of(Transaction& transaction);

  struct Place {
    std::string id, name, parent, tenancy;  // parent: empty for a tenancy
  };
  [[nodiscard]] const Place* placeOf(const std::string& compartmentId) const;
  /// Whether the place is that one or lies below it.
  [[nodiscard]] bool isWithin(const Place& place, const std::string& ancestorId) const;
  /// A:B:C below (or at) a compartment.
  [[nodiscard]] const Place* findPath(const std::string& from, const std::vector<std::string>& path) const;
  [[nodiscard]] std::vector<const Place*> placesOf(const std::string& tenancyId) const;

  struct Member {
    std::string name;                        // of a user
    std::set<std::string> groups;            // OCIDs of groups or dynamic groups
    std::vector<const PolicyInForce*> mine;  // statements whose subject this principal is
  };
  /// Groups and statements of a principal.
  const Member& memberOf(Transaction& transaction, const Principal& principal);
  [[nodiscard]] const std::vector<PolicyInForce>& statementsOf(const std::string& tenancyId) const;

  struct DynamicGroup {
    std::string id, tenancy;
    PolicyCondition rule;
  };

 private:
  void readPlaces(Transaction& transaction);
  void readGroups(Transaction& transaction);
  void readPolicies(Transaction& transaction);
  void lookUpNames(PolicyInForce& entry, const std::string& tenancy, const std::string& attachedTo) const;
  [[nodiscard]] bool isSubject(const PolicyInForce& entry, const Principal& principal,
                               const std::set<std::string>& groups) const;

  std::unordered_map<std::string, Place> places_;
  std::map<std::pair<std::string, std::string>, std::string> children_;    // {parent, lower-case name} -> id
  std::map<std::pair<std::string, std::string>, std::string> groupNames_;  // {tenancy, lower-case name} -> id
  std::map<std::pair<std::string, std::string>, std::string> dynamicNames_;
  std::unordered_map<std::string, std::set<std::string>> groupsOfUser_;
  std::unordered_map<std::string, std::string> userNames_;
  std::vector<DynamicGroup> dynamicGroups_;
  bool hasTagRules_ = false;
  std::unordered_map<std::string, std::vector<PolicyInForce>> statements_;  // by tenancy
  std::unordered_map<std::string, Member> members_;
};

/// What is to be decided.
struct PolicyQuestion {
  const Principal& principal;
  std::string operation;
  std::string compartmentId;
  NeededPermissions needs;
  const std::map<std::string, std::string>& facts;  // "target.bucket.name" -> "lockstep"
  TimePoint now;
};

/// Which statement granted a permission, or why none did.
struct PolicyExplanation {
  struct Need {
    std::vector<std::string> alternatives;  // permissions
    const PolicyInForce* granted = nullptr;
    std::vector<std::string> nearMisses;  // "statement … of policy …: its where-clause is not met"
  };
  bool allowed = false;
  std::string reason;  // when no statement is to blame: unknown compartment, operation without a row
  std::vector<Need> needs;
};

/// Whether the policies of the principal's tenancy grant all that is needed.
[[nodiscard]] bool isGranted(Transaction& transaction, const PolicyQuestion& question);
/// The same with reasons.
[[nodiscard]] PolicyExplanation explain(Transaction& transaction, const PolicyQuestion& question);

}  // namespace lockstep::rehearsal
