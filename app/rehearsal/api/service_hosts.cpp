// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/api/service_hosts.h"

#include <fmt/format.h>

namespace lockstep::rehearsal {
namespace {

// Oracle's tools refuse a known realm with another domain, so it is one of our own.
constexpr const char* kRealmKey = "ocrhs";
constexpr const char* kRegionKey = "rhs";

}  // namespace

std::vector<std::string> serviceHosts() {
  std::vector<std::string> hosts;
  for (const char* service :
       {"identity", "datascience", "logging", "ingestion.logging", "artifacts", "limits", "ocir", "query"})
    hosts.push_back(fmt::format("{}.{}.oci.{}", service, kRegionName, kRealmDomain));
  for (const char* service : {"iaas", "objectstorage", "telemetry", "telemetry-ingestion", "auth"})
    hosts.push_back(fmt::format("{}.{}.{}", service, kRegionName, kRealmDomain));
  return hosts;
}

std::vector<std::string> certifiedHosts() {
  std::vector<std::string> hosts = serviceHosts();
  for (const char* domain : {"oci.", ""}) {
    const std::string region = fmt::format("{}.{}{}", kRegionName, domain, kRealmDomain);
    hosts.push_back("*." + region);
    // A wildcard stands for one part of a name; these are the services whose hosts have two before the
    // region.
    for (const char* inner : {"logging", "objectstorage", "compat.objectstorage", "aiservice", "dp", "cp"})
      hosts.push_back(fmt::format("*.{}.{}", inner, region));
  }
  hosts.insert(hosts.end(), {"localhost", "127.0.0.1", "::1"});
  return hosts;
}

nlohmann::json regionMetadata(int httpsPort) {
  return {{"realmKey", kRealmKey},
          {"realmDomainComponent", fmt::format("{}:{}", kRealmDomain, httpsPort)},
          {"regionKey", kRegionKey},
          {"regionIdentifier", kRegionName}};
}

}  // namespace lockstep::rehearsal
