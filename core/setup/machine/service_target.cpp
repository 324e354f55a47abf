// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/machine_place.h"

#include <algorithm>

#include "http/url.h"
#include "oci/image_name.h"
#include "oci/profile_keys.h"
#include "oci/regions.h"

namespace lockstep {
namespace {

bool isAddress(const std::string& host) {
  return host.starts_with("[") || host.find_first_not_of("0123456789.") == std::string::npos;
}

std::string hostOf(const std::string& url) {
  const auto parts = parseUrl(url);
  return parts ? parts->host : std::string();
}

MachinePlace placeAt(const std::string& endpoint) {
  MachinePlace place;
  place.name = endpoint;
  place.serviceUrl = endpoint;
  const auto parts = parseUrl(endpoint);
  place.isLoopback = parts && parts->isLoopback();
  if (const std::string host = hostOf(endpoint); !host.empty() && !isAddress(host)) place.hosts = {host};
  return place;
}

// The services that set-up, launch and follow-up talk to.
MachinePlace placeIn(const std::string& name, const std::map<std::string, std::string>& environment) {
  using oci::Service;
  MachinePlace place;
  const oci::Region region = oci::regionFor(name, environment);
  place.name = name;
  place.isKnownRegion = oci::findRegion(name).has_value() || name.find('.') != std::string::npos;
  place.serviceUrl = oci::serviceUrl(Service::ObjectStorage, region);
  for (const Service service :
       {Service::Identity, Service::Core, Service::ObjectStorage, Service::DataScience, Service::Logging,
        Service::LoggingSearch, Service::LoggingIngestion, Service::Monitoring, Service::Artifacts,
        Service::Limits})
    place.hosts.push_back(hostOf(oci::serviceUrl(service, region)));
  place.hosts.push_back(oci::registryHost(region));
  std::sort(place.hosts.begin(), place.hosts.end());
  place.hosts.erase(std::unique(place.hosts.begin(), place.hosts.end()), place.hosts.end());
  return place;
}

}  // namespace

std::optional<MachinePlace> placeOf(const SetupContext& context) {
  const auto& environment = context.environment();
  const auto profile = oci::loadIncomplete(context.query(), environment);
  std::string region = profile ? profile->region : context.choices().newRegion;
  if (region.empty() && environment.contains("OCI_REGION")) region = environment.at("OCI_REGION");
  const std::string endpoint = profile ? profile->endpoint : std::string();
  if (endpoint.empty() && region.empty()) return std::nullopt;
  MachinePlace place = endpoint.empty() ? placeIn(region, environment) : placeAt(endpoint);
  if (profile) place.certificateBundle = profile->certificateBundle;
  return place;
}

}  // namespace lockstep
