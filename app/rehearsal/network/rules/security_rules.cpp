// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/rules/security_rules.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;
using Problem = std::optional<ServiceError>;

Problem bad(const std::string& field, const std::string& why) {
  return invalidParameter("The parameter '" + field + "' " + why).value();
}

const json& at(const json& object, const char* key) {
  static const json kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

class RuleReader {
 public:
  RuleReader(const json& sent, Direction direction, RuleHome home, const std::string& field)
      : sent_(sent), home_(home), field_(field) {
    rule_.direction = direction;
  }

  tl::expected<CheckedRule, ServiceError> read() {
    if (!sent_.is_object()) return tl::unexpected(*bad(field_, "must be an object."));
    for (const auto step : {&RuleReader::readProtocol, &RuleReader::readPeer, &RuleReader::readState,
                            &RuleReader::readPorts, &RuleReader::readIcmp, &RuleReader::readDescription})
      if (const Problem problem = (this->*step)()) return tl::unexpected(*problem);
    return CheckedRule{rule_, shown_};
  }

 private:
  [[nodiscard]] std::string name(const std::string& key) const { return field_ + "." + key; }

  Problem readProtocol() {
    const json& protocol = at(sent_, "protocol");
    if (protocol.is_null()) return missingParameter(name("protocol")).value();
    if (!protocol.is_string())
      return bad(name("protocol"), "must be a string: \"all\" or the number of a protocol.");
    const auto text = protocol.get<std::string>();
    shown_["protocol"] = text;
    if (text == "all") return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rule_.protocol);
    const bool isNumber = error == std::errc{} && end == text.data() + text.size();
    if (isNumber && rule_.protocol >= 0 && rule_.protocol <= 255) return std::nullopt;
    return bad(name("protocol"), "is '" + text + "'; it must be \"all\" or a number from 0 to 255.");
  }

  Problem readPeer() {
    const bool inward = rule_.direction == Direction::Ingress;
    const std::string key = inward ? "source" : "destination";
    const json& peer = at(sent_, key.c_str());
    if (peer.is_null()) return missingParameter(name(key)).value();
    if (!peer.is_string()) return bad(name(key), "must be a string.");
    const json& sentType = at(sent_, (key + "Type").c_str());
    if (!sentType.is_null() && !sentType.is_string()) return bad(name(key + "Type"), "must be a string.");
    const std::string type = sentType.is_null() ? "CIDR_BLOCK" : sentType.get<std::string>();
    shown_[key] = peer;
    shown_[key + "Type"] = type;
    return setPeer(name(key), peer.get<std::string>(), type);
  }

  Problem setPeer(const std::string& field, const std::string& value, const std::string& type) {
    if (type == "SERVICE_CIDR_BLOCK") {
      if (value != kAllServices && value != kObjectStorageService)
        return bad(field, "is '" + value + "', which is not the CIDR label of a service of this region.");
      rule_.peers = {kServicesBlock};
      return std::nullopt;
    }
    if (type == "NETWORK_SECURITY_GROUP" && home_ == RuleHome::Group) {
      rule_.group = value;
      return std::nullopt;
    }
    if (type != "CIDR_BLOCK")
      return bad(field + "Type", home_ == RuleHome::Group
                                     ? "must be CIDR_BLOCK, SERVICE_CIDR_BLOCK or NETWORK_SECURITY_GROUP."
                                     : "must be CIDR_BLOCK or SERVICE_CIDR_BLOCK.");
    if (isIpv6Cidr(value)) return std::nullopt;  // valid, and nobody here has such an address
    const auto cidr = parseCidr(value);
    if (!cidr) return bad(field, "is '" + value + "', which is not a valid CIDR block.");
    rule_.peers = {*cidr};
    return std::nullopt;
  }

  Problem readState() {
    const json& stateless = at(sent_, "isStateless");
    if (!stateless.is_null() && !stateless.is_boolean())
      return bad(name("isStateless"), "must be true or false.");
    rule_.isStateless = stateless.is_boolean() && stateless.get<bool>();
    shown_["isStateless"] = rule_.isStateless;
    return std::nullopt;
  }

  Problem readPorts() {
    for (const auto& [key, protocol] : {std::pair{"tcpOptions", kTcp}, std::pair{"udpOptions", kUdp}}) {
      const json& options = at(sent_, key);
      shown_[key] = options;
      if (options.is_null()) continue;
      if (!options.is_object()) return bad(name(key), "must be an object.");
      if (rule_.protocol != protocol)
        return bad(name(key), "can only be given with protocol \"" + std::to_string(protocol) + "\".");
      const auto range = [&, key = key](const char* which, PortRange& into) {
        return readRange(name(std::string(key) + "." + which), at(options, which), into);
      };
      if (Problem problem = range("destinationPortRange", rule_.destinationPorts)) return problem;
      if (Problem problem = range("sourcePortRange", rule_.sourcePorts)) return problem;
      shown_[key] = {{"destinationPortRange", at(options, "destinationPortRange")},
                     {"sourcePortRange", at(options, "sourcePortRange")}};
    }
    return std::nullopt;
  }

  static Problem readRange(const std::string& field, const json& range, PortRange& into) {
    if (range.is_null()) return std::nullopt;
    if (!range.is_object()) return bad(field, "must be an object with min and max.");
    for (const auto& [key, number] : {std::pair{"min", &into.min}, std::pair{"max", &into.max}}) {
      const json& value = at(range, key);
      if (value.is_null()) return missingParameter(field + "." + key).value();
      if (!value.is_number_integer() || value.get<long long>() < 1 || value.get<long long>() > 65535)
        return bad(field + "." + key, "must be a port from 1 to 65535.");
      *number = value.get<int>();
    }
    if (into.min > into.max) return bad(field, "has a min that is greater than its max.");
    return std::nullopt;
  }

  Problem readIcmp() {
    const json& options = at(sent_, "icmpOptions");
    shown_["icmpOptions"] = options;
    if (options.is_null()) return std::nullopt;
    if (!options.is_object()) return bad(name("icmpOptions"), "must be an object.");
    if (rule_.protocol != kIcmp && rule_.protocol != kIcmpV6)
      return bad(name("icmpOptions"), "can only be given with protocol \"1\" or \"58\".");
    if (at(options, "type").is_null()) return missingParameter(name("icmpOptions.type")).value();
    for (const auto& [key, number] :
         {std::pair{"type", &rule_.icmpType}, std::pair{"code", &rule_.icmpCode}}) {
      const json& value = at(options, key);
      if (value.is_null()) continue;
      if (!value.is_number_integer() || value.get<long long>() < 0 || value.get<long long>() > 255)
        return bad(name(std::string("icmpOptions.") + key), "must be a number from 0 to 255.");
      *number = value.get<int>();
    }
    shown_["icmpOptions"] = {{"type", at(options, "type")}, {"code", at(options, "code")}};
    return std::nullopt;
  }

  Problem readDescription() {
    const json& description = at(sent_, "description");
    if (!description.is_null() && (!description.is_string() || description.get<std::string>().size() > 255))
      return bad(name("description"), "must be a text of at most 255 characters.");
    shown_["description"] = description;
    return std::nullopt;
  }

  const json& sent_;
  RuleHome home_;
  std::string field_;
  SecurityRule rule_;
  json shown_ = json::object();
};

}  // namespace

bool SecurityRule::hasPeer(Ipv4 address) const {
  return std::any_of(peers.begin(), peers.end(), [&](const Cidr& cidr) { return cidr.contains(address); });
}

tl::expected<CheckedRule, ServiceError> checkRule(const json& sent, Direction direction, RuleHome home,
                                                  const std::string& field) {
  return RuleReader(sent, direction, home, field).read();
}

tl::expected<Direction, ServiceError> directionOf(const json& sent, const std::string& field) {
  const json& direction = sent.is_object() ? at(sent, "direction") : at(json::object(), "direction");
  if (direction.is_null()) return missingParameter(field + ".direction");
  if (direction == "INGRESS") return Direction::Ingress;
  if (direction == "EGRESS") return Direction::Egress;
  return invalidParameter("The parameter '" + field + ".direction' must be INGRESS or EGRESS.");
}

}  // namespace lockstep::rehearsal
