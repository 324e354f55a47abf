// SPDX-License-Identifier: GPL-3.0-or-later
// torchrun, or the script's own launcher, on machines that one already has.
#include <fmt/format.h>

#include "base/text/quote.h"
#include "export/export.h"
#include "export/rank_command.h"
#include "export/templates.h"

namespace lockstep {
namespace {

std::string hosts(const RankedCluster& cluster) {
  std::string text = "# One address for each node, node 0 first. Replace these names.\n";
  for (const ExportNode& node : cluster.view.nodes) {
    if (node.role != NodeRole::ParameterServer) text += node.hostName + "\n";
  }
  return text;
}

/// The torchrun command of one node, to be read and copied; what runs is run-node.sh.
std::string commandOfNode(const RankedCluster& cluster, int node, bool isStatic) {
  const auto ranks = cluster.ranksPerNode();
  const std::string& master = cluster.view.nodes.front().hostName;
  std::string line = fmt::format("torchrun --nnodes={} --nproc_per_node={}", cluster.nodes(),
                                 ranks ? std::to_string(*ranks) : "gpu");
  line += isStatic ? fmt::format(" --node_rank={} --master_addr={} --master_port={}", node, master,
                                 cluster.masterPort)
                   : fmt::format(" --rdzv_backend=c10d --rdzv_endpoint={}:{} --rdzv_id={}", master,
                                 cluster.masterPort, cluster.view.label);
  for (const std::string& word : entryWords(node == 0 ? cluster.main : cluster.worker))
    line += " " + quoteShell(word);
  std::string indented = "    ";
  for (const char c : line) indented += c == '\n' ? std::string("\n    ") : std::string(1, c);
  return indented + "\n";
}

std::string environmentText(const RankedCluster& cluster) {
  std::string text =
      "    export NCCL_SOCKET_IFNAME=eth0    # the interface that leads to node 0; `ip -br address` lists "
      "them\n"
      "    export GLOO_SOCKET_IFNAME=eth0\n";
  if (cluster.mainEnvironment.find("NCCL_DEBUG") == nullptr) text += "    export NCCL_DEBUG=WARN\n";
  if (cluster.view.hasRdma)
    text +=
        "    export NCCL_IB_GID_INDEX=3 NCCL_IB_TC=41 NCCL_IB_SL=0 NCCL_IB_QPS_PER_CONNECTION=4    # RDMA\n";
  return text;
}

std::string commands(const RankedCluster& cluster) {
  std::string text = fmt::format(
      "# The commands of each node\n\n`./run-node.sh NODE_RANK` runs them, with the environment that "
      "`cluster.sh` holds. By hand, first on every node:\n\n{}\nthen that environment, then one of these.\n",
      environmentText(cluster));
  text += "\n## Static rendezvous\n";
  for (int node = 0; node < cluster.nodes(); ++node)
    text += fmt::format("\nNode {}:\n\n{}", node, commandOfNode(cluster, node, true));
  text += "\n## c10d rendezvous\n\nOn node 0:\n\n" + commandOfNode(cluster, 0, false);
  if (cluster.hasWorkers()) text += "\nOn every other node:\n\n" + commandOfNode(cluster, 1, false);
  return text;
}

}  // namespace

Result<ExportBundle> exportTorchrun(const ExportInput& input) {
  auto cluster = rankedCluster(input, "torchrun commands");
  if (!cluster) return failure(cluster.error());
  ExportBundle bundle;
  SecretStore secrets;
  bundle.files.push_back(
      {"README.md", exportTemplate("torchrun/README.md", {{"NAME", cluster->view.label},
                                                          {"NODES", std::to_string(cluster->nodes())},
                                                          {"RANKS", cluster->ranksText()},
                                                          {"PORT", cluster->masterPort},
                                                          {"CODE_DIR", cluster->main.codeDir}})});
  addNodeScripts(*cluster, secrets, bundle);
  bundle.files.push_back({"start-all.sh", exportTemplate("torchrun/start-all.sh"), true});
  bundle.files.push_back({"hosts", hosts(*cluster)});
  bundle.files.push_back({"commands.md", commands(*cluster)});
  bundle.notes.push_back("Write the addresses of your machines into 'hosts', node 0 first.");
  bundle.notes.push_back(
      fmt::format("The machines must reach each other on port {} and on every port above "
                  "1024, which NCCL and Gloo choose from.",
                  cluster->masterPort));
  bundle.notes.insert(bundle.notes.end(), cluster->notes.begin(), cluster->notes.end());
  secrets.addTo(bundle);
  return bundle;
}

}  // namespace lockstep
