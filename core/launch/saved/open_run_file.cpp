// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/saved/open_run_file.h"

#include <cstdlib>

#include "launch/saved/saved_run_launcher.h"
#include "portable/open_saved_run.h"

namespace lockstep {
namespace {

RunServices servicesOver(const OpenedRunFile& opened) {
  return RunServices::reading(std::make_shared<SavedRunLauncher>(), {}, nullptr,
                              std::make_shared<SystemClock>(),
                              {opened.workDir, [opened] { return opened.lines(); }});
}

std::string homeFolder() {
  const char* home = std::getenv("HOME");
  return home ? home : "";
}

}  // namespace

Result<OpenedRun> openRunFile(const std::string& reference) {
  auto opened = openSavedRun(runFilePath(reference));
  if (!opened) return failure(std::move(opened.error()));
  RunServices services = servicesOver(*opened);
  return OpenedRun{std::move(opened->run), std::move(services)};
}

Result<RunServices> servicesOfFile(const TrainingRun& run) {
  const auto opened = openSavedRun(runFilePath(run.workDir));
  if (!opened) return failure(opened.error());
  return servicesOver(*opened);
}

Result<RunToSave> partsToSave(const TrainingRun& run, RunServices& services,
                              std::function<Result<void>(const PutLine&)> lines) {
  RunToSave parts;
  parts.run = run;
  if (!run.workDir.empty()) {
    auto workDir = services.workDir(run.workDir);
    if (!workDir) return failure(std::move(workDir.error()));
    parts.workDir = *std::move(workDir);
  }
  parts.lines = std::move(lines);
  parts.home = homeFolder();
  parts.now = SystemClock().now();
  return parts;
}

}  // namespace lockstep
