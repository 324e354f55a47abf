// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"
#include "oci/services/network_types.h"

namespace lockstep::oci {

/// Virtual networks (oci-rest-contract 4.2). Lists have all pages and, but for rules, only what is available;
/// an empty `vcnId` lists those of every VCN. Thread-safe.
class NetworkClient {
 public:
  explicit NetworkClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}

  Result<std::vector<Vcn>> listVcns(const std::string& compartmentId, const std::stop_token& stop);
  Result<Vcn> getVcn(const std::string& vcnId, const std::stop_token& stop);
  Result<std::vector<Subnet>> listSubnets(const std::string& compartmentId, const std::stop_token& stop,
                                          const std::string& vcnId = {});
  Result<Subnet> getSubnet(const std::string& subnetId, const std::stop_token& stop);

  Result<std::vector<SecurityList>> listSecurityLists(const std::string& compartmentId,
                                                      const std::stop_token& stop,
                                                      const std::string& vcnId = {});
  Result<SecurityList> getSecurityList(const std::string& securityListId, const std::stop_token& stop);
  /// Replaces both arrays of rules; 412 (FailedPrecondition) when the list is no longer the one with its
  /// etag.
  Result<SecurityList> updateSecurityList(const SecurityList& list, const std::stop_token& stop);
  /// Reads, lets `change` alter the rules, and writes with if-match; reads again when somebody was faster.
  /// `change` returns false when there is nothing to do.
  Result<SecurityList> changeSecurityList(const std::string& securityListId,
                                          const std::function<bool(SecurityList&)>& change,
                                          const std::stop_token& stop);

  Result<std::vector<NetworkSecurityGroup>> listNetworkSecurityGroups(const std::string& compartmentId,
                                                                      const std::stop_token& stop,
                                                                      const std::string& vcnId = {});
  Result<NetworkSecurityGroup> createNetworkSecurityGroup(const std::string& compartmentId,
                                                          const std::string& vcnId,
                                                          const std::string& displayName,
                                                          const std::string& retryToken,
                                                          const std::stop_token& stop);
  Result<std::vector<SecurityRule>> listRules(const std::string& groupId, const std::stop_token& stop);
  /// Any number: sent in portions of 25. The rules as the service has them, with ids. When a later portion is
  /// refused, those before it are there.
  Result<std::vector<SecurityRule>> addRules(const std::string& groupId,
                                             const std::vector<SecurityRule>& rules,
                                             const std::stop_token& stop);
  /// Each rule needs its id.
  Result<std::vector<SecurityRule>> updateRules(const std::string& groupId,
                                                const std::vector<SecurityRule>& rules,
                                                const std::stop_token& stop);
  Result<void> removeRules(const std::string& groupId, const std::vector<std::string>& ruleIds,
                           const std::stop_token& stop);

  Result<std::vector<RouteTable>> listRouteTables(const std::string& compartmentId,
                                                  const std::stop_token& stop, const std::string& vcnId = {});
  Result<RouteTable> getRouteTable(const std::string& routeTableId, const std::stop_token& stop);
  Result<std::vector<Gateway>> listGateways(Gateway::Kind kind, const std::string& compartmentId,
                                            const std::stop_token& stop, const std::string& vcnId = {});

 private:
  Result<std::vector<SecurityRule>> sendRules(const std::string& groupId, const char* operation,
                                              const char* action, const std::vector<SecurityRule>& rules,
                                              const std::stop_token& stop);
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
