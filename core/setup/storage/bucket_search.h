// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "setup/setup_context.h"
#include "setup/setup_step.h"
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
                                          const Status& refusal, const std::stop_token& stop);

}  // namespace lockstep
