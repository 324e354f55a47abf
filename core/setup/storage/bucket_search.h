// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "oci/storage/object_storage_types.h"
#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {

/// Why GetBucket answers 404, which it does for a bucket that is not there, for one of another region and for
/// one that may not be seen: looks into the compartments and the other regions, and says which it is. Code
/// "bucket-elsewhere-region", "bucket-not-readable", "buckets-not-listable", "bucket-misspelt",
/// "bucket-missing", or "needs-project" where its compartment is not there either.
struct MissingBucket {
  Finding finding;
  std::string meant;  // the name of a bucket that is there, of which this one is a slip of the pen; or empty
};
[[nodiscard]] MissingBucket missingBucket(const SetupContext& context, const WorkDirUri& uri,
                                          const Error& refusal, const std::stop_token& stop);

/// The work dir where nobody has named one, by the buckets of the compartment.
struct UnnamedWorkDir {
  WorkDirUri uri;  // in the only bucket, else in the one that the set-up makes, which may be there already
  std::vector<oci::Bucket> buckets;
  bool isThere = false;  // its bucket
  /// There are several buckets, none of them ours: only the user knows which is meant.
  [[nodiscard]] bool isOpen() const { return !isThere && !buckets.empty(); }
};
[[nodiscard]] Result<UnnamedWorkDir> unnamedWorkDir(const SetupContext& context, const std::stop_token& stop);

}  // namespace lockstep
