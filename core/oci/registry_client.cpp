// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/registry_client.h"

#include <fmt/format.h>

#include "base/encoding.h"
#include "oci/json_calls.h"

namespace lockstep::oci {
namespace {

constexpr int kPageSize = 1000;

ServiceCall callOf(std::string operation, const char* things, const std::string& compartmentId,
                   const char* order) {
  ServiceCall call;
  call.service = Service::Artifacts;
  call.operation = std::move(operation);
  call.path = fmt::format("/20160918/container/{}?compartmentId={}&lifecycleState=AVAILABLE{}&limit={}",
                          things, percentEncode(compartmentId), order, kPageSize);
  return call;
}

}  // namespace

Result<std::vector<nlohmann::json>> RegistryClient::listRepositories(const std::string& compartmentId,
                                                                     const std::stop_token& stop) {
  return callForList(*services_, callOf("ListContainerRepositories", "repositories", compartmentId, ""),
                     stop);
}

Result<std::vector<nlohmann::json>> RegistryClient::listImages(const std::string& compartmentId,
                                                               const std::stop_token& stop) {
  return callForList(
      *services_,
      callOf("ListContainerImages", "images", compartmentId, "&sortBy=TIMECREATED&sortOrder=DESC"), stop);
}

}  // namespace lockstep::oci
