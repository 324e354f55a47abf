// SPDX-License-Identifier: GPL-3.0-or-later
#include "target.h"

#include <fmt/format.h>

#include "output.h"

namespace lockstep::cli {

oci::ProfileQuery queryOf(const GlobalOptions& global) {
  return {global.configFile, global.profile, global.passPhrases};
}

LaunchTarget targetOf(const GlobalOptions& global, const std::string& on) {
  return chosenTarget({queryOf(global), on, global.region});
}

Result<Target> reachTarget(const LaunchTarget& target, const std::stop_token& stop) {
  if (target.lacksProfile)
    note(fmt::format("no OCI profile in {}: using the rehearsal region", target.query.configFile));
  if (target.rehearsal) {
    const auto running = rehearsalStatus(*target.rehearsal);
    if (!running && running.error().code == ErrorCode::NotFound)
      note("starting the rehearsal region, which was not running");
  }
  auto started = startTarget(target, stop);
  if (started && started->rehearsal)
    note(fmt::format("rehearsal region at {}", started->rehearsal->endpoint));
  return started;
}

}  // namespace lockstep::cli
