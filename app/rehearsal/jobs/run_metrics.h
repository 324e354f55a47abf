// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>

#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

struct SampleIntake {
  std::string runId;
  std::string compartment;
  std::filesystem::path file;  // NodeFolder::metrics
  int node = 0;
  int nodes = 1;
};

/// Copies the next samples of a node into the metrics of its job run (oci-rest-contract 4.9): namespace
/// oci_datascience_jobrun, dimension resourceId. The nodes of a run share its streams, since no dimension is
/// documented that would tell them apart. The place reached is committed with the points. False when there
/// was nothing more.
bool copySomeSamples(Database& database, const SampleIntake& intake);

}  // namespace lockstep::rehearsal
