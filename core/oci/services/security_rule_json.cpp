// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/security_rule_json.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep::oci {
namespace {

using nlohmann::ordered_json;

bool isEgress(const SecurityRule& rule) {
  return rule.direction == SecurityRule::Direction::Egress;
}

PortRange readRange(AnswerFields& f) {
  return {static_cast<int>(f.number("min", 1)), static_cast<int>(f.number("max", 65535))};
}

void readPorts(AnswerFields& f, SecurityRule& rule, const char* options) {
  (void)f.maybeObject(options, [&](AnswerFields& o) {
    rule.destinationPorts = o.maybeObject("destinationPortRange", &readRange);
    rule.sourcePorts = o.maybeObject("sourcePortRange", &readRange);
    return true;
  });
}

void readIcmp(AnswerFields& f, SecurityRule& rule) {
  (void)f.maybeObject("icmpOptions", [&](AnswerFields& o) {
    if (const auto type = o.maybeNumber("type")) rule.icmpType = static_cast<int>(*type);
    if (const auto code = o.maybeNumber("code")) rule.icmpCode = static_cast<int>(*code);
    return true;
  });
}

ordered_json rangeJson(const PortRange& range) {
  return {{"min", range.min}, {"max", range.max}};
}

void addOptions(ordered_json& json, const SecurityRule& rule) {
  if (rule.destinationPorts || rule.sourcePorts) {
    ordered_json options = ordered_json::object();
    if (rule.destinationPorts) options["destinationPortRange"] = rangeJson(*rule.destinationPorts);
    if (rule.sourcePorts) options["sourcePortRange"] = rangeJson(*rule.sourcePorts);
    json[rule.protocol == "17" ? "udpOptions" : "tcpOptions"] = std::move(options);
  }
  if (!rule.icmpType) return;
  json["icmpOptions"] = {{"type", *rule.icmpType}};
  if (rule.icmpCode) json["icmpOptions"]["code"] = *rule.icmpCode;
}

ordered_json ruleJson(const SecurityRule& rule) {
  ordered_json json = rule.other.is_object() ? ordered_json(rule.other) : ordered_json::object();
  json[isEgress(rule) ? "destination" : "source"] = rule.peer;
  json[isEgress(rule) ? "destinationType" : "sourceType"] = rule.peerType;
  json["protocol"] = rule.protocol;
  json["isStateless"] = rule.isStateless;
  if (!rule.description.empty()) json["description"] = rule.description;
  addOptions(json, rule);
  return json;
}

// What a rule says besides all that is read below; answers' own fields do not go back.
nlohmann::json otherFields(const nlohmann::json& object) {
  static constexpr std::array<std::string_view, 15> kKnown{
      "direction",   "source",      "sourceType",  "destination", "destinationType",
      "protocol",    "isStateless", "description", "tcpOptions",  "udpOptions",
      "icmpOptions", "id",          "isValid",     "timeCreated", "etag"};
  nlohmann::json other;
  for (const auto& [key, value] : object.items()) {
    if (std::find(kKnown.begin(), kKnown.end(), key) == kKnown.end() && !value.is_null()) other[key] = value;
  }
  return other;
}

}  // namespace

SecurityRule readSecurityRule(AnswerFields& f, SecurityRule::Direction direction) {
  SecurityRule rule;
  rule.direction = direction;
  rule.peer = f.textOr(isEgress(rule) ? "destination" : "source");
  rule.peerType = f.textOr(isEgress(rule) ? "destinationType" : "sourceType", "CIDR_BLOCK");
  rule.protocol = f.text("protocol");
  rule.isStateless = f.flag("isStateless");
  rule.description = f.textOr("description");
  readPorts(f, rule, rule.protocol == "17" ? "udpOptions" : "tcpOptions");
  readIcmp(f, rule);
  rule.id = f.textOr("id");
  rule.other = otherFields(f.raw());
  return rule;
}

ordered_json listRuleJson(const SecurityRule& rule) {
  return ruleJson(rule);
}

ordered_json groupRuleJson(const SecurityRule& rule) {
  ordered_json json = ruleJson(rule);
  json["direction"] = isEgress(rule) ? "EGRESS" : "INGRESS";
  if (!rule.id.empty()) json["id"] = rule.id;
  return json;
}

}  // namespace lockstep::oci
