// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <stop_token>

#include "portable/imports/imported_run.h"

namespace lockstep {

/// Takes an object: its name below the folder of the metrics, and its bytes.
using PutSegment = std::function<Result<void>(const std::string& name, const std::string& bytes)>;

/// The samples as a node would have written them: segments and summaries of each rank in the order of their times, and the
/// index (docs/formats/metric-segments.md). Memory: 32 bytes for each sample of a rank. Cancelled once it is asked to stop.
Result<void> putSegments(const ImportedRun& run, const PutSegment& put, const std::stop_token& stop);

}  // namespace lockstep
