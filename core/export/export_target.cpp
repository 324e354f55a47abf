// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/export.h"

#include <algorithm>

namespace lockstep {

const std::vector<ExportTarget>& exportTargets() {
  static const std::vector<ExportTarget> kAll{
      ExportTarget::TrainYaml, ExportTarget::Compose, ExportTarget::Torchrun, ExportTarget::Mpirun,
      ExportTarget::Terraform, ExportTarget::Slurm,   ExportTarget::Kubeflow};
  return kAll;
}

const char* toString(ExportTarget target) {
  switch (target) {
    case ExportTarget::TrainYaml:
      return "train-yaml";
    case ExportTarget::Compose:
      return "compose";
    case ExportTarget::Torchrun:
      return "torchrun";
    case ExportTarget::Mpirun:
      return "mpirun";
    case ExportTarget::Terraform:
      return "terraform";
    case ExportTarget::Slurm:
      return "slurm";
    case ExportTarget::Kubeflow:
      return "kubeflow";
  }
  return "train-yaml";
}

std::optional<ExportTarget> exportTargetNamed(std::string_view name) {
  const auto& all = exportTargets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](ExportTarget t) { return toString(t) == name; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

}  // namespace lockstep
