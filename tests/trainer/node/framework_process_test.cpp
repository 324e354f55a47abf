// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters of other frameworks as real processes: Dask, mpirun and sshd where they are installed.
#include <gtest/gtest.h>
#include <pwd.h>

#include <nlohmann/json.hpp>

#include "node_processes.h"

namespace lockstep::node {
namespace {

class FrameworkProcess : public NodeProcess {
 protected:
  void file(const std::string& name, const std::string& text) {
    ASSERT_TRUE(writeFileAtomically(dir_.path() / "code" / name, text, 0755));
  }
  bool runs(const std::vector<std::string>& command) {
    StartedProgram program(dir_.path() / "look", command, {{"HOME", dir_.path().string()}});
    return program.exitCode() == 0;
  }
  bool has(const std::string& program) {
    return runs({"sh", "-c", "PATH=/usr/bin:/bin:/usr/sbin command -v " + program});
  }
  // Nodes of one machine, each at an address of its own: node 2 at 127.0.0.3.
  StartedProgram node(int rank, int workers, std::map<std::string, std::string> more) {
    more.insert({{"LOCKSTEP_NODE_ADDRESS", "127.0.0." + std::to_string(rank + 1)},
                 {"OCI__WORKER_COUNT", std::to_string(workers)},
                 {"HOME", dir_.path().string()},
                 {"TMPDIR", dir_.path().string()}});
    return start(rank, workers + 1, std::move(more));
  }
  // "10.0.0.1:5" → the lines of a node that begin so.
  static std::vector<std::string> linesWith(const StartedProgram& node, const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream all(node.output());
    for (std::string line; std::getline(all, line);) {
      if (line.find(text) != std::string::npos) lines.push_back(line);
    }
    return lines;
  }
};

// Every task listens at its own place and connects to all others, as TensorFlow does.
constexpr const char* kTasks = R"(
import json, os, socket, sys, threading, time
config = json.loads(os.environ['TF_CONFIG'])
task, cluster = config['task'], config['cluster']
host, port = cluster[task['type']][task['index']].split(':')
server = socket.create_server((host, int(port)))
def serve():
    while True:
        server.accept()[0].sendall(f"{task['type']}{task['index']}".encode())
threading.Thread(target=serve, daemon=True).start()
heard = []
for kind, places in sorted(cluster.items()):
    for place in places:
        end = time.monotonic() + 60
        while True:
            try:
                with socket.create_connection(tuple(place.split(':')), timeout=60) as peer:
                    heard.append(peer.recv(100).decode())
                break
            except ConnectionRefusedError:
                if time.monotonic() > end: raise
                time.sleep(0.05)
print('heard', *heard, flush=True)
done = os.path.join(os.environ['HOME'], 'done')
os.makedirs(done, exist_ok=True)
open(os.path.join(done, task['type'] + str(task['index'])), 'w').close()
everybody = sum(len(places) for places in cluster.values())
while len(os.listdir(done)) < everybody: time.sleep(0.05)
if task['type'] not in ('chief', 'worker') or ('ps' in cluster and task['type'] != 'chief'): time.sleep(600)
)";

TEST_F(FrameworkProcess, TensorFlowWorkersMeet) {
  file("tasks.py", kTasks);
  const std::map<std::string, std::string> more = {{"OCI__CLUSTER_TYPE", "TENSORFLOW"},
                                                   {"OCI__ENTRY_SCRIPT", "tasks.py"},
                                                   {"WORKER_PORT", std::to_string(freePort())}};
  std::vector<StartedProgram> nodes;
  for (int rank = 0; rank < 3; ++rank) nodes.push_back(node(rank, 2, more));
  for (auto& one : nodes) {
    EXPECT_EQ(one.exitCode(), 0) << one.output();
    EXPECT_TRUE(one.says("heard worker0 worker1 worker2")) << one.output();
  }
  EXPECT_TRUE(nodes[2].says("worker_1 is worker 2 of TensorFlow")) << nodes[2].output();
  EXPECT_TRUE(nodes[0].says("main reaches all of the 2 other nodes")) << nodes[0].output();
  const auto run = nlohmann::json::parse(*readFile(inWorkDir("Undefined/lockstep/run.json")));
  EXPECT_EQ(run["framework"], "tensorflow");
}

// A chief, a worker, and two parameter servers that nobody has numbered.
TEST_F(FrameworkProcess, TensorFlowServersServeUntilTheChiefIsDone) {
  file("tasks.py", kTasks);
  const std::map<std::string, std::string> more = {{"OCI__CLUSTER_TYPE", "TENSORFLOW"},
                                                   {"OCI__ENTRY_SCRIPT", "tasks.py"},
                                                   {"OCI__PS_COUNT", "2"},
                                                   {"WORKER_PORT", std::to_string(freePort())}};
  std::vector<StartedProgram> nodes;
  for (int rank = 0; rank < 4; ++rank) {
    auto own = more;
    if (rank >= 2) own.insert({{"RANK", ""}, {"OCI__MODE", "PS"}});
    nodes.push_back(node(rank, 1, own));
  }
  for (auto& one : nodes) {
    EXPECT_EQ(one.exitCode(), 0) << one.output();
    EXPECT_TRUE(one.says("heard chief0 ps0 ps1 worker0")) << one.output();
  }
  EXPECT_TRUE(nodes[3].says("is ps 1 of TensorFlow")) << nodes[3].output();
}

TEST_F(FrameworkProcess, AFailedTaskOfTensorFlowEndsAll) {
  file("tasks.py",
       "import os, sys, time\nif os.environ['RANK'] == '1': sys.exit('no data')\ntime.sleep(600)\n");
  const std::map<std::string, std::string> more = {{"OCI__CLUSTER_TYPE", "TENSORFLOW"},
                                                   {"OCI__ENTRY_SCRIPT", "tasks.py"},
                                                   {"WORKER_PORT", std::to_string(freePort())}};
  std::vector<StartedProgram> nodes;
  for (int rank = 0; rank < 2; ++rank) nodes.push_back(node(rank, 1, more));
  EXPECT_EQ(nodes[1].exitCode(), 1) << nodes[1].output();
  EXPECT_EQ(nodes[0].exitCode(), 12) << nodes[0].output();
  EXPECT_TRUE(
      nodes[0].says("the first failure of the run: the entry script on worker_0 ended with exit code "
                    "1; its last line: no data"))
      << nodes[0].output();
}

// Its agent is gone with all it ran, and says nothing any more: the others do not serve for ever.
TEST_F(FrameworkProcess, TheLossOfTheMainNodeEndsTheOthers) {
  file("tasks.py", "import time\nprint('begun', flush=True)\ntime.sleep(600)\n");
  const std::map<std::string, std::string> more = {{"OCI__CLUSTER_TYPE", "TENSORFLOW"},
                                                   {"OCI__ENTRY_SCRIPT", "tasks.py"},
                                                   {"LOCKSTEP_NODE_SILENCE", "5"},
                                                   {"WORKER_PORT", std::to_string(freePort())}};
  auto main = node(0, 1, more), worker = node(1, 1, more);
  ASSERT_TRUE(worker.waitUntilItSays("begun")) << worker.output();
  ASSERT_TRUE(main.waitUntilItSays("begun")) << main.output();
  main.signal(SIGKILL);
  EXPECT_EQ(worker.exitCode(), 12) << worker.output();
  EXPECT_TRUE(worker.says("the first failure of the run: ")) << worker.output();
  EXPECT_TRUE(worker.says("main")) << worker.output();
}

// As the service starts them: one job run, its log shared, addresses from a file, roles from the node group.
TEST_F(FrameworkProcess, TensorFlowMeetsInOneJobRun) {
  file("tasks.py", kTasks);
  const auto cluster = dir_.path() / "cluster.json";
  ASSERT_TRUE(writeFileAtomically(cluster,
                                  R"([{"IPAddress":"127.0.0.1","Rank":0},{"IPAddress":"127.0.0.2","Rank":1},)"
                                  R"({"IPAddress":"127.0.0.3","Rank":2}])"));
  const std::string port = std::to_string(freePort());
  std::vector<StartedProgram> nodes;
  for (int rank = 0; rank < 3; ++rank)
    nodes.push_back(node(rank, 1,
                         {{"OCI__CLUSTER_TYPE", "TENSORFLOW"},
                          {"OCI__ENTRY_SCRIPT", "tasks.py"},
                          {"OCI__PS_COUNT", "1"},
                          {"OCI__MODE", rank == 0   ? "MAIN"
                                        : rank == 1 ? "WORKER"
                                                    : "PS"},
                          {"WORKER_PORT", port},
                          {"RANK", ""},
                          {"LOCKSTEP_NODE_ADDRESS", ""},
                          {"JOB_RUN_OCID", "run"},
                          {"NODE_RANK", std::to_string(rank)},
                          {"INITIAL_CLUSTER_SIZE", "3"},
                          {"CLUSTER_NODES_METADATA_FILE", cluster.string()}}));
  for (auto& one : nodes) EXPECT_EQ(one.exitCode(), 0) << one.output();
  EXPECT_TRUE(nodes[0].says("[main] heard chief0 ps0 worker0")) << nodes[0].output();
  EXPECT_TRUE(nodes[2].says("ps_0 is ps 0 of TensorFlow")) << nodes[2].output();
}

// The other runner of this project, which writes the files as `ads` does, on either side.
class MixedCluster : public FrameworkProcess, public ::testing::WithParamInterface<bool> {
 protected:
  StartedProgram mixedNode(int rank, std::map<std::string, std::string> more) {
    more.insert({{"JOB_OCID", "job1"}, {"LOCKSTEP_POLL_SECONDS", "0.2"}, {"LOCKSTEP_REACH_TEST", "0"}});
    if ((rank == 0) == GetParam()) return node(rank, 1, more);
    more.insert({{"LOCKSTEP_NODE_ADDRESS", "127.0.0." + std::to_string(rank + 1)},
                 {"OCI__WORKER_COUNT", "1"},
                 {"OCI__MODE", rank == 0 ? "MAIN" : "WORKER"},
                 {"RANK", std::to_string(rank)},
                 {"JOB_RUN_OCID", "run" + std::to_string(rank)},
                 {"OCI__WORK_DIR", "file://" + (dir_.path() / "work").string()},
                 {"LOCKSTEP_CODE_DIR", (dir_.path() / "code").string()},
                 {"PYTHONPATH", (dir_.path() / "code").string()},
                 {"HOME", dir_.path().string()}});
    return StartedProgram(dir_.path() / "other", {"python3", LOCKSTEP_NODE_PY}, more);
  }
};

TEST_P(MixedCluster, TensorFlowMeets) {
  file("tasks.py", kTasks);
  const std::map<std::string, std::string> more = {{"OCI__CLUSTER_TYPE", "TENSORFLOW"},
                                                   {"OCI__ENTRY_SCRIPT", "tasks.py"},
                                                   {"WORKER_PORT", std::to_string(freePort())}};
  auto main = mixedNode(0, more), worker = mixedNode(1, more);
  EXPECT_EQ(main.exitCode(), 0) << main.output();
  EXPECT_EQ(worker.exitCode(), 0) << worker.output();
  EXPECT_TRUE(worker.says("heard worker0 worker1")) << worker.output();
}

TEST_P(MixedCluster, DaskComputes) {
  if (!has("dask-scheduler") || !has("dask-worker")) GTEST_SKIP() << "Dask is not installed";
  file("script.py",
       "import os\nfrom distributed import Client\n"
       "with Client(os.environ['SCHEDULER_IP'] + ':' + os.environ['SCHEDULER_PORT']) as client:\n"
       "    print('sum', client.submit(sum, range(10)).result(), flush=True)\n");
  const std::map<std::string, std::string> more = {{"OCI__CLUSTER_TYPE", "DASK"},
                                                   {"OCI__ENTRY_SCRIPT", "script.py"},
                                                   {"OCI__START_ARGS", "--no-dashboard"},
                                                   {"SCHEDULER_PORT", std::to_string(freePort())}};
  auto main = mixedNode(0, more), worker = mixedNode(1, more);
  EXPECT_EQ(main.exitCode(), 0) << main.output();
  EXPECT_EQ(worker.exitCode(), 0) << worker.output();
  EXPECT_TRUE(main.says("sum 45")) << main.output();
}

INSTANTIATE_TEST_SUITE_P(Sides, MixedCluster, ::testing::Bool(), [](const auto& side) {
  return std::string(side.param ? "OursIsMain" : "OursIsWorker");
});

// The port that TensorFlow would not get is named before anything is started.
TEST_F(FrameworkProcess, ATakenPortIsNamed) {
  file("tasks.py", "");
  StartedProgram other(dir_.path() / "other",
                       {"python3", "-c",
                        "import socket, time\ns = socket.create_server(('127.0.0.1', 0))\n"
                        "print('port', s.getsockname()[1], '.', flush=True)\ntime.sleep(600)"},
                       {});
  ASSERT_TRUE(other.waitUntilItSays(" .")) << other.output();
  const std::string port = std::to_string(std::stoi(other.output().substr(5)));
  auto main = node(
      0, 1, {{"OCI__CLUSTER_TYPE", "TENSORFLOW"}, {"OCI__ENTRY_SCRIPT", "tasks.py"}, {"WORKER_PORT", port}});
  EXPECT_EQ(main.exitCode(), 1) << main.output();
  EXPECT_TRUE(main.says("the TCP port " + port + " is taken")) << main.output();
  EXPECT_TRUE(main.says("set WORKER_PORT")) << main.output();
}

TEST_F(FrameworkProcess, AMissingProgramIsNamedWithItsRemedy) {
  file("x.py", "");
  std::map<std::string, std::string> more = {{"OCI__ENTRY_SCRIPT", "x.py"},
                                             {"OCI__CLUSTER_TYPE", "DASK"},
                                             {"PATH", dir_.path().string()},
                                             {"JOB_OCID", "job1"}};
  auto dask = node(0, 0, more);
  EXPECT_EQ(dask.exitCode(), 1) << dask.output();
  EXPECT_TRUE(dask.says("the program 'dask-scheduler' is not in this image")) << dask.output();
  EXPECT_TRUE(dask.says("pip install distributed")) << dask.output();
}

// The code of the script is imported by the workers; what they compute comes from them.
constexpr const char* kDaskScript = R"(
import os, sys
from distributed import Client
import shared
with Client(os.environ['SCHEDULER_IP'] + ':' + os.environ['SCHEDULER_PORT']) as client:
    print('workers', len(client.nthreads()), 'sum', sum(client.gather(client.map(shared.square, range(10)))),
          'names', sorted(w['name'] for w in client.scheduler_info()['workers'].values()), *sys.argv[1:], flush=True)
)";

class DaskProcess : public FrameworkProcess {
 protected:
  void SetUp() override {
    FrameworkProcess::SetUp();
    if (!has("dask-scheduler") || !has("dask-worker")) GTEST_SKIP() << "Dask is not installed";
    file("shared.py", "def square(x):\n    return x * x\n");
  }
  StartedProgram daskNode(int rank, int workers, std::map<std::string, std::string> more = {}) {
    more.insert(
        {{"OCI__CLUSTER_TYPE", "DASK"},
         {"OCI__ENTRY_SCRIPT", "script.py"},
         {"OCI__START_ARGS", rank == 0 ? "--no-dashboard" : "--no-dashboard --nthreads 1 --no-nanny"}});
    return node(rank, workers, std::move(more));
  }
};

TEST_F(DaskProcess, WorkersComputeAndEndWithTheScript) {
  file("script.py", kDaskScript);
  std::vector<StartedProgram> nodes;
  for (int rank = 0; rank < 3; ++rank)
    nodes.push_back(
        daskNode(rank, 2, {{"OCI__ENTRY_SCRIPT_ARGS", "'a b'"}, {"OCI__ENTRY_SCRIPT_KWARGS", "--cv 5"}}));
  for (auto& one : nodes) EXPECT_EQ(one.exitCode(), 0) << one.output();
  EXPECT_TRUE(nodes[0].says("workers 2 sum 285 names ['run1', 'run2'] a b --cv 5")) << nodes[0].output();
  EXPECT_TRUE(nodes[0].says("[workers] 2 of 2 Dask workers are there")) << nodes[0].output();
  EXPECT_TRUE(std::filesystem::exists(inWorkDir("Undefined/stop")));
  EXPECT_FALSE(std::filesystem::exists(inWorkDir("Undefined/MAIN_config.json")))
      << "no later cluster may believe it";
}

// The scheduler's own words decide: with a key both sides speak TLS only.
TEST_F(DaskProcess, TlsIsUsedWhereTheStartOptionsNameAKey) {
  const std::string key = (dir_.path() / "key.pem").string(),
                    certificate = (dir_.path() / "cert.pem").string();
  if (!runs({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=lockstep"}))
    GTEST_SKIP() << "openssl is not installed";
  file("script.py",
       "import os\nfrom distributed import Client, Security\n"
       "c = '" +
           certificate + "'\nk = '" + key +
           "'\n"
           "tls = Security(tls_ca_file=c, tls_client_cert=c, tls_client_key=k, require_encryption=True)\n"
           "with Client(os.environ['SCHEDULER_IP'] + ':' + os.environ['SCHEDULER_PORT'], security=tls) as "
           "client:\n"
           "    print('sum', client.submit(sum, range(10)).result(), *client.nthreads(), flush=True)\n");
  const std::string tls =
      " --tls-ca-file " + certificate + " --tls-cert " + certificate + " --tls-key " + key;
  auto main = daskNode(0, 1, {{"OCI__START_ARGS", "--no-dashboard" + tls}});
  auto worker = daskNode(1, 1, {{"OCI__START_ARGS", "--no-dashboard --nthreads 1" + tls}});
  EXPECT_EQ(main.exitCode(), 0) << main.output();
  EXPECT_EQ(worker.exitCode(), 0) << worker.output();
  EXPECT_TRUE(main.says("sum 45 tls://")) << main.output();
}

TEST_F(DaskProcess, AFailedScriptEndsTheWorkers) {
  file("script.py", "import sys\nsys.exit('nothing to search')\n");
  auto main = daskNode(0, 1), worker = daskNode(1, 1);
  EXPECT_EQ(main.exitCode(), 1) << main.output();
  EXPECT_EQ(worker.exitCode(), 12) << worker.output();
  EXPECT_TRUE(
      worker.says("the entry script on main ended with exit code 1; its last line: nothing to search"))
      << worker.output();
}

// A worker is gone, while its agent lives: the node says so, and the run does not wait for it.
TEST_F(DaskProcess, AKilledWorkerEndsAll) {
  file("script.py",
       "import os\nfrom distributed import Client\n"
       "def end():\n    import os, signal\n    os.kill(os.getpid(), signal.SIGKILL)\n"
       "with Client(os.environ['SCHEDULER_IP'] + ':' + os.environ['SCHEDULER_PORT']) as client:\n"
       "    client.submit(end, retries=0).result()\n");
  auto main = daskNode(0, 1, {{"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "100"}});
  auto worker = daskNode(1, 1);
  EXPECT_EQ(worker.exitCode(), 128 + 9) << worker.output();
  EXPECT_EQ(main.exitCode(), 12) << main.output();
  EXPECT_TRUE(main.says("the Dask worker on worker_0 was killed by signal 9 (Killed)")) << main.output();
}

TEST_F(DaskProcess, SigtermEndsWhatRuns) {
  file("script.py", "import time\nprint('begun', flush=True)\ntime.sleep(600)\n");
  auto main = daskNode(0, 1), worker = daskNode(1, 1);
  ASSERT_TRUE(main.waitUntilItSays("begun")) << main.output();
  worker.signal(SIGTERM);
  EXPECT_EQ(worker.exitCode(), 143) << worker.output();
  EXPECT_EQ(main.exitCode(std::chrono::seconds(0)), -1) << "whoever is told to stop has not failed";
  main.signal(SIGTERM);
  EXPECT_EQ(main.exitCode(), 143) << main.output();
}

// A rank that tells who it is, and whether the variables of the job came with it.
constexpr const char* kRank =
    "echo rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE node $OMPI_COMM_WORLD_NODE_RANK asks $MY_WISH "
    "at "
    "${SSH_CONNECTION:-home}\n";

class MpiProcess : public FrameworkProcess {
 protected:
  void SetUp() override {
    FrameworkProcess::SetUp();
    for (const char* program : {"mpirun.openmpi", "sshd", "ssh", "ssh-keygen"}) {
      if (!has(program)) GTEST_SKIP() << program << " is not installed";
      if (::getpwnam("sshd") == nullptr) GTEST_SKIP() << "sshd has no user of its own here";
    }
    port_ = std::to_string(freePort());
  }
  StartedProgram mpiNode(int rank, int workers, std::map<std::string, std::string> more = {}) {
    more.insert({{"OCI__CLUSTER_TYPE", "HOROVOD"},
                 {"LOCKSTEP_LAUNCHER", "mpirun"},
                 {"SLOTS", "2"},
                 {"WORKER_PORT", port_},
                 {"MY_WISH", "peace and quiet"}});
    return node(rank, workers, std::move(more));
  }
  std::string port_;
};

TEST_F(MpiProcess, RanksRunOnAllSlotsOfAllNodes) {
  script(kRank);
  std::vector<StartedProgram> nodes;
  for (int rank = 0; rank < 3; ++rank) nodes.push_back(mpiNode(rank, 2));
  for (auto& one : nodes) EXPECT_EQ(one.exitCode(), 0) << one.output();
  for (int rank = 0; rank < 6; ++rank) {
    const auto lines = linesWith(nodes[0], "rank " + std::to_string(rank) + " of 6 ");
    ASSERT_EQ(lines.size(), 1U) << nodes[0].output();
    EXPECT_NE(lines[0].find("asks peace and quiet"), std::string::npos) << lines[0];
    EXPECT_EQ(lines[0].find("at home") == std::string::npos, rank >= 2)
        << "the others through SSH: " << lines[0];
  }
  EXPECT_TRUE(nodes[0].says("6 slots on 3 nodes")) << nodes[0].output();
  int leftBehind = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir_.path()))
    leftBehind += entry.path().filename().string().starts_with("lockstep-ssh-") ? 1 : 0;
  EXPECT_EQ(leftBehind, 0) << "keys stay nowhere";
}

// In place of Horovod, which Debian does not have: does what horovodrun does with the words that it gets.
constexpr const char* kHorovodrun = R"(#!/bin/sh
echo "horovodrun $*"
while [ "${1#-}" != "$1" ]; do
  case $1 in -p) port=$2 ;; --host-discovery-script) hosts=$2 ;; esac
  [ "$1" = --verbose ] || shift
  shift
done
for host in $($hosts); do
  ssh -o PasswordAuthentication=no -o StrictHostKeyChecking=no -p $port ${host%:*} \
    "cd $PWD && env SLOTS_HERE=${host#*:} $*" || exit 1
done
)";

TEST_F(MpiProcess, HorovodrunIsPreferredAndReachesTheNodes) {
  script("echo at $SSH_CONNECTION with $SLOTS_HERE slots \"$@\"\n");
  std::filesystem::create_directories(dir_.path() / "bin");
  ASSERT_TRUE(writeFileAtomically(dir_.path() / "bin" / "horovodrun", kHorovodrun, 0755));
  const std::map<std::string, std::string> more = {
      {"PATH", (dir_.path() / "bin").string() + ":/usr/bin:/bin"},
      {"LOCKSTEP_LAUNCHER", ""},
      {"HOROVOD_ARGS", "--verbose"},
      {"OCI__ENTRY_SCRIPT_ARGS", "--epochs 3"}};
  auto main = mpiNode(0, 1, more), worker = mpiNode(1, 1, more);
  EXPECT_EQ(main.exitCode(), 0) << main.output();
  EXPECT_EQ(worker.exitCode(), 0) << worker.output();
  EXPECT_TRUE(main.says("horovodrun -np 4 -p " + port_ + " --min-np 4 --max-np 4 ")) << main.output();
  EXPECT_TRUE(main.says("127.0.0.1 " + port_ + " with 2 slots --epochs 3")) << main.output();
  EXPECT_TRUE(main.says("127.0.0.2 " + port_ + " with 2 slots --epochs 3")) << main.output();
}

TEST_F(MpiProcess, AFailedRankEndsAllNodes) {
  script("[ $OMPI_COMM_WORLD_RANK = 3 ] && { echo out of data >&2; exit 7; }\nexec sleep 300\n");
  auto main = mpiNode(0, 1), worker = mpiNode(1, 1);
  EXPECT_EQ(main.exitCode(), 7) << main.output();
  EXPECT_EQ(worker.exitCode(), 12) << worker.output();
  EXPECT_TRUE(main.says("out of data")) << main.output();
  EXPECT_TRUE(worker.says("the first failure of the run: mpirun on main ended with exit code 7"))
      << worker.output();
  EXPECT_TRUE(std::filesystem::exists(inWorkDir("Undefined/stop_fail")));
}

}  // namespace
}  // namespace lockstep::node
