// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>
#include <string>

#include "launch/launcher.h"
#include "launch/rehearsal_profile.h"
#include "oci/signing/profile.h"

namespace lockstep {

struct LaunchAsk {
  std::string text;      // the train.yaml
  std::string fileName;  // where it is saved, whose folder stands for /code; may be empty
  oci::ProfileQuery query;
  // Of a run that is launched again; else they follow from the text and the file.
  std::string name{};
  std::string codeFolder{};
  std::string image{};
};

/// From the text of a train.yaml to a launched run, by the steps of launch_session.h. The same text has the
/// same outcome from the command line. Blocks on the network.
Result<TrainingRun> launchCluster(const LaunchAsk& ask, const LaunchProgressHandler& progress,
                                  const std::stop_token& stop);

/// Starts the rehearsal region of that profile (or finds it running), or the usual one, with its profile in
/// the config file of the query. Blocks.
Result<RehearsalInfo> ensureRehearsal(const oci::ProfileQuery& query, const std::stop_token& stop);

}  // namespace lockstep
