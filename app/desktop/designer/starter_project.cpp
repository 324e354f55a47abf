// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/starter_project.h"

#include <system_error>

#include "base/atomic_file.h"
#include "cluster/document/cluster_document.h"
#include "starter/starter.h"

namespace lockstep {

std::string starterText() {
  const Starter* starter = findStarter("pytorch-cpp");
  return starter ? std::string(starter->files.front().content) : std::string();
}

Result<std::filesystem::path> ensureStarterProject(const std::filesystem::path& dataDir) {
  const std::filesystem::path file = dataDir / "projects" / "cifar-ddp" / "train.yaml";
  std::error_code error;
  if (std::filesystem::exists(file, error)) return file;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) {
    return failure(ErrorCode::Io, "cannot create the folder '" + file.parent_path().string() + "'",
                   error.message());
  }
  if (auto written = writeFileAtomically(file, starterText()); !written) return failure(written.error());
  return file;
}

ClusterSpec withoutStarterIds(ClusterSpec spec) {
  const ClusterDocument starter(starterText());
  const Infrastructure& starters = starter.spec().infrastructure;
  for (const auto field : {&Infrastructure::compartmentId, &Infrastructure::projectId,
                           &Infrastructure::subnetId, &Infrastructure::logGroupId, &Infrastructure::logId})
    if (spec.infrastructure.*field == starters.*field) (spec.infrastructure.*field).reset();
  return spec;
}

}  // namespace lockstep
