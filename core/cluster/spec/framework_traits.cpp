// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/spec/framework_traits.h"

#include <algorithm>

#include "cluster/spec/cluster_spec.h"

namespace lockstep {
namespace {

using Nodes = FrameworkPort::Nodes;

constexpr std::string_view kRendezvousVariables[] = {"WORLD_SIZE", "MASTER_ADDR"};

constexpr FrameworkPort kPyTorchPorts[] = {
    {.nodes = Nodes::Main,
     .number = "29400",
     .variable = "MASTER_PORT",
     .title = "rendezvous (MASTER_PORT)",
     .rule = "rendezvous (MASTER_PORT)",
     .whyAgreed = "all nodes meet at the same port"},
    {.number = "any", .title = "collectives: NCCL and Gloo choose ports of their own"}};

constexpr FrameworkPort kDaskPorts[] = {{.nodes = Nodes::Main,
                                         .number = "8786",
                                         .variable = "SCHEDULER_PORT",
                                         .option = "--port",
                                         .title = "scheduler (--port)",
                                         .rule = "Dask scheduler"},
                                        {.nodes = Nodes::Main,
                                         .number = "8787",
                                         .option = "--dashboard-address",
                                         .title = "dashboard",
                                         .rule = "Dask dashboard",
                                         .isAddress = true},
                                        {.nodes = Nodes::Workers,
                                         .number = "any",
                                         .option = "--worker-port",
                                         .title = "worker (--worker-port)",
                                         .rule = "Dask workers (--worker-port)"},
                                        {.nodes = Nodes::Workers,
                                         .number = "any",
                                         .option = "--nanny-port",
                                         .title = "nanny (--nanny-port)",
                                         .rule = "Dask nannies (--nanny-port)"}};

constexpr FrameworkPort kHorovodPorts[] = {
    {.number = "12345",
     .variable = "WORKER_PORT",
     .title = "sshd (WORKER_PORT)",
     .rule = "sshd of the nodes (WORKER_PORT)",
     .whyAgreed = "the main node reaches the others' sshd at its own",
     .isSshd = true},
    {.number = "any", .title = "collectives and horovodrun choose ports of their own"}};

constexpr FrameworkPort kTensorFlowPorts[] = {{.number = "12345",
                                               .variable = "WORKER_PORT",
                                               .title = "gRPC server (WORKER_PORT)",
                                               .rule = "TensorFlow servers (WORKER_PORT)"}};

constexpr FrameworkPort kRayPorts[] = {
    {.nodes = Nodes::Main, .number = "3000", .title = "head", .rule = "Ray head"},
    {.nodes = Nodes::Workers, .number = "8700:8800", .title = "workers", .rule = "Ray workers"},
    {.number = "any", .title = "object manager, node manager"}};

constexpr FrameworkProgram kDaskPrograms[] = {{"dask", {"dask-scheduler"}, "python3-distributed"}};
constexpr FrameworkProgram kHorovodPrograms[] = {{"sshd", {}, "openssh-server"},
                                                 {"mpirun", {"horovodrun", "mpirun.openmpi"}, "openmpi-bin"}};

constexpr FrameworkTraits kTraits[] = {
    {.framework = Framework::PyTorch,
     .name = "PYTORCH",
     .id = "pytorch",
     .title = "PyTorch",
     .work = NodeWork::Ranks,
     .meetsAsMain =
         "writes its address to MAIN_config.json in the work dir; the others read it as MASTER_ADDR",
     .meetsAsOther = "waits for MAIN_config.json in the work dir and takes MASTER_ADDR from it",
     .entryFolder = EntryFolder::CodeDir,
     .ownVariables = kRendezvousVariables,
     .ports = kPyTorchPorts,
     .freePorts = "PyTorch: NCCL and Gloo choose free ports for their data",
     .portRemedy = "set MASTER_PORT to one that is free",
     .runsOnNode = true},
    {.framework = Framework::Dask,
     .name = "DASK",
     .id = "dask",
     .title = "Dask",
     .work = NodeWork::Scheduled,
     .mainWord = "scheduler",
     .meetsAsMain = "writes SCHEDULER_IP to MAIN_config.json in the work dir; the workers connect to it",
     .meetsAsOther = "waits for MAIN_config.json in the work dir and connects to SCHEDULER_IP",
     .entryFolder = EntryFolder::SlashCode,
     .startOptions = StartOptions::Read,
     .readsKwargs = true,
     .readsCertificate = true,
     .ports = kDaskPorts,
     .freePorts = "Dask: workers and nannies choose free ports without --worker-port and --nanny-port",
     .portRemedy = "set --port in the startOptions of main, and SCHEDULER_PORT, to one that is free",
     .imageCleansUp = true,
     .dashboardPort = "8787",
     .runsOnNode = true,
     .programs = kDaskPrograms},
    {.framework = Framework::Horovod,
     .name = "HOROVOD",
     .id = "horovod",
     .title = "Horovod",
     .work = NodeWork::Slots,
     .meetsAsMain = "finds the workers by their files in the work dir and reaches them by SSH",
     .meetsAsOther = "writes its address and slots into the work dir; main reaches it by SSH",
     .entryFolder = EntryFolder::None,
     .startOptions = StartOptions::Ignored,
     .splitsAtBlanks = true,
     .ports = kHorovodPorts,
     .freePorts = "Horovod: MPI, Gloo and NCCL choose free ports",
     .portRemedy = "set WORKER_PORT to one that is free",
     .imageHome = "/root",
     .runsOnNode = true,
     .programs = kHorovodPrograms,
     .failureMark = "stop_fail"},
    {.framework = Framework::TensorFlow,
     .name = "TENSORFLOW",
     .id = "tensorflow",
     .title = "TensorFlow",
     .work = NodeWork::Tasks,
     .mainWord = "chief",
     .hasParameterServers = true,
     .meetsAsMain = "gathers the addresses of all nodes in the work dir and writes cluster.json",
     .meetsAsOther = "writes its address into the work dir and waits for cluster.json",
     .entryFolder = EntryFolder::None,
     .ports = kTensorFlowPorts,
     .portRemedy = "set WORKER_PORT to one that is free",
     .runsOnNode = true},
    {.framework = Framework::Ray,
     .name = "RAY",
     .id = "ray",
     .title = "Ray",
     .work = NodeWork::Scheduled,
     .mainWord = "head",
     .meetsAsMain = "writes HEAD_IP to MAIN_config.json in the work dir; the workers join it",
     .meetsAsOther = "waits for MAIN_config.json in the work dir and joins the head",
     .entryFolder = EntryFolder::SlashCode,
     .startOptions = StartOptions::Ignored,
     .readsKwargs = true,
     .ports = kRayPorts,
     .freePorts = "Ray: node and object managers choose free ports",
     .imageCleansUp = true,
     .aloneAdvice = "try the script alone, on a Ray of this machine (pip install ray); "}};

static_assert(std::size(kTraits) == static_cast<std::size_t>(Framework::Unknown),
              "a framework without a row");

constexpr FrameworkTraits kUnknown{.meetsAsMain = "what its container writes into the work dir",
                                   .meetsAsOther = "what its container writes into the work dir"};

}  // namespace

std::span<const FrameworkTraits> frameworkTraits() {
  return kTraits;
}

const FrameworkTraits& traitsOf(Framework framework) {
  const auto found = std::find_if(std::begin(kTraits), std::end(kTraits),
                                  [&](const FrameworkTraits& row) { return row.framework == framework; });
  return found == std::end(kTraits) ? kUnknown : *found;
}

Framework frameworkNamed(std::string_view clusterKind) {
  const std::string upper = upperCased(std::string(clusterKind));
  for (const FrameworkTraits& row : kTraits) {
    if (upper == row.name) return row.framework;
  }
  return Framework::Unknown;
}

std::string frameworkNames(std::string_view last, bool (*belongs)(const FrameworkTraits&)) {
  std::string text, waiting;
  for (const FrameworkTraits& row : kTraits) {
    if (!belongs(row)) continue;
    if (!waiting.empty()) text += (text.empty() ? "" : ", ") + waiting;
    waiting = row.name;
  }
  if (text.empty()) return waiting;
  return text + " " + std::string(last) + " " + waiting;
}

}  // namespace lockstep
