// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/launch_target.h"

#include <algorithm>
#include <utility>

#include "launch/rehearsal_profile.h"

namespace lockstep {
namespace {

// Whether the user, or the machine's set-up, names a profile of its own: the one that the region wrote does
// not count.
bool hasOwnProfile(const oci::ProfileQuery& query) {
  const auto names = oci::profileNames(query);
  if (!names) return true;  // a file that cannot be read is to be explained, not passed over
  return std::any_of(names->begin(), names->end(),
                     [](const std::string& name) { return name != kRehearsalProfile; });
}

}  // namespace

LaunchTarget chosenTarget(const TargetRequest& wish) {
  const oci::ProfileQuery query = oci::resolved(wish.query);
  if (wish.on == "rehearsal" || wish.region == "rehearsal" || rehearsalOf(query))
    return {query, rehearsalFor(query), false};
  const bool isNamed = wish.on == "oci" || !wish.query.profile.empty() || !wish.region.empty();
  if (isNamed || hasOwnProfile(query)) return {query, std::nullopt, false};
  const oci::ProfileQuery written{query.configFile, kRehearsalProfile, query.passPhrases};
  // A profile whose region this machine does not keep may be in use elsewhere: it is used as it stands.
  return {written, rehearsalOf(written), true};
}

Result<StartedTarget> startTarget(const LaunchTarget& target, const std::stop_token& stop) {
  if (!target.rehearsal) return StartedTarget{target.query, std::nullopt};
  auto region = startRehearsal(*target.rehearsal, stop);
  if (!region) return failure(std::move(region.error()));
  oci::ProfileQuery query{region->configFile, region->profile, target.query.passPhrases};
  return StartedTarget{std::move(query), *std::move(region)};
}

}  // namespace lockstep
