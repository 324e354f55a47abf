// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/policy_coverage.h"

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

using Effect = PolicyStatement::Effect;
using Statements = std::vector<const AttachedStatement*>;

bool namesPermission(const PolicyStatement& s, const PolicyPermission& permission) {
  if (s.resourceType.empty()) return std::ranges::find(s.permissions, permission.name) != s.permissions.end();
  return s.verb >= permission.verb && coversResourceType(s.resourceType, permission.resourceType);
}

const PolicyCondition* conditionOf(const AttachedStatement& statement) {
  return statement.parsed->where ? &*statement.parsed->where : nullptr;
}

/// One need against all statements.
class Comparison {
 public:
  Comparison(const PolicyNeed& need, const std::vector<AttachedStatement>& statements,
             const CompartmentTree& tree)
      : need_(need),
        statements_(statements),
        tree_(tree),
        permissions_(permissionsOf(need.verb, need.resourceType)) {}

  PolicyCoverage compare() {
    for (const AttachedStatement& one : statements_) {
      if (!one.parsed) continue;
      if (one.parsed->effect == Effect::Deny && mayDeny(one)) coverage_.denials.push_back(&one);
      if (one.parsed->effect == Effect::Allow && isHere(one) && isAbout(one.parsed->subject, need_.who))
        mine_.push_back(&one);
    }
    coverage_.isCovered = isGrantedBy(mine_);
    if (coverage_.isCovered)
      coverage_.by = fewest();
    else
      findNearMisses();
    return std::move(coverage_);
  }

 private:
  [[nodiscard]] std::string placeOf(const AttachedStatement& one) const {
    return tree_.placeOf(one.parsed->location, one.attachedTo);
  }
  [[nodiscard]] bool isHere(const AttachedStatement& one) const {
    return tree_.isWithin(need_.compartmentId, placeOf(one));
  }
  [[nodiscard]] bool isGrantedBy(const Statements& some) const {
    return std::ranges::all_of(permissions_, [&](const PolicyPermission& p) { return isGrantedBy(some, p); });
  }
  [[nodiscard]] bool isGrantedBy(const Statements& some, const PolicyPermission& permission) const {
    std::vector<const PolicyCondition*> conditions;
    for (const AttachedStatement* one : some)
      if (namesPermission(*one->parsed, permission)) conditions.push_back(conditionOf(*one));
    return !conditions.empty() &&
           coversCondition(conditions, need_.where ? &*need_.where : nullptr, factsOf(permission));
  }
  [[nodiscard]] PolicyFacts factsOf(const PolicyPermission& permission) const {
    PolicyFacts facts = need_.who.facts;
    if (!permission.name.empty()) facts.push_back(isEqualTest("request.permission", permission.name));
    if (!tree_.hasChildren(need_.compartmentId))
      facts.push_back(isEqualTest("target.compartment.id", need_.compartmentId));
    return facts;
  }
  [[nodiscard]] bool mayDeny(const AttachedStatement& one) const {
    const std::string place = placeOf(one);
    const bool overlaps =
        tree_.isWithin(need_.compartmentId, place) || tree_.isWithin(place, need_.compartmentId);
    return overlaps && isAbout(one.parsed->subject, need_.who) &&
           std::ranges::any_of(permissions_, [&](const PolicyPermission& p) {
             return namesPermission(*one.parsed, p) && mayHold(conditionOf(one), factsOf(p));
           });
  }
  [[nodiscard]] Statements fewest() const;
  void findNearMisses();
  [[nodiscard]] bool speaksOfType(const PolicyStatement& s) const;

  const PolicyNeed& need_;
  const std::vector<AttachedStatement>& statements_;
  const CompartmentTree& tree_;
  std::vector<PolicyPermission> permissions_;
  Statements mine_;
  PolicyCoverage coverage_;
};

// One that does it alone, else what is left when every statement that can be missed is taken out.
Statements Comparison::fewest() const {
  for (const AttachedStatement* one : mine_)
    if (isGrantedBy({one})) return {one};
  Statements left = mine_;
  for (const AttachedStatement* one : mine_) {
    Statements without = left;
    std::erase(without, one);
    if (isGrantedBy(without)) left = std::move(without);
  }
  return left;
}

bool Comparison::speaksOfType(const PolicyStatement& s) const {
  if (!s.resourceType.empty())
    return coversResourceType(s.resourceType, need_.resourceType) ||
           coversResourceType(need_.resourceType, s.resourceType);
  return std::ranges::any_of(permissions_, [&](const auto& p) { return namesPermission(s, p); });
}

void Comparison::findNearMisses() {
  for (const AttachedStatement& one : statements_) {
    if (!one.parsed || one.parsed->effect != Effect::Allow || !speaksOfType(*one.parsed)) continue;
    const bool here = isHere(one), mine = isAbout(one.parsed->subject, need_.who);
    const bool enough = std::ranges::all_of(
        permissions_, [&](const PolicyPermission& p) { return namesPermission(*one.parsed, p); });
    const bool met = !one.parsed->where || !enough || !here || !mine || isGrantedBy({&one});
    if (static_cast<int>(here) + mine + enough + met != 3) continue;
    coverage_.nearMisses.push_back({!enough ? NearMiss::Why::Verb
                                    : !here ? NearMiss::Why::Place
                                    : !mine ? NearMiss::Why::Subject
                                            : NearMiss::Why::Condition,
                                    &one});
  }
}

// What a statement grants, as a need of the same people.
PolicyNeed asNeed(const PolicyStatement& s, const PolicyPermission& permission, std::string place,
                  const PolicyPrincipal& who) {
  return {who, permission.verb, permission.resourceType, std::move(place), s.where};
}

std::vector<PolicyPermission> permissionsOf(const PolicyStatement& s) {
  if (!s.resourceType.empty()) return permissionsOf(s.verb, s.resourceType);
  std::vector<PolicyPermission> all;
  for (const std::string& name : s.permissions)
    all.push_back(permissionNamed(name).value_or(PolicyPermission{name, name, PolicyVerb::Manage}));
  return all;
}

// Which of a statement's ways to say more is to blame for one permission that no need asks for.
void blame(Excess& excess, const PolicyNeed& granted, const std::vector<PolicyNeed>& needs,
           const CompartmentTree& tree) {
  const auto some = [&](const auto& test) { return std::ranges::any_of(needs, test); };
  const auto sameType = [&](const PolicyNeed& n) {
    return coversResourceType(n.resourceType, granted.resourceType);
  };
  const auto enough = [&](const PolicyNeed& n) { return sameType(n) && n.verb >= granted.verb; };
  const auto here = [&](const PolicyNeed& n) {
    return enough(n) && tree.isWithin(granted.compartmentId, n.compartmentId);
  };
  if (!some(sameType))
    excess.inType = true;
  else if (!some(enough))
    excess.inVerb = true;
  else if (!some(here))
    excess.inPlace = true;
  else
    excess.inCondition = true;
}

// The needs of the same people as statements, so that the comparison of statements can be used.
std::vector<AttachedStatement> asStatements(const std::vector<PolicyNeed>& needs,
                                            const CompartmentTree& tree) {
  std::vector<AttachedStatement> all;
  for (const PolicyNeed& need : needs) {
    PolicyStatement s;
    s.subject.kind = PolicySubject::Kind::AnyUser;
    s.verb = need.verb;
    s.resourceType = need.resourceType;
    s.location = {PolicyLocation::Kind::CompartmentId, {}, need.compartmentId};
    s.where = need.where;
    all.push_back({"", "", 0, tree.tenancyId(), "", std::move(s)});
  }
  return all;
}

}  // namespace

std::vector<AttachedStatement> attachedStatements(const std::string& policyId, const std::string& policyName,
                                                  const std::string& attachedTo,
                                                  const std::vector<std::string>& statements) {
  std::vector<AttachedStatement> all;
  for (const std::string& text : statements)
    all.push_back({policyId, policyName, all.size() + 1, attachedTo, text, parsePolicyStatement(text)});
  return all;
}

std::string groupKey(const std::string& name, const std::string& domain) {
  const bool isDefault = domain.empty() || isSameWord(domain, "Default");
  return (isDefault ? "" : lowerCased(domain)) + "/" + lowerCased(name);
}

bool isAbout(const PolicySubject& subject, const PolicyPrincipal& who) {
  using Kind = PolicySubject::Kind;
  using Who = PolicyPrincipal::Kind;
  const auto namesOne = [&](const PolicySubject::Name& name) {
    return who.groups.contains(name.isId ? name.text : groupKey(name.text, name.domain));
  };
  switch (subject.kind) {
    case Kind::AnyUser:
      return who.kind != Who::Service;
    case Kind::AnyGroup:
      return who.kind == Who::User && !who.groups.empty();
    case Kind::Group:
      return who.kind == Who::User && std::ranges::any_of(subject.names, namesOne);
    case Kind::DynamicGroup:
      return who.kind == Who::Resource && std::ranges::any_of(subject.names, namesOne);
    case Kind::Service:
      return who.kind == Who::Service && std::ranges::any_of(subject.names, [&](const auto& name) {
               return isSameWord(name.text, who.service);
             });
  }
  return false;
}

PolicyCoverage coverageOf(const PolicyNeed& need, const std::vector<AttachedStatement>& statements,
                          const CompartmentTree& tree) {
  return Comparison(need, statements, tree).compare();
}

Excess excessOf(const AttachedStatement& statement, const std::vector<PolicyNeed>& needs,
                const CompartmentTree& tree) {
  Excess excess;
  if (!statement.parsed || statement.parsed->effect != Effect::Allow) return excess;
  const PolicyStatement& s = *statement.parsed;
  const std::string place = tree.placeOf(s.location, statement.attachedTo);
  if (place.empty()) return excess;
  std::vector<PolicyNeed> mine;
  for (const PolicyNeed& need : needs)
    if (isAbout(s.subject, need.who)) mine.push_back(need);
  // What its condition asks of people is not compared with a need's: the statement is theirs only.
  excess.inSubject = !s.where && (s.subject.kind == PolicySubject::Kind::AnyUser ||
                                  s.subject.kind == PolicySubject::Kind::AnyGroup);
  const std::vector<AttachedStatement> asked = asStatements(mine, tree);
  PolicyPrincipal anybody;
  anybody.kind = PolicyPrincipal::Kind::Resource;
  for (const PolicyPermission& permission : permissionsOf(s)) {
    const PolicyNeed granted = asNeed(s, permission, place, anybody);
    if (!coverageOf(granted, asked, tree).isCovered) blame(excess, granted, mine, tree);
  }
  return excess;
}

bool takesIn(const std::string& matchingRule, const PolicyFacts& facts) {
  const auto rule = parseMatchingRule(matchingRule);
  return rule && coversCondition({&*rule}, nullptr, facts);
}

}  // namespace lockstep
