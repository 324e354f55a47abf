// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>
#include <string>

#include "launch/launcher.h"
#include "launch/rehearsal_profile.h"
#include "oci/profile.h"

namespace lockstep {

struct LaunchAsk {
  std::string text;      // the train.yaml
  std::string fileName;  // for the run's name when the document has none; may be empty
  oci::ProfileQuery query;
};

/// From the text of a train.yaml to a launched run: check, plan, start the rehearsal region where the profile
/// wants it (and move the plan onto its tenancy), launch. Blocks on the network.
Result<TrainingRun> launchCluster(const LaunchAsk& ask, const LaunchProgressHandler& progress,
                                  const std::stop_token& stop);

/// Starts the rehearsal region of that profile (or finds it running), or the usual one, with its profile in
/// the config file of the query. Blocks.
Result<RehearsalInfo> ensureRehearsal(const oci::ProfileQuery& query, const std::stop_token& stop);

}  // namespace lockstep
