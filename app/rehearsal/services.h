// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/front/router.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

class Blobs;
class JobRunner;
class VcnNetwork;
class KeyDirectory;

/// The operations of each service, added to the router (oci-rest-contract 4.1, 4.2, 4.4 to 4.7).
void addIdentity(Router& router, Database& database, KeyDirectory& keys);
void addNetwork(Router& router, Database& database, VcnNetwork& network);
void addNetworkAdmin(Router& admin, Database& database, VcnNetwork& network);
void addLogging(Router& router, Database& database);
void addLogSearch(Router& router, Database& database);
void addLogIngestion(Router& router, Database& database);
void addProjects(Router& router, Database& database);
void addJobShapes(Router& router, Database& database);
void addJobs(Router& router, Database& database, Blobs& blobs, JobRunner& runner);
void addJobRuns(Router& router, Database& database, JobRunner& runner);
void addResourceSearch(Router& router, Database& database);
void addLimits(Router& router, Database& database);
void addLimitsAdmin(Router& admin, Database& database);

}  // namespace lockstep::rehearsal
