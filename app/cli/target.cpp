// SPDX-License-Identifier: GPL-3.0-or-later
#include "target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "launch/rehearsal_profile.h"
#include "output.h"

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

}  // namespace lockstep::cli
