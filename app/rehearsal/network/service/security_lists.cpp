// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "rehearsal/network/rules/security_rules.h"
#include "rehearsal/network/service/network_resources.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxRules = 200;  // of each direction

// Replaces one array of rules when it was sent (oci-rest-contract 4.2).
std::optional<ServiceError> readRules(const Change& change, const char* key, Direction direction) {
  if (!change.body.has(key)) return std::nullopt;
  const json& sent = change.body.json()[key];
  if (!sent.is_array())
    return invalidParameter(fmt::format("The parameter '{}' must be an array.", key)).value();
  if (sent.size() > kMaxRules)
    return refuse(400, "LimitExceeded",
                  fmt::format("The parameter '{}' has {} rules; at most {} are allowed.", key, sent.size(),
                              kMaxRules))
        .value();
  json shown = json::array();
  for (std::size_t i = 0; i < sent.size(); ++i) {
    auto rule = checkRule(sent[i], direction, RuleHome::SecurityList, fmt::format("{}[{}]", key, i));
    if (!rule) return rule.error();
    shown.push_back(std::move(rule->shown));
  }
  change.resource.body[key] = std::move(shown);
  return std::nullopt;
}

std::optional<ServiceError> readBoth(const Change& change) {
  if (auto error = readRules(change, "ingressSecurityRules", Direction::Ingress)) return error;
  return readRules(change, "egressSecurityRules", Direction::Egress);
}

std::optional<ServiceError> createList(const Change& change) {
  for (const char* key : {"ingressSecurityRules", "egressSecurityRules"})
    if (!change.body.has(key)) return missingParameter(key).value();
  return readBoth(change);
}

std::optional<ServiceError> deleteList(Transaction& transaction, const Resource& list) {
  const auto vcn = findResource(transaction, kind::kVcn, list.parent);
  if (vcn && vcn->body.value("defaultSecurityListId", "") == list.id)
    return refuse(409, "Conflict", "The default security list of a VCN cannot be deleted: " + list.id)
        .value();
  return refuseIfUsed(transaction, list, kind::kSubnet, [&](const Resource& subnet) {
    const json& ids = subnet.body["securityListIds"];
    return std::find(ids.begin(), ids.end(), list.id) != ids.end();
  });
}

}  // namespace

ResourceKind securityListKind() {
  return {kind::kSecurityList, "/20160918/securityLists",
          "SecurityList",      "SecurityLists",
          "securitylist",      true,
          createList,          readBoth,
          deleteList};
}

}  // namespace lockstep::rehearsal
