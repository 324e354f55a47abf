// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "cluster/checks/check_parts.h"
#include "cluster/reading/train_yaml.h"

namespace lockstep {
namespace {

struct RegionName {
  std::string_view id, shortCode;
};

constexpr RegionName kRegions[] = {
#define LOCKSTEP_REGION(id, shortCode, realm, domain) {id, shortCode},
#include "base/regions.def"
#undef LOCKSTEP_REGION
};

struct Located {
  FieldPath path;
  std::string what;    // "subnet"
  std::string region;  // id; as written when it is not known
};

std::string regionOrText(std::string_view text) {
  const std::string known = regionNamed(text);
  return known.empty() ? std::string(text) : known;
}

void add(std::vector<Located>& places, const FieldPath& path, const char* what,
         const std::optional<std::string>& ocid) {
  if (!ocid || hasPlaceholder(*ocid) || !ocidProblem(*ocid).empty()) return;
  const std::string_view region = ocidRegion(*ocid);
  if (!region.empty()) places.push_back({path, what, regionOrText(region)});
}

/// "iad.ocir.io" | "ocir.us-ashburn-1.oci.oraclecloud.com"; empty for a registry elsewhere.
std::string regionOfRegistry(std::string_view registry) {
  const std::size_t dot = registry.find('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view rest = registry.substr(dot + 1);
  if (rest == "ocir.io") return regionNamed(registry.substr(0, dot));
  if (!registry.starts_with("ocir.")) return {};
  return regionNamed(rest.substr(0, rest.find('.')));
}

}  // namespace

std::string regionNamed(std::string_view idOrShortCode) {
  std::string lower(idOrShortCode);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const RegionName& region : kRegions) {
    if (lower == region.id || lower == region.shortCode) return std::string(region.id);
  }
  return {};
}

void checkRegions(const CheckContext& c) {
  const auto infra = [&](const char* key) { return infrastructureField(c.tree, key); };
  const Infrastructure& i = c.spec.infrastructure;
  std::vector<Located> places;
  add(places, infra("projectId"), "project", i.projectId);
  add(places, infra("subnetId"), "subnet", i.subnetId);
  add(places, infra("logGroupId"), "log group", i.logGroupId);
  add(places, infra("logId"), "log", i.logId);
  for (std::size_t n = 1; n < places.size(); ++n) {
    const Located& other = places[n];
    if (other.region == places[0].region) continue;
    c.issues.warning("region-mismatch", other.path,
                     fmt::format("the {} is in the region {}, but the {} is in {}", other.what, other.region,
                                 places[0].what, places[0].region),
                     "give ids of one region: a job and all that it uses are in the same one");
  }
  if (places.empty() || !c.spec.image) return;
  const std::string registry = regionOfRegistry(imageRegistry(*c.spec.image));
  if (registry.empty() || registry == places[0].region) return;
  c.issues.warning("region-mismatch", (c.spec.job ? field::runtime() : field::cluster()).child("image"),
                   fmt::format("the image is in the registry of {}, but the {} is in {}", registry,
                               places[0].what, places[0].region),
                   "push the image to the registry of that region: pulling from another one is slow and may "
                   "be refused");
}

}  // namespace lockstep
