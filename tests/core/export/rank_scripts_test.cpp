// SPDX-License-Identifier: GPL-3.0-or-later
// The scripts of the torchrun and Slurm exports, run for real.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "base/atomic_file.h"
#include "tests/core/export/hostile_values.h"
#include "tests/core/export/python_yaml.h"
#include "tests/support/temp_dir.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

int freePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), length);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length);
  ::close(fd);
  return ntohs(address.sin_port);
}

/// A bundle in a folder, whose nodes are all this machine.
class Nodes {
 public:
  Nodes(ExportTarget target, const std::string& yaml, int nodes) {
    const ExportBundle bundle = bundleOf(target, yaml);
    const auto written = writeBundle(bundle, out(), false);
    if (!written) throw std::runtime_error(describe(written.error()));
    std::string hosts = "# all here\n\n";
    for (int i = 0; i < nodes; ++i) hosts += "127.0.0.1\n";
    if (!writeFileAtomically(out() / "hosts", hosts)) throw std::runtime_error("hosts");
  }
  [[nodiscard]] fs::path out() const { return folder_.path() / "out"; }
  [[nodiscard]] fs::path code() const { return folder_.path(); }
  [[nodiscard]] Said sh(const std::string& command) const {
    return run("cd " + quoteShell(out().string()) + " && " + command);
  }
  void addProgram(const std::string& name, const std::string& text) const {
    if (!writeFileAtomically(code() / name, text, 0755)) throw std::runtime_error(name);
  }

 private:
  TempDir folder_;
};

/// Writes its environment and its arguments, NUL between them, into files named after its rank.
constexpr const char* kReporter =
    "#!/bin/bash\nenv -0 >\"$REPORT/$RANK.env\"\nprintf '%s\\0' \"$@\" >\"$REPORT/$RANK.args\"\n";

std::string nulTerminated(const std::string& name, const std::string& value) {
  return name + "=" + value + std::string(1, '\0');
}

TEST(RankScripts, EveryValueAndArgumentArrivesAsItWas) {
  HostileFile file;
  file.entry = "report.sh";
  file.variables = variablesOf(hostileValues());
  file.variables["DB_PASSWORD"] = "hush 'it' $is";
  file.variables["UID"] = "7";  // bash would not let itself be told
  file.variables["odd.name-1"] = "no shell variable";
  file.arguments = {"--name", "'a b'", "\"$HOME\"", "'$(id)'", "plain", "'#x'"};
  const Nodes nodes(ExportTarget::Torchrun, file.text(), 2);
  nodes.addProgram("report.sh", kReporter);
  const TempDir report;
  const Said said =
      nodes.sh(fmt::format("REPORT={} CODE_DIR={} ./start-all.sh --launcher shell --master 127.0.0.1:{}",
                           report.path().string(), nodes.code().string(), freePort()));
  ASSERT_EQ(said.code, 0) << said.text;
  std::string arguments;
  for (const char* word : {"--name", "a b", "$HOME", "$(id)", "plain", "#x"})
    arguments += word + std::string(1, '\0');
  for (const char* rank : {"0", "1"}) {
    const std::string all =
        std::string(1, '\0') + readFile(report.path() / (std::string(rank) + ".env")).value_or("");
    for (const auto& [name, value] : file.variables.items())
      EXPECT_NE(all.find(std::string(1, '\0') + nulTerminated(name, value.get<std::string>())),
                std::string::npos)
          << rank << " " << name << "=" << value;
    for (const auto& [name, value] :
         std::initializer_list<std::pair<std::string, std::string>>{{"RANK", rank},
                                                                    {"WORLD_SIZE", "2"},
                                                                    {"LOCAL_RANK", "0"},
                                                                    {"MASTER_ADDR", "127.0.0.1"},
                                                                    {"GLOO_SOCKET_IFNAME", "lo"},
                                                                    {"NCCL_SOCKET_IFNAME", "lo"},
                                                                    {"NCCL_DEBUG", "WARN"}})
      EXPECT_NE(all.find(std::string(1, '\0') + nulTerminated(name, value)), std::string::npos) << name;
    EXPECT_EQ(readFile(report.path() / (std::string(rank) + ".args")).value_or(""), arguments);
  }
}

TEST(RankScripts, WhatIsGeneratedIsSoundShellToo) {
  if (!hasProgram("shellcheck")) GTEST_SKIP() << "shellcheck is not installed";
  HostileFile file;
  file.variables = variablesOf(hostileValues());
  file.variables["DB_PASSWORD"] = "hush 'it' $is";
  file.arguments = {"--name", "'a b'", "'$(id)'"};
  const Nodes nodes(ExportTarget::Slurm, file.text(), 2);
  const Said said = nodes.sh("shellcheck job.sbatch run-node.sh cluster.sh secrets.env");
  EXPECT_EQ(said.code, 0) << said.text;
}

TEST(RankScripts, ARankThatFailsEndsTheOthersOfItsNode) {
  HostileFile file;
  file.entry = "fail.sh";
  file.shape = "VM.GPU.A10.2";
  file.workers = 0;
  const Nodes nodes(ExportTarget::Torchrun, file.text(), 1);
  nodes.addProgram("fail.sh", "#!/bin/bash\n[ $RANK = 1 ] && exit 7\nexec sleep 600\n");
  const Said said =
      nodes.sh(fmt::format("CODE_DIR={} ./run-node.sh 0 --launcher shell", nodes.code().string()));
  EXPECT_EQ(said.code, 7) << said.text;
}

TEST(RankScripts, RefuseWhatCannotBe) {
  const Nodes nodes(ExportTarget::Torchrun, HostileFile{}.text(), 2);
  EXPECT_EQ(nodes.sh("./run-node.sh").code, 2);
  EXPECT_EQ(nodes.sh("./run-node.sh x").code, 2);
  EXPECT_EQ(nodes.sh("./run-node.sh 0 --rendezvous etcd").code, 2);
  EXPECT_NE(nodes.sh("./run-node.sh 2").text.find("there is no node 2"), std::string::npos);
  EXPECT_NE(nodes.sh("./run-node.sh 0 --launcher shell").text.find("set CODE_DIR"), std::string::npos);
  EXPECT_NE(nodes.sh("./run-node.sh 0 --launcher shell --rendezvous c10d").code, 0);
}

TEST(RankScripts, PrintTheTorchrunCommandOfEachRendezvous) {
  HostileFile file;
  file.shape = "BM.GPU4.8";
  file.workers = 2;
  const Nodes nodes(ExportTarget::Torchrun, file.text(), 3);
  const std::string fixed = nodes.sh("./run-node.sh 2 --launcher torchrun --master n0 --print").text;
  EXPECT_NE(fixed.find("torchrun --nnodes=3 --nproc_per_node=8 --node_rank=2 --master_addr=n0 "
                       "--master_port=29400 /code/train.py"),
            std::string::npos)
      << fixed;
  EXPECT_NE(fixed.find("NCCL_IB_GID_INDEX=3"), std::string::npos) << "an RDMA shape";
  const std::string elastic =
      nodes.sh("./run-node.sh 1 --launcher torchrun --rendezvous c10d --master n0:4000 --print").text;
  EXPECT_NE(elastic.find("--rdzv_backend=c10d --rdzv_endpoint=n0:4000 --rdzv_id=hostile"), std::string::npos)
      << elastic;
  file.entry = "/opt/bin/program";
  file.shape = "VM.GPU.A10.1";
  const Nodes native(ExportTarget::Torchrun, file.text(), 3);
  const std::string program = native.sh("./run-node.sh 0 --launcher torchrun --print").text;
  EXPECT_NE(program.find("--no_python /opt/bin/program"), std::string::npos) << program;
  EXPECT_EQ(program.find("NCCL_IB"), std::string::npos) << "no RDMA";
}

std::string trainer() {
  if (const char* given = std::getenv("LOCKSTEP_TRAINER")) return given;
  const fs::path built = fs::path(LOCKSTEP_BIN_DIR) / "lockstep-trainer";
  return fs::exists(built) ? built.string() : "";
}

/// Two ranks of the C++ trainer on loopback, started in one of the ways that the export has.
void trainTwoRanks(const std::string& options, const std::string& variables) {
  if (trainer().empty()) GTEST_SKIP() << "lockstep-trainer is not built";
  const TempDir work;
  HostileFile file;
  file.entry = "lockstep-trainer";
  file.name = "two ranks";
  file.workDir = "file://" + (work.path() / "work").string();
  file.arguments = {
      "--data-dir",   (work.path() / "data").string(),  "--epochs",    "1", "--batch-size", "32",
      "--output-dir", (work.path() / "model").string(), "--no-metrics"};
  file.variables["OMP_NUM_THREADS"] = "1";
  const Said drawn = run(trainer() + " make-data --help");
  ASSERT_EQ(drawn.code, 0) << drawn.text;
  file.arguments.insert(file.arguments.end(), {"--make-data", "320"});
  const Nodes nodes(ExportTarget::Torchrun, file.text(), 2);
  const auto start = [&] {
    return nodes.sh(fmt::format("PATH={}:\"$PATH\" {} ./start-all.sh --master 127.0.0.1:{} {}",
                                fs::path(trainer()).parent_path().string(), variables, freePort(), options));
  };
  Said said = start();
  // A port that was free may be another test's a moment later.
  for (int again = 0; again < 3 && said.code != 0 && said.text.find("in use") != std::string::npos; ++again)
    said = start();
  ASSERT_EQ(said.code, 0) << said.text;
  EXPECT_FALSE(fs::is_empty(work.path() / "model")) << said.text;
  EXPECT_NE(said.text.find("2"), std::string::npos);
}

TEST(RankScripts, TwoRanksTrainWithoutPython) {
  trainTwoRanks("--launcher shell", "");
}

bool hasTorchrun() {
  return fs::exists("/usr/bin/torchrun") && run("/usr/bin/python3 -c 'import torch'").code == 0;
}

TEST(RankScripts, TwoRanksTrainUnderTorchrunWithTheStaticRendezvous) {
  if (!hasTorchrun()) GTEST_SKIP() << "python3-torch is not installed";
  trainTwoRanks("--launcher torchrun", "TORCHRUN=/usr/bin/torchrun TORCHRUN_ARGS='-r 9:1 -t 9:1'");
}

TEST(RankScripts, TwoRanksTrainUnderTorchrunWithTheC10dRendezvous) {
  if (!hasTorchrun()) GTEST_SKIP() << "python3-torch is not installed";
  trainTwoRanks("--launcher torchrun --rendezvous c10d",
                "TORCHRUN=/usr/bin/torchrun TORCHRUN_ARGS='-r 9:1 -t 9:1'");
}

TEST(RankExports, RefuseWhatHasNoRanks) {
  for (const char* kind : {"DASK", "RAY", "TENSORFLOW", "HOROVOD"}) {
    HostileFile file;
    file.kind = kind;
    const ClusterDocument document(file.text());
    const auto plan = makePlan(document);
    ASSERT_TRUE(plan) << describe(plan.error());
    for (const ExportTarget target : {ExportTarget::Torchrun, ExportTarget::Slurm, ExportTarget::Kubeflow}) {
      const auto bundle = exportCluster(target, {document, *plan});
      ASSERT_FALSE(bundle) << kind;
      EXPECT_NE(bundle.error().what.find(kind), std::string::npos);
      EXPECT_EQ(bundle.error().where, "spec.cluster.kind");
      EXPECT_FALSE(bundle.error().remedy.empty());
    }
  }
}

/// A `kind: job` file: its command is what every rank runs.
std::string jobFile(const std::string& command) {
  return "kind: job\nspec:\n  name: tune\n  infrastructure:\n    kind: infrastructure\n    type: "
         "dataScienceJob\n"
         "    spec:\n      projectId: ocid1.datascienceproject.oc1.iad.aaaa\n"
         "      compartmentId: ocid1.compartment.oc1..aaaa\n      subnetId: ocid1.subnet.oc1.iad.aaaa\n"
         "      shapeName: VM.GPU.A10.2\n  runtime:\n    kind: runtime\n    type: pyTorchDistributed\n    "
         "spec:\n"
         "      replicas: 2\n      conda: {type: service, slug: pytorch20_p39_gpu_v2}\n"
         "      git: {url: 'https://example.com/a.git'}\n      command: " +
         nlohmann::json(command).dump() + "\n      env: [{name: LEVEL, value: 'a b'}]\n";
}

TEST(RankExports, TakeTheCommandOfAJobFile) {
  const ExportBundle bundle = bundleOf(ExportTarget::Torchrun, jobFile("torchrun train.py --name 'a b'"));
  const std::string script = contentOf(bundle, "cluster.sh");
  EXPECT_NE(script.find("LOCKSTEP_NODES=2\nLOCKSTEP_RANKS_PER_NODE=2\n"), std::string::npos) << script;
  EXPECT_NE(script.find("LOCKSTEP_ENTRY=train.py\n      LOCKSTEP_ARGUMENTS=(--name 'a b')"),
            std::string::npos)
      << script;
  EXPECT_NE(script.find("'LEVEL=a b'"), std::string::npos) << script;
}

TEST(RankExports, RefuseACommandThatOnlyItsOwnLauncherKnows) {
  for (const char* command : {"deepspeed train.py", "torchrun --nnodes=3 train.py"}) {
    EXPECT_THROW((void)bundleOf(ExportTarget::Torchrun, jobFile(command)), std::runtime_error) << command;
  }
  const ClusterDocument document(jobFile("torchrun train.py"));
  const auto plan = makePlan(document);
  ASSERT_TRUE(plan) << describe(plan.error());
  const auto bundle = exportCluster(ExportTarget::Compose, {document, *plan});
  ASSERT_FALSE(bundle);
  EXPECT_NE(bundle.error().what.find("pyTorchDistributed"), std::string::npos);
}

TEST(SlurmExport, AsksForTheNodesAndGpusOfTheFile) {
  HostileFile file;
  file.shape = "VM.GPU.A10.2";
  file.workers = 2;
  file.name = "odd \"name\" #1";
  file.extra = "  multiNode: {maximumRuntimeInMinutes: 90}\n";
  const std::string script = contentOf(bundleOf(ExportTarget::Slurm, file.text()), "job.sbatch");
  EXPECT_TRUE(
      script.starts_with("#!/bin/bash\n#SBATCH --job-name=\"odd \\\"name\\\" #1\"\n#SBATCH --nodes=3\n"
                         "#SBATCH --ntasks-per-node=1\n#SBATCH --gpus-per-node=2\n#SBATCH --time=90\n"))
      << script;
}

/// srun and scontrol that do what they would do on two nodes, here.
TEST(SlurmExport, StartsOneTaskForEachNode) {
  HostileFile file;
  file.entry = "report.sh";
  file.variables = variablesOf(hostileValues());
  const Nodes nodes(ExportTarget::Slurm, file.text(), 0);
  nodes.addProgram("report.sh", kReporter);
  nodes.addProgram(
      "scontrol",
      "#!/bin/bash\n[ \"$1 $2 $3\" = 'show hostnames n[1-2]' ] || exit\n"
      "echo 127.0.0.1; sleep 0.2; echo n2\n");  // whoever hears the first line only, is gone by then
  nodes.addProgram("srun",
                   "#!/bin/bash\nwhile [[ $1 == --* ]]; do shift; done\n"
                   "for i in 0 1; do SLURM_PROCID=$i \"$@\" || exit; done\n");
  const TempDir report;
  const Said said = nodes.sh(fmt::format(
      "PATH={0}:\"$PATH\" SLURM_JOB_NODELIST='n[1-2]' SLURM_SUBMIT_DIR=$PWD REPORT={1} CODE_DIR={0} "
      "TORCHRUN=/nowhere/torchrun bash job.sbatch",
      nodes.code().string(), report.path().string()));
  ASSERT_EQ(said.code, 0) << said.text;
  for (const char* rank : {"0", "1"}) {
    const std::string all = readFile(report.path() / (std::string(rank) + ".env")).value_or("");
    EXPECT_NE(all.find(nulTerminated("MASTER_PORT", "29400")), std::string::npos);
    for (const auto& [name, value] : file.variables.items())
      EXPECT_NE(all.find(nulTerminated(name, value.get<std::string>())), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace lockstep
