// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>
#include <string>

#include "launch/run_services.h"

namespace lockstep {

/// A run from where it lies: `reference` as parseRunFolder() takes it. Looks at it once. A folder of this machine needs
/// no profile; a bucket is read with the profile of `query`. Nothing is stored or changed. Blocks on disk or network.
Result<OpenedRun> openRunFolder(const std::string& reference, const oci::ProfileQuery& query,
                                RetryMode retryMode, const std::stop_token& stop);

/// The services of a run that openRunFolder() brought (isReadOnly), as servicesOf() is for others. Sends nothing.
Result<RunServices> servicesOfFolder(const TrainingRun& run, oci::ProfileQuery query, RetryMode retryMode);

}  // namespace lockstep
