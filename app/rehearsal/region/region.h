// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "rehearsal/region/state_folder.h"

namespace lockstep::rehearsal {

struct RegionOptions {
  StateFolder state;
  std::filesystem::path configFile;
  int port = 0;       // 0: the one used before, else a free one
  bool tls = false;   // https as well, on a port of its own
  int httpsPort = 0;  // as `port`
  bool empty = false;
  bool isolate = true;               // job runs in networks of their own, where the machine allows it
  std::filesystem::path faultsFile;  // empty: nothing goes wrong (faults/fault_plan.h)
  std::string entrypoint;            // what a job run executes
  std::chrono::milliseconds provisioning{600};
  std::chrono::milliseconds grace{10000};
  std::chrono::milliseconds sampleInterval{5000};  // of the metrics of job runs
};

/// What became of the start of a region: told once, when requests can be sent or when that failed.
struct RegionStart {
  nlohmann::json info;  // as `start --json` prints it
  std::string note;     // something the user should know
};
using TellStart = std::function<void(const Result<RegionStart>&)>;

/// Runs the region in this process until SIGTERM or SIGINT; returns main's exit status. The state's lock must
/// be held.
int serveRegion(const RegionOptions& options, const TellStart& tell);

}  // namespace lockstep::rehearsal
