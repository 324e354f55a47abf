// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <set>
#include <string>

#include "rehearsal/api/router.h"
#include "rehearsal/state/blobs.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

struct RunnerSetup;

inline constexpr const char* kJobArtifactsSchema = R"sql(
CREATE TABLE IF NOT EXISTS job_artifacts(
  job TEXT PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL, md5 TEXT NOT NULL, etag TEXT NOT NULL,
  modified INTEGER NOT NULL, file TEXT NOT NULL, bytes BLOB);
)sql";

/// CreateJobArtifact, HeadJobArtifact, GetJobArtifactContent (oci-rest-contract 4.5): once for each job,
/// immutable.
void addJobArtifacts(Router& router, Database& database, Blobs& blobs);

/// The artifact of a job where a node finds it.
struct DeliveredArtifact {
  std::string name;  // of the file in the node's home; empty: the job has none
};
/// Makes the home folder of a node, and puts a copy of the job's artifact there.
Result<DeliveredArtifact> deliverArtifact(Database& database, const RunnerSetup& setup,
                                          const std::string& jobId, const std::filesystem::path& home);

/// Removes the artifact of a deleted job; returns the file to remove from Blobs after the commit.
std::string removeArtifact(Transaction& transaction, const std::string& jobId);

}  // namespace lockstep::rehearsal
