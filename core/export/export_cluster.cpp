// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "export/export.h"

namespace lockstep {
namespace {

struct Exporter {
  ExportTarget target;
  Result<ExportBundle> (*function)(const ExportInput&);
};

constexpr std::array kExporters{
    Exporter{ExportTarget::TrainYaml, exportTrainYaml}, Exporter{ExportTarget::Compose, exportCompose},
    Exporter{ExportTarget::Torchrun, exportTorchrun},   Exporter{ExportTarget::Mpirun, exportMpirun},
    Exporter{ExportTarget::Terraform, exportTerraform}, Exporter{ExportTarget::Slurm, exportSlurm},
    Exporter{ExportTarget::Kubeflow, exportKubeflow},
};

}  // namespace

Result<ExportBundle> exportCluster(ExportTarget target, const ExportInput& input) {
  const auto found = std::find_if(kExporters.begin(), kExporters.end(),
                                  [&](const Exporter& exporter) { return exporter.target == target; });
  if (found == kExporters.end())
    return failure(ErrorCode::InvalidArgument, fmt::format("cannot export to '{}'", toString(target)),
                   "this build has no such export");
  return found->function(input);
}

}  // namespace lockstep
