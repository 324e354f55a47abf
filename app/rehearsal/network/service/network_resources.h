// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rehearsal/api/router.h"
#include "rehearsal/network/service/network_kinds.h"
#include "rehearsal/network/service/vcn_network.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// What an operation does besides reading and writing the resource itself.
struct Change {
  Transaction& transaction;
  const Call& call;
  BodyReader& body;    // displayName and tags are read already
  Resource& resource;  // its body is complete but for what is the kind's own
};
using ChangeStep = std::function<std::optional<ServiceError>(const Change&)>;
using DeleteStep = std::function<std::optional<ServiceError>(Transaction&, const Resource&)>;

/// One kind of network resource: how its operations are called and what they do of their own. List, Get,
/// Create, Update and Delete are alike for all (oci-rest-contract 4.2); an empty step leaves the operation
/// out.
struct ResourceKind {
  std::string kind;         // "routetable"
  std::string path;         // "/20160918/routeTables"
  std::string one, many;    // "RouteTable", "RouteTables": the operations' names
  std::string defaultName;  // "routetable", to which the time is added
  bool isInVcn = true;      // vcnId is required; the VCN is the parent
  ChangeStep create, update;
  DeleteStep remove;
};
void addResourceKind(Router& router, Database& database, VcnNetwork& network, const ResourceKind& kind);

/// A reference to another resource of the same VCN; nullopt when it is fine. 404 when there is none.
std::optional<ServiceError> checkReference(Transaction& transaction, const std::string& kind,
                                           const std::string& id, const std::string& vcnId,
                                           const std::string& field);
/// The same for what the changed resource is to be attached to, which the caller must be allowed to attach:
/// route tables, DHCP options, security lists, the gateways of routes.
std::optional<ServiceError> checkAttachment(const Change& change, const std::string& kind,
                                            const std::string& id, const std::string& field);
/// 409 when a resource of `kind` in the VCN satisfies `uses`.
std::optional<ServiceError> refuseIfUsed(Transaction& transaction, const Resource& resource,
                                         const std::string& kind,
                                         const std::function<bool(const Resource&)>& uses);
[[nodiscard]] std::vector<Resource> resourcesOfParent(Transaction& transaction, const std::string& kind,
                                                      const std::string& parent);

/// The id, names, times and state that every network resource shows, as a resource that is not stored yet.
[[nodiscard]] Resource freshResource(const std::string& kind, const std::string& compartment,
                                     const std::string& vcnId, const std::string& name, long long now);

/// A checked dnsLabel: letters and digits, a letter first, at most 15.
std::optional<std::string> readDnsLabel(BodyReader& body);

/// What a fresh VCN brings along: default security list, route table and DHCP options, whose ids it sets.
void addDefaults(Transaction& transaction, Resource& vcn);

// The kinds, one function each.
[[nodiscard]] ResourceKind vcnKind();
[[nodiscard]] ResourceKind subnetKind();
[[nodiscard]] ResourceKind securityListKind();
[[nodiscard]] ResourceKind routeTableKind();
[[nodiscard]] ResourceKind internetGatewayKind();
[[nodiscard]] ResourceKind natGatewayKind();
[[nodiscard]] ResourceKind serviceGatewayKind();
[[nodiscard]] ResourceKind dhcpOptionsKind();
[[nodiscard]] ResourceKind securityGroupKind();
void addSecurityGroupRules(Router& router, Database& database, VcnNetwork& network);
void addVnics(Router& router, Database& database, VcnNetwork& network);

/// Oracle's services as service gateways and rules know them.
struct CloudService {
  const char *id, *name, *label, *description;
};
[[nodiscard]] const std::vector<CloudService>& cloudServices();

}  // namespace lockstep::rehearsal
