// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::oci {

// What Networking answers (oci-rest-contract 4.2). lifecycleState: "PROVISIONING" "AVAILABLE" "TERMINATING"
// "TERMINATED" "UPDATING", or what a later service says.

struct Vcn {
  std::string id, compartmentId, displayName, lifecycleState, dnsLabel;
  std::vector<std::string> cidrBlocks;
  std::string defaultSecurityListId, defaultRouteTableId;
};

struct Subnet {
  std::string id, compartmentId, vcnId, displayName, lifecycleState, dnsLabel;
  std::string cidrBlock;           // IPv4
  std::string availabilityDomain;  // empty: regional
  std::string routeTableId;
  std::vector<std::string> securityListIds;
  bool isPrivate = false;  // prohibitPublicIpOnVnic
  std::string etag;
};

struct PortRange {
  int min = 1, max = 65535;
  bool operator==(const PortRange&) const = default;
};

/// One rule of a security list or a network security group. `peer` is the source of an ingress rule and the
/// destination of an egress rule.
struct SecurityRule {
  enum class Direction { Ingress, Egress };
  Direction direction = Direction::Ingress;
  std::string peer;                     // "10.0.0.0/24"
  std::string peerType = "CIDR_BLOCK";  // SERVICE_CIDR_BLOCK, NETWORK_SECURITY_GROUP
  std::string protocol = "6";           // "all", "1" ICMP, "6" TCP, "17" UDP, "58" ICMPv6
  bool isStateless = false;
  std::string description;
  std::optional<PortRange> destinationPorts, sourcePorts;  // of TCP and UDP; absent: all
  std::optional<int> icmpType, icmpCode;
  std::string id;        // of a rule of a network security group
  nlohmann::json other;  // fields that this client does not know; they go back as they came
  bool operator==(const SecurityRule&) const = default;
};

struct SecurityList {
  std::string id, compartmentId, vcnId, displayName, lifecycleState;
  std::vector<SecurityRule> ingress, egress;
  std::string etag;  // empty in a listing
};

struct NetworkSecurityGroup {
  std::string id, compartmentId, vcnId, displayName, lifecycleState;
  std::string etag;
};

struct RouteRule {
  std::string destination, destinationType, networkEntityId;
};

struct RouteTable {
  std::string id, compartmentId, vcnId, displayName, lifecycleState;
  std::vector<RouteRule> routeRules;
  std::string etag;
};

/// An internet, NAT or service gateway of a VCN.
struct Gateway {
  enum class Kind { Internet, Nat, Service };
  Kind kind = Kind::Internet;
  std::string id, compartmentId, vcnId, displayName, lifecycleState;
  bool isOpen = true;  // enabled, traffic not blocked
};

}  // namespace lockstep::oci
