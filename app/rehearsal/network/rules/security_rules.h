// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "rehearsal/api/http_types.h"
#include "rehearsal/network/rules/cidr.h"

namespace lockstep::rehearsal {

inline constexpr int kAllProtocols = -1;
inline constexpr int kIcmp = 1;
inline constexpr int kTcp = 6;
inline constexpr int kUdp = 17;
inline constexpr int kIcmpV6 = 58;

/// What the services of this region are called in rules and routes, and the addresses that they stand for
/// there: a rule for 0.0.0.0/0 includes them, one for the VCN's own block does not.
inline constexpr const char* kAllServices = "all-rehearsal-services-in-oracle-services-network";
inline constexpr const char* kObjectStorageService = "oci-rehearsal-objectstorage";
inline constexpr Cidr kServicesBlock{0xc0000200, 24};  // 192.0.2.0/24

enum class Direction { Ingress, Egress };

struct PortRange {
  int min = 0;
  int max = 65535;
  [[nodiscard]] bool contains(int port) const { return min <= port && port <= max; }
  [[nodiscard]] bool isWhole() const { return min <= 0 && max >= 65535; }
  bool operator==(const PortRange&) const = default;
};

/// One rule of a security list or NSG (oci-rest-contract 4.2), as it is enforced.
struct SecurityRule {
  Direction direction = Direction::Ingress;
  int protocol = kAllProtocols;
  std::vector<Cidr> peers;                  // who may send to us or be sent to; none: nobody
  std::string group;                        // the peers are the members of this NSG
  PortRange destinationPorts, sourcePorts;  // of TCP and UDP
  int icmpType = -1, icmpCode = -1;         // -1: any
  bool isStateless = false;

  [[nodiscard]] bool hasPeer(Ipv4 address) const;
};

/// Where a rule stands decides its spelling: a rule of an NSG carries its direction and may name another NSG.
enum class RuleHome { SecurityList, Group };

/// A rule that was sent, checked; `shown` is the rule as the service answers it, with every field that it
/// has. Refusals name the field below `field`, "ingressSecurityRules[0]".
struct CheckedRule {
  SecurityRule rule;
  nlohmann::json shown;
};
[[nodiscard]] tl::expected<CheckedRule, ServiceError> checkRule(const nlohmann::json& sent,
                                                                Direction direction, RuleHome home,
                                                                const std::string& field);
/// The direction that a rule of an NSG carries.
[[nodiscard]] tl::expected<Direction, ServiceError> directionOf(const nlohmann::json& sent,
                                                                const std::string& field);

}  // namespace lockstep::rehearsal
