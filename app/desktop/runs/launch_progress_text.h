// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "runs/launch_progress.h"

namespace lockstep {

/// What a launch does now, in the user's language: "creating job run “worker_1”". Names are shown as plain text.
[[nodiscard]] QString launchProgressText(const LaunchProgress& progress);

}  // namespace lockstep
