// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "base/text/encoding.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/network/rules/security_rules.h"
#include "rehearsal/network/service/address_leases.h"
#include "rehearsal/network/service/network_resources.h"
#include "rehearsal/service/lists.h"
#include "rehearsal/service/retry_tokens.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxPerCall = 25;
constexpr std::size_t kMaxRules = 120;

std::optional<ServiceError> changeNothing(const Change&) {
  return std::nullopt;
}

std::optional<ServiceError> createGroup(const Change& change) {
  change.resource.hidden["rules"] = json::array();
  return std::nullopt;
}

std::vector<AddressLease> membersOf(Transaction& transaction, const std::string& groupId) {
  std::vector<AddressLease> members = allLeases(transaction);
  std::erase_if(members, [&](const AddressLease& lease) {
    return std::find(lease.groups.begin(), lease.groups.end(), groupId) == lease.groups.end();
  });
  return members;
}

std::optional<ServiceError> deleteGroup(Transaction& transaction, const Resource& group) {
  const auto members = membersOf(transaction, group.id);
  if (!members.empty())
    return refuse(409, "Conflict",
                  fmt::format("{} is referenced by {}. You must remove the reference to proceed with this "
                              "operation.",
                              group.id, members.front().vnic))
        .value();
  return refuseIfUsed(transaction, group, kind::kSecurityGroup, [&](const Resource& other) {
    const json rules = other.hidden.value("rules", json::array());
    return std::any_of(rules.begin(), rules.end(), [&](const json& rule) {
      return rule.value("source", json()) == group.id || rule.value("destination", json()) == group.id;
    });
  });
}

// The body's list under `key`, of 1 to 25.
tl::expected<json, ServiceError> readList(const Call& call, const char* key) {
  auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  const auto found = parsed->find(key);
  if (found == parsed->end() || found->is_null()) return missingParameter(key);
  if (!found->is_array() || found->empty() || found->size() > kMaxPerCall)
    return invalidParameter(
        fmt::format("The parameter '{}' must be an array of 1 to {} entries.", key, kMaxPerCall));
  return *found;
}

tl::expected<json, ServiceError> readGroupRule(Transaction& transaction, const Call& call,
                                               const Resource& group, const json& sent,
                                               const std::string& field) {
  const auto direction = directionOf(sent, field);
  if (!direction) return tl::unexpected(direction.error());
  auto checked = checkRule(sent, *direction, RuleHome::Group, field);
  if (!checked) return tl::unexpected(checked.error());
  if (!checked->rule.group.empty())
    if (auto error =
            checkReference(transaction, kind::kSecurityGroup, checked->rule.group, group.parent, field))
      return tl::unexpected(*error);
  if (!checked->rule.group.empty() &&
      !findRelated(transaction, call, kind::kSecurityGroup, checked->rule.group,
                   {"inspect", "network-security-groups"}))
    return notFound();
  json shown = std::move(checked->shown);
  shown["direction"] = *direction == Direction::Ingress ? "INGRESS" : "EGRESS";
  shown["isValid"] = true;
  for (const char* key : {"source", "sourceType", "destination", "destinationType"})
    if (!shown.contains(key)) shown[key] = nullptr;
  return shown;
}

using RuleStep = tl::expected<json, ServiceError> (*)(Transaction&, const Call&, Resource& group,
                                                      const json& sent);

tl::expected<json, ServiceError> addRules(Transaction& transaction, const Call& call, Resource& group,
                                          const json& sent) {
  json& rules = group.hidden["rules"];
  if (rules.size() + sent.size() > kMaxRules)
    return refuse(400, "LimitExceeded",
                  fmt::format("The limit of {} rules per network security group is reached.", kMaxRules));
  json added = json::array();
  for (std::size_t i = 0; i < sent.size(); ++i) {
    auto rule = readGroupRule(transaction, call, group, sent[i], fmt::format("securityRules[{}]", i));
    if (!rule) return rule;
    (*rule)["id"] = toHex(randomBytes(3));
    (*rule)["timeCreated"] = timeText(toMillis(call.now));
    added.push_back(std::move(*rule));
  }
  for (const json& rule : added) rules.push_back(rule);
  return json{{"securityRules", added}};
}

tl::expected<json, ServiceError> updateRules(Transaction& transaction, const Call& call, Resource& group,
                                             const json& sent) {
  json& rules = group.hidden["rules"];
  json updated = json::array();
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const std::string field = fmt::format("securityRules[{}]", i);
    const std::string id = sent[i].is_object() ? sent[i].value("id", "") : "";
    if (id.empty()) return missingParameter(field + ".id");
    const auto old =
        std::find_if(rules.begin(), rules.end(), [&](const json& rule) { return rule["id"] == id; });
    if (old == rules.end())
      return invalidParameter(fmt::format("The parameter '{}.id' names no rule of the group: {}", field, id));
    auto rule = readGroupRule(transaction, call, group, sent[i], field);
    if (!rule) return rule;
    (*rule)["id"] = id;
    (*rule)["timeCreated"] = (*old)["timeCreated"];
    *old = *rule;
    updated.push_back(std::move(*rule));
  }
  return json{{"securityRules", updated}};
}

tl::expected<json, ServiceError> removeRules(Transaction&, const Call&, Resource& group, const json& sent) {
  json& rules = group.hidden["rules"];
  for (const json& id : sent) {
    const auto old =
        std::find_if(rules.begin(), rules.end(), [&](const json& rule) { return rule["id"] == id; });
    if (old == rules.end())
      return invalidParameter("The parameter 'securityRuleIds' names no rule of the group: " + id.dump());
    rules.erase(old);
  }
  return json();
}

OperationResult changeRules(Database& database, VcnNetwork& network, const Call& call, const char* key,
                            RuleStep step) {
  const auto sent = readList(call, key);
  if (!sent) return tl::unexpected(sent.error());
  Response response;
  {
    Transaction transaction(database);
    auto group = findAllowed(transaction, call, kind::kSecurityGroup, call.path.at("id"));
    if (!group) return notFound();
    if (auto again = replayed(transaction, call, call.operation)) return *again;
    const auto answer = step(transaction, call, *group, *sent);
    if (!answer) return tl::unexpected(answer.error());
    updateResource(transaction, *group);
    response = answer->is_null() ? emptyResponse(204) : jsonResponse(*answer);
    remember(transaction, call, call.operation, response);
    transaction.commit();
  }
  network.refresh();
  return response;
}

OperationResult listRules(Database& database, const Call& call) {
  const auto direction = call.parameter("direction");
  if (direction && *direction != "INGRESS" && *direction != "EGRESS")
    return invalidParameter("The parameter 'direction' must be INGRESS or EGRESS.");
  Transaction transaction(database);
  const auto group = findAllowed(transaction, call, kind::kSecurityGroup, call.path.at("id"));
  if (!group) return notFound();
  json list = json::array();
  for (const json& rule : group->hidden.value("rules", json::array()))
    if (!direction || rule["direction"] == *direction) list.push_back(rule);
  if (call.parameter("sortOrder").value_or("ASC") == "DESC") std::reverse(list.begin(), list.end());
  return jsonResponse(list);
}

OperationResult listMembers(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto group = findAllowed(transaction, call, kind::kSecurityGroup, call.path.at("id"));
  if (!group) return notFound();
  json list = json::array();
  for (const AddressLease& lease : membersOf(transaction, group->id))
    list.push_back(
        {{"vnicId", lease.vnic}, {"resourceId", lease.run}, {"timeAssociated", timeText(lease.created)}});
  return jsonResponse(list);
}

}  // namespace

ResourceKind securityGroupKind() {
  return {kind::kSecurityGroup,
          "/20160918/networkSecurityGroups",
          "NetworkSecurityGroup",
          "NetworkSecurityGroups",
          "networksecuritygroup",
          true,
          createGroup,
          changeNothing,
          deleteGroup};
}

void addSecurityGroupRules(Router& router, Database& database, VcnNetwork& network) {
  const std::string one = "/20160918/networkSecurityGroups/{id}";
  router.add("GET", one + "/securityRules", "ListNetworkSecurityGroupSecurityRules",
             [&](const Call& c) { return listRules(database, c); });
  router.add("GET", one + "/vnics", "ListNetworkSecurityGroupVnics",
             [&](const Call& c) { return listMembers(database, c); });
  const auto change = [&](const char* verb, const char* key, RuleStep step) {
    std::string name = verb;
    name[0] = static_cast<char>(std::toupper(name[0]));
    router.add("POST", one + "/actions/" + verb + "SecurityRules", name + "NetworkSecurityGroupSecurityRules",
               [&database, &network, key, step](const Call& c) {
                 return changeRules(database, network, c, key, step);
               });
  };
  change("add", "securityRules", addRules);
  change("update", "securityRules", updateRules);
  change("remove", "securityRuleIds", removeRules);
}

}  // namespace lockstep::rehearsal
