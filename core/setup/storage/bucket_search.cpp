// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/storage/bucket_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "cluster/reading/train_yaml_keys.h"
#include "oci/calls/side_by_side.h"
#include "oci/storage/object_paths.h"
#include "oci/storage/object_storage_client.h"
#include "setup/step/findings.h"
#include "setup/step/setup_context.h"

namespace lockstep {
namespace {

constexpr int kAtOnce = 8;
constexpr const char* kNewBucket = "lockstep";  // the name of one that nobody has named
constexpr const char* kPrefix = "runs";

std::string evidenceFor(const Error& refusal) {
  return refusal.service ? describe(*refusal.service) : refusal.cause;
}

// The first place, in order, for which `holds` says yes; asked side by side. A refusal is a no.
template <class Place>
const Place* firstWith(const std::vector<Place>& places, const std::stop_token& stop,
                       const std::function<bool(const Place&, const std::stop_token&)>& holds) {
  std::mutex mutex;
  std::size_t best = places.size();
  const auto look = [&](std::size_t i, const std::stop_token& inner) -> Result<void> {
    if (!holds(places[i], inner)) return {};
    const std::scoped_lock lock(mutex);
    best = std::min(best, i);
    return {};
  };
  if (!oci::sideBySide(places.size(), kAtOnce, stop, look)) return nullptr;
  return best < places.size() ? &places[best] : nullptr;
}

bool hasBucket(const RegionServices& region, const WorkDirUri& uri, const std::stop_token& stop) {
  const auto call = oci::storageCall("HeadBucket", "HEAD", oci::bucketPath(uri.nameSpace, uri.bucket));
  return region.services->call(call, stop).has_value();
}

/// What the listings of the compartments tell about the bucket.
struct Listed {
  std::string compartment;         // that lists it; empty: none does
  std::string refused;             // one that may not be listed; empty: all could be
  std::vector<std::string> names;  // of all buckets that are listed
};

oci::Compartment compartmentNamed(const std::string& id, const std::string& name) {
  oci::Compartment compartment;
  compartment.id = id;
  compartment.name = name;
  return compartment;
}

Listed listedIn(const SetupContext& context, const WorkDirUri& uri, const std::stop_token& stop) {
  const auto services = context.services();
  const auto profile = context.profile();
  if (!services || !profile) return {};
  std::vector<oci::Compartment> places;
  if (auto all = context.compartments(stop)) places = *std::move(all);
  const std::string own = context.compartmentId();  // can be asked for even when it is not listed
  const auto isOwn = [&](const oci::Compartment& one) { return one.id == own; };
  if (!own.empty() && own != profile->tenancy && std::none_of(places.begin(), places.end(), isOwn))
    places.push_back(compartmentNamed(own, own));
  places.push_back(compartmentNamed(profile->tenancy, kRootCompartmentName));
  Listed listed;
  std::mutex mutex;
  const auto* found = firstWith<oci::Compartment>(
      places, stop, [&](const oci::Compartment& place, const std::stop_token& inner) {
        const auto buckets = oci::ObjectStorageClient(*services).listBuckets(uri.nameSpace, place.id, inner);
        const std::scoped_lock lock(mutex);
        if (!buckets && place.id == context.compartmentId()) listed.refused = place.name;
        for (const oci::Bucket& one : buckets ? *buckets : std::vector<oci::Bucket>{})
          listed.names.push_back(one.name);
        return buckets && std::any_of(buckets->begin(), buckets->end(),
                                      [&](const oci::Bucket& b) { return b.name == uri.bucket; });
      });
  if (found != nullptr) listed.compartment = found->name;
  return listed;
}

void elsewhere(Finding& finding, const WorkDirUri& uri, const std::string& there, const std::string& here) {
  finding.code = "bucket-elsewhere-region";
  finding.text =
      fmt::format("bucket '{}' is in region {}, and the profile's region is {}", uri.bucket, there, here);
  finding.remedy =
      "use a bucket of the profile's region, or a profile of the bucket's: nodes read and "
      "write the bucket of their own region";
}

void describeListed(MissingBucket& missing, const SetupContext& context, const WorkDirUri& uri,
                    const Listed& listed, const std::stop_token& stop) {
  Finding& finding = missing.finding;
  const std::string notThere =
      fmt::format("bucket '{}' does not exist in namespace '{}'", uri.bucket, uri.nameSpace);
  if (!listed.compartment.empty()) {
    finding.code = "bucket-not-readable";
    finding.text = fmt::format("bucket '{}' is in compartment {}, but you may not read it", uri.bucket,
                               listed.compartment);
    finding.remedy = fmt::format(
        "you need a policy that lets your group read buckets and manage objects in "
        "compartment {} (step policies)",
        listed.compartment);
  } else if (const auto own = context.compartment(stop); !own && own.error().code == ErrorCode::NotFound) {
    const std::string evidence = finding.evidence;
    finding = noCompartmentFinding(own.error());
    finding.text = fmt::format("{}, or you may not see it; {}", notThere, finding.text);
    finding.evidence = evidence;
  } else if (!listed.refused.empty()) {
    finding.code = "buckets-not-listable";
    finding.text =
        fmt::format("{} or you may not see it: the buckets of compartment {} may not be listed either",
                    notThere, listed.refused);
    finding.remedy = "you need a policy that lets your group use buckets there (step policies)";
  } else if (const std::string meant = nearest(uri.bucket, listed.names);
             !meant.empty() && isSlip(uri.bucket, meant)) {
    missing.meant = meant;
    finding.code = "bucket-misspelt";
    finding.text = fmt::format("{}; there is a bucket '{}'", notThere, meant);
    finding.remedy = fmt::format("'{}' is meant, or create '{}'", meant, uri.bucket);
  } else {
    finding.text = notThere;
    finding.remedy = "create it, or change workDir";
  }
}

}  // namespace

MissingBucket missingBucket(const SetupContext& context, const WorkDirUri& uri, const Error& refusal,
                            const std::stop_token& stop) {
  MissingBucket missing{{StepState::Blocked, {}, evidenceFor(refusal), {}, "bucket-missing"}, {}};
  Finding& finding = missing.finding;
  const auto regions = context.otherRegions(stop);
  const auto* region =
      regions ? firstWith<RegionServices>(*regions, stop,
                                          [&](const RegionServices& one, const std::stop_token& inner) {
                                            return hasBucket(one, uri, inner);
                                          })
              : nullptr;
  if (region != nullptr) {
    elsewhere(finding, uri, region->region, context.profile()->region);
    return missing;
  }
  describeListed(missing, context, uri, listedIn(context, uri, stop), stop);
  return missing;
}

Result<UnnamedWorkDir> unnamedWorkDir(const SetupContext& context, const std::stop_token& stop) {
  const auto services = context.services();
  if (!services) return failure(services.error());
  const auto nameSpace = context.nameSpace(stop);
  if (!nameSpace) return failure(nameSpace.error());
  const auto compartment = context.compartment(stop);
  if (!compartment) return failure(compartment.error());
  UnnamedWorkDir found;
  if (!isToBeMade(*compartment)) {
    auto buckets = oci::ObjectStorageClient(*services).listBuckets(*nameSpace, compartment->id, stop);
    if (!buckets) return failure(buckets.error());
    found.buckets = *std::move(buckets);
  }
  found.uri.nameSpace = *nameSpace;
  found.uri.prefix = kPrefix;
  found.uri.bucket = found.buckets.size() == 1 ? found.buckets.front().name : kNewBucket;
  found.isThere = std::ranges::any_of(found.buckets,
                                      [&](const oci::Bucket& one) { return one.name == found.uri.bucket; });
  return found;
}

}  // namespace lockstep
