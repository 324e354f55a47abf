// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/identity_client.h"

#include "base/encoding.h"
#include "oci/json_calls.h"

namespace lockstep::oci {
namespace {

Result<nlohmann::json> get(ServiceClient& services, Service service, const char* operation,
                           const char* folder, const std::string& id, const std::stop_token& stop) {
  ServiceCall call;
  call.service = service;
  call.operation = operation;
  call.path = folder + percentEncode(id);
  return callForObject(services, call, stop);
}

}  // namespace

Result<nlohmann::json> IdentityClient::getTenancy(const std::string& tenancyId, const std::stop_token& stop) {
  return get(*services_, Service::Identity, "GetTenancy", "/20160918/tenancies/", tenancyId, stop);
}

Result<nlohmann::json> IdentityClient::getUser(const std::string& userId, const std::stop_token& stop) {
  return get(*services_, Service::Identity, "GetUser", "/20160918/users/", userId, stop);
}

Result<nlohmann::json> NetworkClient::getSubnet(const std::string& subnetId, const std::stop_token& stop) {
  return get(*services_, Service::Core, "GetSubnet", "/20160918/subnets/", subnetId, stop);
}

}  // namespace lockstep::oci
