// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/machine/service_target.h"

#include <algorithm>

#include "http/url.h"
#include "oci/calls/regions.h"
#include "oci/services/image_name.h"
#include "oci/signing/profile_keys.h"

namespace lockstep {
namespace {

bool isAddress(const std::string& host) {
  return host.starts_with("[") || host.find_first_not_of("0123456789.") == std::string::npos;
}

std::string hostOf(const std::string& url) {
  const auto parts = parseUrl(url);
  return parts ? parts->host : std::string();
}

ServiceTarget placeAt(const std::string& endpoint) {
  ServiceTarget place;
  place.name = endpoint;
  place.serviceUrl = endpoint;
  const auto parts = parseUrl(endpoint);
  place.isLoopback = parts && parts->isLoopback();
  if (const std::string host = hostOf(endpoint); !host.empty() && !isAddress(host)) place.hosts = {host};
  return place;
}

// The services that set-up, launch and follow-up talk to.
ServiceTarget placeIn(const std::string& name, const std::map<std::string, std::string>& environment) {
  using oci::Service;
  ServiceTarget place;
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

std::optional<ServiceTarget> placeOf(const SetupContext& context) {
  const auto& environment = context.environment();
  const auto profile = oci::loadIncomplete(context.query(), environment);
  std::string region = profile ? profile->region : context.choices().newRegion;
  if (region.empty() && environment.contains("OCI_REGION")) region = environment.at("OCI_REGION");
  const std::string endpoint = profile ? profile->endpoint : std::string();
  if (endpoint.empty() && region.empty()) return std::nullopt;
  ServiceTarget place = endpoint.empty() ? placeIn(region, environment) : placeAt(endpoint);
  if (profile) place.certificateBundle = profile->certificateBundle;
  return place;
}

}  // namespace lockstep
