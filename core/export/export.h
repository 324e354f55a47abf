// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cluster/document/cluster_document.h"
#include "plan/plan.h"

namespace lockstep {

enum class ExportTarget { TrainYaml, Compose, Torchrun, Mpirun, Terraform, Slurm, Kubeflow };
[[nodiscard]] const std::vector<ExportTarget>& exportTargets();
[[nodiscard]] const char* toString(ExportTarget target);  // "train-yaml", as `lockstep export --to` has it
[[nodiscard]] std::optional<ExportTarget> exportTargetNamed(std::string_view name);

struct ExportedFile {
  std::string path;  // relative, '/' between folders, never ".."
  std::string content;
  bool executable = false;
  bool secret = false;  // readable by its owner only
};

/// Files that work by themselves, the first of them the one to read first.
struct ExportBundle {
  std::vector<ExportedFile> files;
  std::vector<std::string> notes;  // what the user should know or still has to do
};

/// What every exporter reads.
struct ExportInput {
  const ClusterDocument& document;
  const Plan& plan;
};

/// Pure. Fails with an Error that names the field when the cluster has no such form (a Dask cluster has no
/// torchrun command).
[[nodiscard]] Result<ExportBundle> exportCluster(ExportTarget target, const ExportInput& input);

/// Writes all files below `folder`, creating it. Each is written atomically. Refuses, before anything is
/// written, when one of them exists with other content, unless `overwrite`; when a path leads out of the
/// folder; when a symbolic link or a folder stands where a file belongs. Modes: 0755 executable, 0600 secret,
/// else 0644. Blocks on disk. Returns what was written.
Result<std::vector<std::filesystem::path>> writeBundle(const ExportBundle& bundle,
                                                       const std::filesystem::path& folder, bool overwrite);

// One exporter a target; each in a file of its own.
[[nodiscard]] Result<ExportBundle> exportTrainYaml(const ExportInput& input);
[[nodiscard]] Result<ExportBundle> exportCompose(const ExportInput& input);
[[nodiscard]] Result<ExportBundle> exportTorchrun(const ExportInput& input);
[[nodiscard]] Result<ExportBundle> exportMpirun(const ExportInput& input);
[[nodiscard]] Result<ExportBundle> exportTerraform(const ExportInput& input);
[[nodiscard]] Result<ExportBundle> exportSlurm(const ExportInput& input);
[[nodiscard]] Result<ExportBundle> exportKubeflow(const ExportInput& input);

}  // namespace lockstep
