// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/node_details.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "plan/plan.h"

namespace lockstep {
namespace {

ClusterDocument golden(const std::string& name) {
  return ClusterDocument(
      readFile(std::string(LOCKSTEP_TEST_DATA) + "/train_yaml/" + name + "/in.yaml").value());
}

std::string valueIn(const NodeDetails& details, const std::string& name) {
  for (const EnvVar& variable : details.environment) {
    if (variable.name == name) return variable.value;
  }
  return "(not set)";
}

std::string portsIn(const NodeDetails& details) {
  std::string text;
  for (const NodePort& port : details.ports) text += (text.empty() ? "" : " ") + port.ports;
  return text;
}

TEST(WorldSize, ShowsTheArithmetic) {
  const WorldSize world = worldSizeOf(golden("guide").spec());
  EXPECT_EQ(world.nodes, 3);
  EXPECT_EQ(world.ranksPerNode, 2);
  EXPECT_EQ(world.ranks, 6);
  EXPECT_EQ(world.text, "world size 6 = (1 main + 2 workers) × 2 GPUs of VM.GPU.A10.2");
  EXPECT_EQ(worldSizeOf(golden("kind_ray").spec()).ranks, std::nullopt);
  EXPECT_EQ(worldSizeOf(golden("job_pytorch_two_nodes").spec()).text,
            "world size 2 = 2 nodes × 1 GPU of VM.GPU.A10.1");
  EXPECT_EQ(worldSizeOf(ClusterSpec()).nodes, 1);  // what an empty document has
}

TEST(WorldSize, TakesHorovodsSlotsFromTheNameOfTheShape) {
  // VM.GPU2.1: the third part is 1; MIN_NP is 2.
  EXPECT_EQ(worldSizeOf(golden("kind_horovod_pytorch").spec()).text,
            "world size 2 = (1 main + 1 worker) × 1 slot of VM.GPU2.1; starts with 2 (NP)");
  // VM.GPU.A10.2: no number there, so 2 GPUs; the workers have SLOTS 1; no more than MAX_NP 4.
  EXPECT_EQ(worldSizeOf(golden("kind_horovod_slots").spec()).text,
            "world size 4 = 1 main × 2 slots of VM.GPU.A10.2 + 3 workers × 1 slot of VM.GPU.A10.2, at most 4 "
            "(MAX_NP); starts with 3 (NP)");
}

TEST(WorldSize, LeavesParameterServersOut) {
  const WorldSize world = worldSizeOf(golden("kind_tensorflow_ps").spec());
  EXPECT_EQ(world.nodes, 5);
  EXPECT_EQ(world.ranksPerNode, std::nullopt);
  EXPECT_EQ(world.text, "5 nodes = 1 chief + 2 workers + 2 parameter servers, one task each");
}

TEST(WorldSize, AddsGroupsOfDifferentShapes) {
  const WorldSize world = worldSizeOf(golden("nodes_groups").spec());
  EXPECT_EQ(world.ranksPerNode, std::nullopt);
  EXPECT_EQ(world.ranks, 7);
  EXPECT_EQ(world.text,
            "world size 7 = 1 main × 1 process, as VM.Standard.E4.Flex has no GPU + 3 workers × 2 GPUs of "
            "VM.GPU.A10.2");
}

TEST(NodeDetails, TellsRanksNameAndEnvironmentOfAWorker) {
  const NodeDetails worker = nodeDetails(golden("guide").spec(), NodeRole::Worker, 1);
  EXPECT_EQ(worker.displayName, "resnet-worker_1");
  EXPECT_EQ(worker.ranks, std::pair(4, 5));
  EXPECT_EQ(valueIn(worker, "RANK"), "2");
  EXPECT_EQ(valueIn(worker, "OCI__MODE"), "WORKER");
  EXPECT_EQ(valueIn(worker, "NCCL_DEBUG"), "INFO");
  EXPECT_NE(worker.host.find("MASTER_ADDR"), std::string::npos);
  EXPECT_EQ(portsIn(worker), "any");
  EXPECT_EQ(portsIn(nodeDetails(golden("guide").spec(), NodeRole::Main, 0)), "29400 any");
}

TEST(NodeDetails, IsWhatThePlanWillSend) {
  for (const char* name :
       {"name_templates", "role_env_and_options", "precedence_all_levels", "kind_tensorflow_ps"}) {
    const ClusterDocument document = golden(name);
    const auto plan = makePlan(document);
    ASSERT_TRUE(plan) << name << ": " << describe(plan.error());
    std::map<NodeRole, int> seen;
    for (std::size_t i = 0; i < plan->nodes.size(); ++i) {
      const PlannedNode& node = plan->nodes[i];
      const NodeDetails details = nodeDetails(document.spec(), node.role, seen[node.role]++);
      EXPECT_EQ(details.displayName, node.displayName) << name;
      const auto& job = plan->requests[0].body["jobConfigurationDetails"]["environmentVariables"];
      const auto& own = plan->requests[i + 1].body["jobConfigurationOverrideDetails"]["environmentVariables"];
      for (const EnvVar& variable : details.environment) {
        const auto& from = own.contains(variable.name) ? own : job;
        EXPECT_EQ(from.at(variable.name), variable.value) << name << " " << variable.name;
      }
    }
  }
}

TEST(NodeDetails, ReadsPortsFromTheStartOptions) {
  const ClusterDocument dask = golden("kind_dask_tls");
  EXPECT_EQ(portsIn(nodeDetails(dask.spec(), NodeRole::Main, 0)), "8786 8787");
  EXPECT_EQ(portsIn(nodeDetails(dask.spec(), NodeRole::Worker, 0)), "8700:8800 3000:3100");
  EXPECT_EQ(portsIn(nodeDetails(golden("kind_ray").spec(), NodeRole::Main, 0)), "3000 any");
  EXPECT_EQ(portsIn(nodeDetails(golden("kind_tensorflow_ps").spec(), NodeRole::ParameterServer, 0)), "12345");
  EXPECT_EQ(portsIn(nodeDetails(golden("kind_horovod_pytorch").spec(), NodeRole::Main, 0)), "12345 any");
}

TEST(NodeDetails, KnowsOnlyTheRanksOfOneNodeGroup) {
  const ClusterDocument one = golden("nodes_empty_mapping");
  const NodeDetails worker = nodeDetails(one.spec(), NodeRole::Worker, 2);
  EXPECT_EQ(worker.displayName, "node-group_3");
  EXPECT_EQ(worker.ranks, std::pair(3, 3));
  EXPECT_EQ(valueIn(worker, "RANK"), "(not set)");
  EXPECT_EQ(valueIn(worker, "NODE_COUNT"), "4");
  const ClusterDocument several = golden("nodes_groups");
  EXPECT_EQ(nodeDetails(several.spec(), NodeRole::Worker, 0).ranks, std::nullopt);
  EXPECT_EQ(nodeDetails(several.spec(), NodeRole::Worker, 0).displayName, "worker_0");
  EXPECT_EQ(valueIn(nodeDetails(several.spec(), NodeRole::Worker, 0), "OCI__MODE"), "WORKER");
}

TEST(NodeDetails, SurvivesADocumentThatCannotBePlanned) {
  for (const char* name : {"interpolation_broken", "missing_everything", "job_missing_everything", "empty"}) {
    const ClusterDocument document = golden(name);
    EXPECT_FALSE(nodeDetails(document.spec(), NodeRole::Main, 0).host.empty()) << name;
  }
}

}  // namespace
}  // namespace lockstep
