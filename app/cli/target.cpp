// SPDX-License-Identifier: GPL-3.0-or-later
#include "target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "launch/rehearsal_profile.h"
#include "output.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::cli {
namespace {

Result<Target> rehearsalTarget(const RehearsalOptions& options, const std::stop_token& stop) {
  if (const auto running = rehearsalStatus(options); !running && running.error().code == StatusCode::NotFound)
    note("starting the rehearsal region, which was not running");
  auto region = startRehearsal(options, stop);
  if (!region) return failure(std::move(region.error()));
  note(fmt::format("rehearsal region at {}", region->endpoint));
  return Target{{region->configFile, region->profile}, *region};
}

// Whether the user, or the machine's set-up, names a profile of its own: the one that the region wrote does
// not count.
bool hasOwnProfile(const oci::ProfileQuery& query) {
  const auto names = oci::profileNames(query);
  if (!names) return true;  // a file that cannot be read is to be explained, not passed over
  return std::any_of(names->begin(), names->end(),
                     [](const std::string& name) { return name != kRehearsalProfile; });
}

std::string at(const nlohmann::ordered_json& body, const char* object, const char* key) {
  const auto outer = *object == '\0' ? body : body.value(object, nlohmann::ordered_json::object());
  const auto found = outer.find(key);
  return found != outer.end() && found->is_string() ? found->get<std::string>() : std::string();
}

TenancyPlaces placesOf(const Plan& plan) {
  TenancyPlaces places;
  places.workDir = plan.workDir;
  for (const PlannedRequest& request : plan.requests) {
    if (request.operation != "CreateJob") continue;
    places.compartmentId = at(request.body, "", "compartmentId");
    places.projectId = at(request.body, "", "projectId");
    places.subnetId = at(request.body, "jobInfrastructureConfigurationDetails", "subnetId");
    places.logGroupId = at(request.body, "jobLogConfigurationDetails", "logGroupId");
    places.logId = at(request.body, "jobLogConfigurationDetails", "logId");
  }
  return places;
}

bool sameBucket(const std::string& a, const std::string& b) {
  const auto first = parseWorkDirUri(a);
  const auto second = parseWorkDirUri(b);
  return first && second && first->bucket == second->bucket && first->nameSpace == second->nameSpace &&
         first->scheme == second->scheme;
}

}  // namespace

oci::ProfileQuery queryOf(const GlobalOptions& global) {
  return {global.configFile, global.profile, global.passPhrases};
}

Result<Target> chooseTarget(const GlobalOptions& global, const std::string& on, const std::stop_token& stop) {
  const oci::ProfileQuery query = oci::resolved(queryOf(global));
  if (on == "rehearsal" || global.region == "rehearsal" || rehearsalOf(query))
    return rehearsalTarget(rehearsalFor(query), stop);
  if (on == "oci" || !global.profile.empty() || !global.region.empty() || hasOwnProfile(query))
    return Target{query, {}};
  const oci::ProfileQuery written{query.configFile, kRehearsalProfile, query.passPhrases};
  note(fmt::format("no OCI profile in {}: using the rehearsal region", query.configFile));
  // A profile whose region this machine does not keep may be in use elsewhere: it is used as it stands.
  if (!rehearsalOf(written)) return Target{written, {}};
  return rehearsalTarget(rehearsalFor(written), stop);
}

MovedPlan movedToRehearsal(const Plan& plan, const RehearsalInfo& region) {
  const TenancyPlaces own = placesOf(plan);
  TenancyPlaces places = region.places;
  if (sameBucket(own.workDir, places.workDir)) places.workDir = own.workDir;
  MovedPlan moved;
  const auto compare = [&](const char* what, const std::string& from, const std::string& to) {
    if (from != to && !to.empty()) moved.replaced.push_back({what, from, to});
  };
  compare("compartmentId", own.compartmentId, places.compartmentId);
  compare("projectId", own.projectId, places.projectId);
  compare("subnetId", own.subnetId, places.subnetId);
  compare("logGroupId", own.logGroupId, places.logGroupId);
  compare("logId", own.logId, places.logId);
  compare("workDir", own.workDir, places.workDir);
  moved.plan = moved.replaced.empty() ? plan : movedTo(plan, places);
  return moved;
}

}  // namespace lockstep::cli
