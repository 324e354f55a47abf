// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "runs/training_run.h"

namespace lockstep::cli {

struct InfoFile {
  JobId jobId;
  std::string workDir;
};

/// The info YAML of a launch (ads-contract 2.7), in its clean form. InvalidArgument: a name that is not UTF-8.
[[nodiscard]] Result<std::string> infoText(const TrainingRun& run);

/// Reads that form, and what `ads … | tee info.yaml` leaves: lines before `jobId:` are skipped.
Result<InfoFile> readInfoFile(const std::string& file);
Result<InfoFile> parseInfo(const std::string& text, const std::string& file);

}  // namespace lockstep::cli
