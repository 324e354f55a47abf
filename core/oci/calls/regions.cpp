// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/json_fields.h"

namespace lockstep::oci {
namespace {

struct Entry {
  const char* id;
  const char* shortCode;
  const char* realm;
  const char* domain;
};

constexpr Entry kRegions[] = {
#define LOCKSTEP_REGION(id, shortCode, realm, domain) {id, shortCode, realm, domain},
#include "base/regions.def"
#undef LOCKSTEP_REGION
};

std::string lowerCase(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::optional<Region> fromMetadata(const nlohmann::json& data, const std::string& wanted) {
  if (!data.is_object()) return std::nullopt;
  const auto field = [&](const char* name) { return lowerCase(stringField(data, name)); };
  Region region{field("regionIdentifier"), field("regionKey"), field("realmKey"),
                field("realmDomainComponent")};
  if (region.id.empty() || region.domain.empty()) return std::nullopt;
  if (wanted != region.id && wanted != region.shortCode) return std::nullopt;
  return region;
}

// The further regions of ~/.oci/regions-config.json; a file that is absent or odd describes none.
std::optional<Region> fromRegionsFile(const std::map<std::string, std::string>& environment,
                                      const std::string& wanted) {
  const std::string home = environmentValue(environment, "HOME");
  if (home.empty()) return std::nullopt;
  const auto text = readFile(std::filesystem::path(home) / ".oci/regions-config.json", 1 << 20);
  if (!text) return std::nullopt;
  const auto all = nlohmann::json::parse(*text, nullptr, false);
  if (!all.is_array()) return std::nullopt;
  for (const auto& one : all) {
    if (auto region = fromMetadata(one, wanted)) return region;
  }
  return std::nullopt;
}

// Some hosts have ".oci." between region and domain and some do not, and the other form does not answer.
const char* hostPattern(Service service) {
  switch (service) {
    case Service::Identity:
      return "identity.{0}.oci.{1}";
    case Service::Core:
      return "iaas.{0}.{1}";
    case Service::ObjectStorage:
      return "objectstorage.{0}.{1}";
    case Service::DataScience:
      return "datascience.{0}.oci.{1}";
    case Service::Logging:
    case Service::LoggingSearch:
      return "logging.{0}.oci.{1}";
    case Service::LoggingIngestion:
      return "ingestion.logging.{0}.oci.{1}";
    case Service::Artifacts:
      return "artifacts.{0}.oci.{1}";
    case Service::Monitoring:
      return "telemetry.{0}.{1}";
    case Service::MonitoringIngestion:
      return "telemetry-ingestion.{0}.{1}";
    case Service::Limits:
      return "limits.{0}.oci.{1}";
    case Service::Auth:
      return "auth.{0}.{1}";
    case Service::Registry:  // outside oc1 ocir.<region>.oci.<domain>
      return "ocir.{0}.oci.{1}";
  }
  return "";
}

}  // namespace

std::optional<Region> findRegion(std::string_view idOrShortCode) {
  const std::string wanted = lowerCase(idOrShortCode);
  const auto* it = std::find_if(std::begin(kRegions), std::end(kRegions),
                                [&](const Entry& e) { return wanted == e.id || wanted == e.shortCode; });
  if (it == std::end(kRegions)) return std::nullopt;
  return Region{it->id, it->shortCode, it->realm, it->domain};
}

Region regionFor(std::string_view text, const std::map<std::string, std::string>& environment) {
  const std::string wanted = lowerCase(text);
  if (wanted.find('.') != std::string::npos) return {wanted, {}, {}, {}};
  if (auto known = findRegion(wanted)) return *known;
  const auto metadata =
      nlohmann::json::parse(environmentValue(environment, "OCI_REGION_METADATA"), nullptr, false);
  if (auto described = fromMetadata(metadata, wanted)) return *described;
  if (auto described = fromRegionsFile(environment, wanted)) return *described;
  const std::string domain = environmentValue(environment, "OCI_DEFAULT_REALM");
  return {wanted, {}, {}, domain.empty() ? "oraclecloud.com" : domain};
}

std::string serviceUrl(Service service, const Region& region) {
  if (service == Service::Registry && region.domain == "oraclecloud.com")
    return fmt::format("https://{}.ocir.io", region.id);
  const std::string pattern = hostPattern(service);
  if (region.domain.empty())
    return fmt::format("https://{}.{}", pattern.substr(0, pattern.find(".{0}")), region.id);
  return "https://" + fmt::format(fmt::runtime(pattern), region.id, region.domain);
}

}  // namespace lockstep::oci
