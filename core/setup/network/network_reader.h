// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "oci/services/network_client.h"
#include "oci/signing/call_audit.h"
#include "setup/step/setup_context.h"

namespace lockstep {

/// All that decides who reaches whom in a subnet.
struct NetworkView {
  oci::Subnet subnet;
  std::vector<oci::SecurityList> lists;  // of the subnet, each with its etag
  Result<oci::RouteTable> routes;
  std::vector<oci::Gateway> gateways;  // of the VCN, as far as they can be seen
  std::vector<oci::Subnet> others;     // of the VCN, as far as they can be seen
};

/// A network security group of the VCN with its rules.
struct GroupRules {
  oci::NetworkSecurityGroup group;
  std::vector<oci::SecurityRule> rules;
};

struct SubnetChoice {
  oci::Subnet subnet;
  std::string vcnName;
};

/// Reads, changing nothing, side by side where one answer does not need another, and keeps what the service
/// said as evidence. All block on the network. Thread-safe.
class NetworkReader {
 public:
  explicit NetworkReader(const std::shared_ptr<oci::ServiceClient>& services);

  Result<oci::Subnet> subnet(const std::string& id, const std::stop_token& stop);
  Result<oci::Vcn> vcn(const std::string& id, const std::stop_token& stop);
  /// Fails only when a security list cannot be read: without them nothing can be said.
  Result<NetworkView> view(const oci::Subnet& subnet, const std::stop_token& stop);
  /// As far as they can be seen.
  std::vector<GroupRules> groups(const oci::Subnet& subnet, const std::stop_token& stop);
  /// The subnets of the compartment, or of all compartments of the tenancy when that one has none; of one
  /// VCN when `vcnId` is given.
  Result<std::vector<SubnetChoice>> choices(const std::string& compartmentId, const std::string& tenancyId,
                                            const std::string& vcnId, const std::stop_token& stop);

  /// "GetSubnet 200, opc-request-id A/B"; empty when there was no such call.
  [[nodiscard]] std::string evidence(const std::string& operation) const;

 private:
  Result<std::vector<SubnetChoice>> choicesIn(const std::string& compartmentId, const std::string& vcnId,
                                              const std::stop_token& stop);

  std::shared_ptr<oci::CallHistory> history_;
  std::shared_ptr<oci::ServiceClient> services_;
};

}  // namespace lockstep
