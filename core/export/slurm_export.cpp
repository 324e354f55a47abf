// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "base/text/quote.h"
#include "export/export.h"
#include "export/rank_command.h"
#include "export/templates.h"

namespace lockstep {
namespace {

std::optional<long long> minutesOf(const ClusterSpec& spec) {
  if (spec.multiNode && spec.multiNode->maximumRuntimeInMinutes)
    return spec.multiNode->maximumRuntimeInMinutes;
  return spec.job ? spec.job->maximumRuntimeInMinutes : std::nullopt;
}

std::string directives(const RankedCluster& cluster, const ClusterSpec& spec) {
  std::string text = fmt::format("#SBATCH --job-name={}\n#SBATCH --nodes={}\n#SBATCH --ntasks-per-node=1\n",
                                 quoteSlurm(cluster.view.name), cluster.nodes());
  if (cluster.view.gpusPerNode > 0)
    text += fmt::format("#SBATCH --gpus-per-node={}\n", cluster.view.gpusPerNode);
  const auto minutes = minutesOf(spec);
  if (minutes && *minutes > 0) text += fmt::format("#SBATCH --time={}\n", *minutes);
  text += fmt::format("#SBATCH --output={}\n", quoteSlurm(cluster.view.label + "-%j.out"));
  return text;
}

}  // namespace

Result<ExportBundle> exportSlurm(const ExportInput& input) {
  auto cluster = rankedCluster(input, "a Slurm job");
  if (!cluster) return failure(cluster.error());
  ExportBundle bundle;
  SecretStore secrets;
  bundle.files.push_back(
      {"README.md", exportTemplate("slurm/README.md", {{"NAME", cluster->view.label},
                                                       {"NODES", std::to_string(cluster->nodes())},
                                                       {"RANKS", cluster->ranksText()},
                                                       {"CODE_DIR", cluster->main.codeDir}})});
  bundle.files.push_back({"job.sbatch",
                          "#!/bin/bash\n" + directives(*cluster, input.document.spec()) +
                              exportTemplate("slurm/job.sbatch", {{"PORT", cluster->masterPort}}),
                          true});
  addNodeScripts(*cluster, secrets, bundle);
  bundle.notes.push_back(
      "Submit from the folder itself, on a file system that every node sees; partition, account and time "
      "limit are yours to add.");
  bundle.notes.insert(bundle.notes.end(), cluster->notes.begin(), cluster->notes.end());
  secrets.addTo(bundle);
  return bundle;
}

}  // namespace lockstep
