// SPDX-License-Identifier: GPL-3.0-or-later
// One row for each check: a sound text with one change, and the codes of the issues that it has to raise.
#include <gtest/gtest.h>

#include "check_texts.h"

namespace lockstep {
namespace {

struct Row {
  const char* name;
  const char* codes;
  const char* sound;
  const char* flawed;
};

constexpr const char* kEnv = "          - name: NCCL_DEBUG\n            value: INFO\n";
constexpr const char* kWorker = "      worker:\n        name: resnet-worker\n        replicas: 2\n";
constexpr const char* kMain = "      main:\n        name: resnet-main\n        replicas: 1\n";
constexpr const char* kShape = "shapeName: VM.GPU.A10.2";
constexpr const char* kKind = "kind: PYTORCH";
constexpr const char* kEntry = "      entryPoint: train.py\n";
constexpr const char* kSpec = "spec:\n  infrastructure:";
constexpr const char* kSubnet = "      subnetId: ocid1.subnet.oc1.iad.aaaa   # private\n";

const Row kRows[] = {
    // References.
    {"LogOcidAsGroup", "ocid-kind", "ocid1.loggroup.oc1.iad.aaaa", "ocid1.log.oc1.iad.aaaa"},
    {"XxxxOcid", "ocid", "ocid1.subnet.oc1.iad.aaaa", "ocid1.subnet.oc1.iad.xxxxxxxx"},
    {"YourWord", "placeholder", "ocid1.compartment.oc1..aaaa", "your_compartment_name"},
    {"YourBucket", "placeholder", "oci://bucket@space", "oci://your-bucket@space"},
    {"YourWordInAName", "", "name: resnet\n", "name: your-model\n"},
    {"BracketedTenancy", "placeholder", "@space", "@<my-tenancy>"},
    {"OcidAsNamespace", "work-dir", "@space", "@ocid1.tenancy.oc1..aaaa"},
    {"RegionsOfIds", "region-mismatch", "ocid1.log.oc1.iad.aaaa", "ocid1.log.oc1.phx.aaaa"},
    {"RegionSpelledTwice", "", "ocid1.log.oc1.iad.aaaa", "ocid1.log.oc1.us-ashburn-1.aaaa"},
    {"RegionOfImage", "region-mismatch", "iad.ocir.io/team", "fra.ocir.io/team"},
    {"LongRegistry", "", "iad.ocir.io/team", "ocir.us-ashburn-1.oci.oraclecloud.com/team"},
    {"OtherRegistry", "", "iad.ocir.io/team/resnet:1", "docker.io/team/resnet:1"},
    {"Kind", "kind", "kind: distributed", "kind: pipeline"},
    // Shapes.
    {"UnknownShape", "shape-unknown", kShape, "shapeName: VM.GPU.A10.3"},
    {"GenericShape", "", kShape, "shapeName: VM.Standard.AMD.Generic"},
    {"TooManyOcpus", "shape-range", kShape,
     "shapeName: VM.Optimized3.Flex\n      shapeConfigDetails: {ocpus: 19, memoryInGBs: 64}"},
    {"TooMuchMemory", "shape-range", kShape,
     "shapeName: VM.Optimized3.Flex\n      shapeConfigDetails: {ocpus: 8, memoryInGBs: 300}"},
    {"MemoryPerOcpu", "shape-memory", kShape,
     "shapeName: VM.Standard.E4.Flex\n      shapeConfigDetails: {ocpus: 2, memoryInGBs: 200}"},
    {"TooLittleMemory", "shape-memory", kShape,
     "shapeName: VM.Standard.E4.Flex\n      shapeConfigDetails: {ocpus: 8, memoryInGBs: 4}"},
    {"GoodFlex", "", kShape,
     "shapeName: VM.Standard.E4.Flex\n      shapeConfigDetails: {ocpus: 2, memoryInGBs: 128}"},
    {"CpuBaseline", "cpu-baseline", kShape,
     "shapeName: VM.Standard.E4.Flex\n      shapeConfigDetails: {ocpus: 2, memoryInGBs: 32, cpuBaseline: "
     "HALF}"},
    {"NoOcpus", "out-of-range", kShape,
     "shapeName: VM.Standard.E4.Flex\n      shapeConfigDetails: {ocpus: 0, memoryInGBs: 32}"},
    {"MountSource", "mount-source", kSubnet,
     "      subnetId: ocid1.subnet.oc1.iad.aaaa\n      storageMount: [{src: bucket, dest: data}]\n"},
    {"MountTarget", "mount-target", kSubnet,
     "      subnetId: ocid1.subnet.oc1.iad.aaaa\n"
     "      storageMount: [{src: 'oci://a@n', dest: data}, {src: 'oci://b@n', dest: data}]\n"},
    {"InfrastructureType", "infrastructure-type", kSubnet,
     "      subnetId: ocid1.subnet.oc1.iad.aaaa\n      jobInfrastructureType: ME_STANDALONE\n"},
    // Backend.
    {"NcclInArguments", "nccl-without-gpu", "VM.GPU.A10.2\n      blockStorageSize: 100\n",
     "VM.Standard2.4\n      blockStorageSize: 100\n"},
    {"NcclInVariable", "nccl-without-gpu", kShape, "shapeName: VM.Standard2.8"},
    // Environment.
    {"OldNameOfOldTorch", "", kEnv, "          - {name: NCCL_BLOCKING_WAIT, value: '1'}\n"},
    {"OldNameOfNewTorch", "env-deprecated", kEnv, "          - {name: NCCL_BLOCKING_WAIT, value: '1'}\n"},
    {"Loop", "env-loop env-loop", kEnv,
     "          - {name: A, value: '${B}'}\n          - {name: B, value: '${A}'}\n"},
    {"SelfReference", "env-loop", kEnv, "          - {name: A, value: 'x ${A}'}\n"},
    {"EscapedReference", "", kEnv, "          - {name: A, value: '$${A}'}\n"},
    {"SyncFalse", "", kEnv, "          - {name: SYNC_ARTIFACTS, value: '0'}\n"},
    {"SyncTwo", "sync-artifacts", kEnv, "          - {name: SYNC_ARTIFACTS, value: '2'}\n"},
    {"Workspace", "workspace", kEnv, "          - {name: WORKSPACE, value: b}\n"},
    {"WorkspacePrefix", "workspace", kEnv, "          - {name: WORKSPACE_PREFIX, value: b}\n"},
    {"WholeWorkspace", "", kEnv,
     "          - {name: WORKSPACE, value: b}\n          - {name: WORKSPACE_PREFIX, value: p}\n"},
    {"Timeout", "env-number", kEnv, "          - {name: OCI__TIMEOUT, value: soon}\n"},
    {"MasterAddr", "env-overridden", kEnv, "          - {name: MASTER_ADDR, value: 10.0.0.1}\n"},
    {"OverridingRuntime", "env-overrides", kEntry,
     "      entryPoint: train.py\n      env: [{name: OCI__WORKER_COUNT, value: '5'}]\n"},
    // Ports.
    {"MasterPorts", "port-mismatch", kWorker,
     "      worker:\n        replicas: 2\n        config: {env: [{name: MASTER_PORT, value: '29500'}]}\n"},
    {"MasterPortOfAll", "", kEnv, "          - {name: MASTER_PORT, value: '29500'}\n"},
    // Kinds of file.
    {"MultiNode", "", kSpec, "spec:\n  multiNode: {}\n  infrastructure:"},
    {"MultiNodeNetwork", "multi-node-network", kSpec,
     "spec:\n  multiNode: {network: mine}\n  infrastructure:"},
    {"MultiNodeManaged", "multi-node-network", kSpec,
     "spec:\n  multiNode: {network: managed}\n  infrastructure:"},
    {"MultiNodeOrder", "multi-node-order", kSpec,
     "spec:\n  multiNode: {startupOrder: any}\n  infrastructure:"},
    {"MultiNodeRuntime", "out-of-range", kSpec,
     "spec:\n  multiNode: {maximumRuntimeInMinutes: 0}\n  infrastructure:"},
    {"MultiNodeLeast", "out-of-range", kSpec,
     "spec:\n  multiNode: {groups: {worker: {minimumSuccessReplicas: 3}}}\n  infrastructure:"},
    {"MultiNodeProbe", "multi-node-probe", kSpec,
     "spec:\n  multiNode: {groups: {worker: {startupProbe: {command: ['true']}}}}\n  infrastructure:"},
    {"MultiNodeGroup", "multi-node-group", kSpec,
     "spec:\n  multiNode: {groups: {ps: {blockStorageSize: 60}}}\n  infrastructure:"},
    {"MultiNodeKey", "unknown-key", kSpec, "spec:\n  multiNode: {netwrok: own}\n  infrastructure:"},
};

std::string textOf(const Row& row) {
  std::string text = replaced(soundText(), row.sound, row.flawed);
  const std::string_view name = row.name;
  if (name == "NcclInArguments") text = replaced(text, R"(["--epochs", "10"])", R"(["--backend", nccl])");
  if (name == "NcclInVariable")
    text = replaced(text, "name: NCCL_DEBUG\n            value: INFO",
                    "name: DIST_BACKEND\n            value: nccl");
  if (name == "OldNameOfOldTorch") text = replaced(text, "team/resnet:1", "team/pytorch:1.12.1-cuda11.3");
  return text;
}

class EachCheck : public testing::TestWithParam<Row> {};

TEST_P(EachCheck, RaisesTheseIssues) {
  EXPECT_EQ(codesIn(textOf(GetParam())), GetParam().codes) << textOf(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Checks, EachCheck, testing::ValuesIn(kRows),
                         [](const auto& test) { return std::string(test.param.name); });

/// A Dask cluster with these start options, certificate and variables.
std::string dask(const std::string& main, const std::string& worker, const std::string& more = {},
                 const std::string& env = {}) {
  std::string text = replaced(soundText(), kKind, "kind: DASK");
  text = replaced(text, kEnv, "          - {name: A, value: b}\n" + env);
  text = replaced(text, kMain, "      main: {config: {startOptions: [" + main + "]}}\n" + more);
  return replaced(text, kWorker, "      worker: {replicas: 2, config: {startOptions: [" + worker + "]}}\n");
}

TEST(DaskCheck, SchedulerPortHasToAgree) {
  const std::string env8800 = "          - {name: SCHEDULER_PORT, value: '8800'}\n";
  EXPECT_EQ(codesIn(dask("", "")), "");
  EXPECT_EQ(codesIn(dask("--port 8786", "")), "");
  EXPECT_EQ(codesIn(dask("--port 8800", "")), "scheduler-port");
  EXPECT_EQ(codesIn(dask("--port=8800", "")), "scheduler-port");
  EXPECT_EQ(codesIn(dask("--port 8800", "", "", env8800)), "");
  EXPECT_EQ(codesIn(dask("", "", "", env8800)), "scheduler-port");
}

TEST(DaskCheck, RangesHaveRoomForTheProcesses) {
  const std::string four = "          - {name: nprocs, value: '4'}\n";
  EXPECT_EQ(codesIn(dask("", "--worker-port 8700:8800, --nanny-port 3000:3100", "", four)), "");
  EXPECT_EQ(codesIn(dask("", "--worker-port 8700:8702", "", four)), "port-range");
  EXPECT_EQ(codesIn(dask("", "--nanny-port 3000", "", four)), "port-range");
  EXPECT_EQ(codesIn(dask("", "--worker-port 8800:8700")), "port-range");
  EXPECT_EQ(codesIn(dask("", "--worker-port some")), "port-range");
  EXPECT_EQ(codesIn(dask("", "--worker-port 8700:8800, --nanny-port 8750:8760")), "port-range");
}

TEST(DaskCheck, TlsNeedsBothSidesAndACertificate) {
  const std::string certificate =
      "      certificate: {caCert: {id: ocid1.certificateauthority.oc1.iad.a}, cert: {id: "
      "ocid1.certificate.oc1.iad.a}}\n";
  EXPECT_EQ(codesIn(dask("--tls-key k", "--tls-key k", certificate)), "");
  EXPECT_EQ(codesIn(dask("--tls-key k", "", certificate)), "tls-mismatch");
  EXPECT_EQ(codesIn(dask("--tls-key k", "--tls-key k")), "tls-certificate");
  EXPECT_EQ(codesIn(dask("", "", certificate)), "tls-unused");
  EXPECT_EQ(codesIn(dask("", "", "      certificate: {cert: {id: ocid1.certificate.oc1.iad.a}}\n")),
            "certificate-unused");
}

std::string framework(const char* kind, const std::string& entry = "train.py") {
  std::string text = replaced(soundText(), kKind, std::string("kind: ") + kind);
  return replaced(text, "entryPoint: train.py", "entryPoint: " + entry);
}

TEST(FrameworkCheck, KnowsWhereTheEntryPointIsLookedFor) {
  for (const char* kind : {"HOROVOD", "TENSORFLOW"}) {
    EXPECT_EQ(codesIn(framework(kind)), "entry-point") << kind;
    EXPECT_EQ(codesIn(framework(kind, "/code/train.py")), "") << kind;
  }
  for (const char* kind : {"PYTORCH", "DASK", "RAY"}) EXPECT_EQ(codesIn(framework(kind)), "") << kind;
  const std::string git =
      "    kind: python\n    type: git\n    spec:\n      uri: https://x.example/r\n      codeDir: ";
  EXPECT_EQ(codesIn(replaced(framework("DASK"), "    kind: python\n    spec:\n", git + "/src\n")),
            "code-dir");
  EXPECT_EQ(codesIn(replaced(framework("DASK"), "    kind: python\n    spec:\n", git + "/code\n")), "");
  EXPECT_EQ(codesIn(replaced(framework("PYTORCH"), "    kind: python\n    spec:\n", git + "/src\n")), "");
}

TEST(FrameworkCheck, KnowsWhoReadsWhat) {
  const std::string kwargs = "      kwargs: \"--a 1\"\n";
  for (const char* kind : {"PYTORCH", "TENSORFLOW", "HOROVOD"})
    EXPECT_EQ(codesIn(replaced(framework(kind, "/code/t.py"), "      args:", kwargs + "      args:")),
              "unused-by-framework")
        << kind;
  for (const char* kind : {"DASK", "RAY"})
    EXPECT_EQ(codesIn(replaced(framework(kind), "      args:", kwargs + "      args:")), "") << kind;
  for (const char* kind : {"PYTORCH", "TENSORFLOW", "HOROVOD", "RAY"})
    EXPECT_EQ(codesIn(replaced(framework(kind, "/code/t.py"), kMain,
                               "      main: {config: {startOptions: [--x]}}\n")),
              "unused-by-framework")
        << kind;
}

TEST(FrameworkCheck, HorovodSplitsArgumentsAtEveryBlank) {
  const ClusterDocument document(
      replaced(framework("HOROVOD", "/code/t.py"), R"("--epochs")", R"("two words")"));
  ASSERT_EQ(document.issues().size(), 1U);
  EXPECT_EQ(document.issues()[0].code, "args-split");
  EXPECT_FALSE(document.issues()[0].fix);
}

TEST(FrameworkCheck, HorovodMeetsAtOnePort) {
  const std::string worker =
      "      worker: {replicas: 2, config: {env: [{name: WORKER_PORT, value: '12346'}]}}\n";
  EXPECT_EQ(codesIn(replaced(framework("HOROVOD", "/code/t.py"), kWorker, worker)), "port-mismatch");
  EXPECT_EQ(codesIn(replaced(framework("TENSORFLOW", "/code/t.py"), kWorker, worker)), "");
  EXPECT_EQ(codesIn(replaced(framework("HOROVOD", "/code/t.py"), kEnv,
                             "          - {name: WORKER_PORT, value: '22'}\n")),
            "port-reserved");
}

TEST(EnvReference, MayBeTenLevelsDeep) {
  const auto chain = [](int levels) {
    std::string env = "          - {name: V0, value: x}\n";
    for (int i = 1; i <= levels; ++i)
      env += "          - {name: V" + std::to_string(i) + ", value: '${V" + std::to_string(i - 1) + "}'}\n";
    return codesIn(replaced(soundText(), kEnv, env));
  };
  EXPECT_EQ(chain(10), "");
  EXPECT_EQ(chain(11), "env-nesting");
  EXPECT_EQ(chain(12), "env-nesting env-nesting");
}

TEST(NameCheck, LeavesRoomForTheNumber) {
  const auto named = [](std::size_t length) {
    return codesIn(replaced(soundText(), "resnet-worker", std::string(length, 'w')));
  };
  EXPECT_EQ(named(253), "");
  EXPECT_EQ(named(254), "too-long");
}

TEST(JobCheck, LooksAtJobFiles) {
  const auto codes = [](const char* from, const std::string& to) {
    return codesIn(replaced(soundJobText(), from, to));
  };
  EXPECT_EQ(codes("type: pyTorchDistributed", "type: pytorchDistributed"), "job-type");
  EXPECT_EQ(codes("    type: pyTorchDistributed\n", ""), "missing-field");
  EXPECT_EQ(codes("replicas: 2", "replicas: 0"), "out-of-range");
  EXPECT_EQ(codes("        slug: pytorch20_p39_gpu_v2\n", ""), "missing-field");
  EXPECT_EQ(codes("type: service", "type: local"), "job-conda");
  EXPECT_EQ(codes("      scriptPathURI: ./src\n", ""), "missing-field");
  EXPECT_EQ(codes("      scriptPathURI: ./src\n      command: torchrun train.py\n",
                  "      git: {url: 'https://x.example/r'}\n"),
            "missing-field");
  EXPECT_EQ(codes("torchrun train.py", "torchrun --nproc-per-node=2 train.py"), "job-torchrun");
  EXPECT_EQ(codes("torchrun train.py", "torchrun --nproc_per_node=2 train.py"), "");
  EXPECT_EQ(codes("torchrun train.py", "deepspeed train.py"), "job-deepspeed");
  EXPECT_EQ(codes("torchrun train.py", "deepspeed train.py --deepspeed c.json"), "");
  EXPECT_EQ(codes("      command:", "      outputDir: out\n      command:"), "job-output");
  EXPECT_EQ(codes("      command:", "      maximumRuntimeInMinutes: 0\n      command:"), "out-of-range");
  EXPECT_EQ(codes("      command:", "      comand: x\n      command:"), "unknown-key");
  EXPECT_EQ(codes("      command:", "      args: ['" + std::string(4'001, 'x') + "']\n      command:"),
            "command-too-long");
}

TEST(JobCheck, LooksAtContainers) {
  const std::string container =
      "    type: container\n    spec:\n      image: iad.ocir.io/a/b:1\n      cmd: [\"";
  const auto at = soundJobText().find("    type: pyTorchDistributed");
  const std::string head = soundJobText().substr(0, at);
  EXPECT_EQ(codesIn(head + container + "run\"]\n"), "");
  EXPECT_EQ(codesIn(head + container + std::string(2'100, 'x') + "\"]\n"), "command-too-long");
  EXPECT_EQ(codesIn(head + "    type: container\n    spec:\n      cmd: [run]\n"), "missing-field");
}

}  // namespace
}  // namespace lockstep
