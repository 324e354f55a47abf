// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/api/router.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

class Blobs;
class JobRunner;

/// The operations of Data Science, added to the router (oci-rest-contract 4.5). What they are given outlives the router.
void addProjects(Router& router, Database& database);
void addJobShapes(Router& router, Database& database);
void addJobs(Router& router, Database& database, Blobs& blobs, JobRunner& runner);
void addJobRuns(Router& router, Database& database, JobRunner& runner);

}  // namespace lockstep::rehearsal
