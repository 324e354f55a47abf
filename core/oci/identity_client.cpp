// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/identity_client.h"

#include <fmt/format.h>

#include "base/encoding.h"
#include "oci/json_calls.h"

namespace lockstep::oci {
namespace {

constexpr int kPageSize = 1000;

Result<nlohmann::json> get(ServiceClient& services, Service service, const char* operation,
                           const char* folder, const std::string& id, const std::stop_token& stop) {
  ServiceCall call;
  call.service = service;
  call.operation = operation;
  call.path = folder + percentEncode(id);
  return callForObject(services, call, stop);
}

Result<std::vector<nlohmann::json>> list(ServiceClient& services, Service service, const char* operation,
                                         std::string path, const std::stop_token& stop) {
  ServiceCall call;
  call.service = service;
  call.operation = operation;
  call.path = std::move(path);
  return callForList(services, call, stop);
}

Result<std::vector<nlohmann::json>> listAvailable(ServiceClient& services, const char* operation,
                                                  const char* folder, const std::string& compartmentId,
                                                  const std::stop_token& stop) {
  return list(services, Service::Core, operation,
              fmt::format("/20160918/{}?compartmentId={}&lifecycleState=AVAILABLE&limit={}", folder,
                          percentEncode(compartmentId), kPageSize),
              stop);
}

}  // namespace

Result<nlohmann::json> IdentityClient::getTenancy(const std::string& tenancyId, const std::stop_token& stop) {
  return get(*services_, Service::Identity, "GetTenancy", "/20160918/tenancies/", tenancyId, stop);
}

Result<nlohmann::json> IdentityClient::getUser(const std::string& userId, const std::stop_token& stop) {
  return get(*services_, Service::Identity, "GetUser", "/20160918/users/", userId, stop);
}

Result<std::vector<nlohmann::json>> IdentityClient::listCompartments(const std::string& tenancyId,
                                                                     const std::stop_token& stop) {
  return list(
      *services_, Service::Identity, "ListCompartments",
      fmt::format("/20160918/compartments?compartmentId={}&compartmentIdInSubtree=true&accessLevel=ANY"
                  "&lifecycleState=ACTIVE&limit={}",
                  percentEncode(tenancyId), kPageSize),
      stop);
}

Result<std::vector<nlohmann::json>> NetworkClient::listSubnets(const std::string& compartmentId,
                                                               const std::stop_token& stop) {
  return listAvailable(*services_, "ListSubnets", "subnets", compartmentId, stop);
}

Result<std::vector<nlohmann::json>> NetworkClient::listVcns(const std::string& compartmentId,
                                                            const std::stop_token& stop) {
  return listAvailable(*services_, "ListVcns", "vcns", compartmentId, stop);
}

Result<nlohmann::json> NetworkClient::getSubnet(const std::string& subnetId, const std::stop_token& stop) {
  return get(*services_, Service::Core, "GetSubnet", "/20160918/subnets/", subnetId, stop);
}

}  // namespace lockstep::oci
