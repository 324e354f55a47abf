// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "rehearsal/iam/policy_engine.h"
#include "rehearsal/iam/policy_scanner.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {
namespace {

constexpr int kDeepest = 8;  // compartments nest at most six deep below the tenancy
constexpr std::size_t kMaxMembers = 4096;

std::vector<Resource> allOf(Transaction& transaction, const char* kind) {
  return resourcesInState(transaction, kind, "ACTIVE");
}

bool mentionsTags(const PolicyCondition& rule) {
  return rule.variable.starts_with("tag.") || std::ranges::any_of(rule.parts, mentionsTags);
}

/// What a matching rule may ask of a job run or an instance.
class ResourceVariables final : public PolicyVariables {
 public:
  ResourceVariables(const Principal& principal, const nlohmann::json& tags)
      : principal_(principal), tags_(tags) {}

  [[nodiscard]] std::vector<std::string> valuesOf(const std::string& variable) const override {
    const bool isInstance = principal_.kind == Principal::Kind::Instance;
    if (variable == "resource.type") return {isInstance ? "instance" : kind::kJobRun};
    if (variable == "resource.id" || (isInstance && variable == "instance.id")) return {principal_.id};
    if (variable == "resource.compartment.id" || (isInstance && variable == "instance.compartment.id"))
      return {principal_.compartmentId};
    if (variable.starts_with("tag.")) return tagNamed(variable.substr(4));
    return {};
  }

 private:
  // <namespace>.<key>.value
  [[nodiscard]] std::vector<std::string> tagNamed(const std::string& name) const {
    const std::size_t dot = name.find('.');
    const std::size_t end = name.rfind(".value");
    if (dot == std::string::npos || end == std::string::npos || end <= dot) return {};
    const std::string space = name.substr(0, dot), key = name.substr(dot + 1, end - dot - 1);
    if (!tags_.is_object() || !tags_.contains(space) || !tags_[space].contains(key)) return {};
    const auto& value = tags_[space][key];
    return {value.is_string() ? value.get<std::string>() : value.dump()};
  }

  const Principal& principal_;
  const nlohmann::json& tags_;
};

nlohmann::json tagsOf(Transaction& transaction, const Principal& principal) {
  const auto run = findResource(transaction, kind::kJobRun, principal.id);
  const auto instance = run ? run : findResource(transaction, kind::kInstance, principal.id);
  return instance ? instance->body.value("definedTags", nlohmann::json::object()) : nlohmann::json::object();
}

}  // namespace

PolicyBook& PolicyBook::of(Transaction& transaction) {
  if (auto* known = dynamic_cast<PolicyBook*>(transaction.derived().get())) return *known;
  auto book = std::make_shared<PolicyBook>();
  book->readPlaces(transaction);
  book->readGroups(transaction);
  book->readPolicies(transaction);
  transaction.keepDerived(book);
  return *book;
}

void PolicyBook::readPlaces(Transaction& transaction) {
  for (const Resource& tenancy : allOf(transaction, kind::kTenancy))
    places_[tenancy.id] = {tenancy.id, tenancy.name, "", tenancy.id};
  for (const Resource& compartment : allOf(transaction, kind::kCompartment)) {
    places_[compartment.id] = {compartment.id, compartment.name, compartment.compartment, ""};
    children_[{compartment.compartment, lowerWord(compartment.name)}] = compartment.id;
  }
  for (auto& [id, place] : places_) {
    const Place* at = &place;
    for (int depth = 0; at != nullptr && !at->parent.empty() && depth < kDeepest; ++depth)
      at = placeOf(at->parent);
    place.tenancy = at != nullptr && at->parent.empty() ? at->id : "";
  }
}

void PolicyBook::readGroups(Transaction& transaction) {
  for (const Resource& user : allOf(transaction, kind::kUser)) userNames_[user.id] = user.name;
  for (const Resource& group : allOf(transaction, kind::kGroup))
    groupNames_[{group.compartment, lowerWord(group.name)}] = group.id;
  for (const Resource& membership : allOf(transaction, kind::kGroupMembership))
    groupsOfUser_[membership.body.value("userId", "")].insert(membership.parent);
  for (const Resource& group : allOf(transaction, kind::kDynamicGroup)) {
    dynamicNames_[{group.compartment, lowerWord(group.name)}] = group.id;
    auto rule = parseMatchingRule(group.body.value("matchingRule", ""));
    if (!rule) continue;  // was refused when it was written
    hasTagRules_ = hasTagRules_ || mentionsTags(*rule);
    dynamicGroups_.push_back({group.id, group.compartment, std::move(*rule)});
  }
}

void PolicyBook::readPolicies(Transaction& transaction) {
  for (const Resource& policy : allOf(transaction, kind::kPolicy)) {
    const Place* place = placeOf(policy.compartment);
    if (place == nullptr) continue;
    for (const auto& text : policy.body.value("statements", nlohmann::json::array())) {
      auto statement = parsePolicyStatement(text.get<std::string>());
      if (!statement) continue;  // was refused when it was written
      PolicyInForce entry{std::move(*statement), policy.id, policy.name, text.get<std::string>(), {}, {}};
      lookUpNames(entry, place->tenancy, policy.compartment);
      statements_[place->tenancy].push_back(std::move(entry));
    }
  }
}

void PolicyBook::lookUpNames(PolicyInForce& entry, const std::string& tenancy,
                             const std::string& attachedTo) const {
  const PolicySubject& subject = entry.statement.subject;
  const auto& names = subject.kind == PolicySubject::Kind::Group ? groupNames_ : dynamicNames_;
  for (const PolicySubject::Name& name : subject.names) {
    if (name.isId) {
      entry.groupIds.insert(name.text);
      continue;
    }
    if (!name.domain.empty() && !sameWord(name.domain, "Default"))
      continue;  // this region has the one domain
    const auto found = names.find({tenancy, lowerWord(name.text)});
    if (found != names.end()) entry.groupIds.insert(found->second);
  }
  const PolicyLocation& location = entry.statement.location;
  if (location.kind == PolicyLocation::Kind::Tenancy) {
    entry.locationId = tenancy;
    return;
  }
  const Place* place = location.kind == PolicyLocation::Kind::CompartmentId
                           ? placeOf(location.id)
                           : findPath(attachedTo, location.path);
  if (place != nullptr && isWithin(*place, attachedTo)) entry.locationId = place->id;
}

const PolicyBook::Place* PolicyBook::placeOf(const std::string& compartmentId) const {
  const auto found = places_.find(compartmentId);
  return found == places_.end() ? nullptr : &found->second;
}

bool PolicyBook::isWithin(const Place& place, const std::string& ancestorId) const {
  const Place* at = &place;
  for (int depth = 0; at != nullptr && depth <= kDeepest; ++depth) {
    if (at->id == ancestorId) return true;
    at = placeOf(at->parent);
  }
  return false;
}

// The path begins below the compartment that the policy is attached to; a policy that is attached to the
// compartment it speaks of names that one.
const PolicyBook::Place* PolicyBook::findPath(const std::string& from,
                                              const std::vector<std::string>& path) const {
  std::string at = from;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto child = children_.find({at, lowerWord(path[i])});
    if (child != children_.end()) {
      at = child->second;
      continue;
    }
    const Place* here = placeOf(at);
    if (i != 0 || here == nullptr || here->parent.empty() || !sameWord(here->name, path[i])) return nullptr;
  }
  return placeOf(at);
}

std::vector<const PolicyBook::Place*> PolicyBook::placesOf(const std::string& tenancyId) const {
  std::vector<const Place*> places;
  for (const auto& [id, place] : places_)
    if (place.tenancy == tenancyId) places.push_back(&place);
  return places;
}

const std::vector<PolicyInForce>& PolicyBook::statementsOf(const std::string& tenancyId) const {
  static const std::vector<PolicyInForce> none;
  const auto found = statements_.find(tenancyId);
  return found == statements_.end() ? none : found->second;
}

bool PolicyBook::isSubject(const PolicyInForce& entry, const Principal& principal,
                           const std::set<std::string>& groups) const {
  const bool isUser = principal.kind == Principal::Kind::User;
  const bool isService = principal.kind == Principal::Kind::Service;
  switch (entry.statement.subject.kind) {
    // What sets these two apart are services and other tenancies (Policy Syntax).
    case PolicySubject::Kind::AnyUser:
      return true;
    case PolicySubject::Kind::AnyGroup:
      return !isService;
    case PolicySubject::Kind::Group:
      if (!isUser) return false;
      break;
    case PolicySubject::Kind::DynamicGroup:
      if (isUser) return false;
      break;
    case PolicySubject::Kind::Service:
      return isService && std::ranges::any_of(entry.statement.subject.names, [&](const auto& name) {
               return lowerWord(name.text) == lowerWord(principal.id);
             });
  }
  return std::ranges::any_of(groups, [&](const std::string& id) { return entry.groupIds.contains(id); });
}

const PolicyBook::Member& PolicyBook::memberOf(Transaction& transaction, const Principal& principal) {
  const std::string key = principal.id + " " + principal.tenancyId + " " + principal.compartmentId;
  const bool isUser = principal.kind == Principal::Kind::User;
  const auto known = members_.find(key);
  // The tags of a run may change between two requests, and nothing here would hear of it.
  if (known != members_.end() && (isUser || !hasTagRules_)) return known->second;
  if (members_.size() >= kMaxMembers) members_.clear();
  Member member;
  if (isUser) {
    if (const auto name = userNames_.find(principal.id); name != userNames_.end()) member.name = name->second;
    if (const auto found = groupsOfUser_.find(principal.id); found != groupsOfUser_.end())
      member.groups = found->second;
  } else if (principal.kind != Principal::Kind::Service) {
    const nlohmann::json tags = hasTagRules_ ? tagsOf(transaction, principal) : nlohmann::json::object();
    const ResourceVariables variables(principal, tags);
    for (const DynamicGroup& group : dynamicGroups_)
      if (group.tenancy == principal.tenancyId && holds(group.rule, variables))
        member.groups.insert(group.id);
  }
  for (const PolicyInForce& entry : statementsOf(principal.tenancyId))
    if (isSubject(entry, principal, member.groups)) member.mine.push_back(&entry);
  return members_.insert_or_assign(key, std::move(member)).first->second;
}

}  // namespace lockstep::rehearsal
