// SPDX-License-Identifier: GPL-3.0-or-later
// The scripts of the starters, with the real interpreter and, where Debian has them, the real frameworks.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "starter/starter.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

constexpr std::chrono::seconds kTimeout{240};
constexpr const char* kPython = "/usr/bin/python3";  // Debian's, which has Debian's modules
using Environment = std::map<std::string, std::string>;

int freePort() {
  return 20000 + static_cast<int>(::getpid()) % 20000;
}

struct Program {
  ChildProcess process;
  std::filesystem::path log;

  // Its exit code; what it said is in the message of a failed expectation.
  int wait() {
    const auto exit = process.waitFor(kTimeout);
    if (!exit) process.signalAll(SIGKILL);
    return exit && exit->signal == 0 ? exit->exitCode : -1;
  }
  [[nodiscard]] std::string said() const { return readFile(log).value_or(""); }
};

class StarterRun : public testing::Test {
 protected:
  void write(const char* starter) {
    const auto written = writeStarter(*findStarter(starter), folder());
    ASSERT_TRUE(written) << describe(written.error());
  }
  [[nodiscard]] std::filesystem::path folder() const { return dir_.path() / "project"; }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return dir_.path() / name; }

  Program start(const std::string& name, std::vector<std::string> arguments, Environment more = {}) {
    const auto log = file(name + ".log");
    const int fd = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ProcessOptions options;
    options.command = {kPython};
    options.command.insert(options.command.end(), arguments.begin(), arguments.end());
    options.environment = {{"PATH", "/usr/bin:/bin"},
                           {"HOME", dir_.path().string()},
                           {"PYTHONDONTWRITEBYTECODE", "1"},
                           {"OMP_NUM_THREADS", "1"}};
    options.environment.insert(more.begin(), more.end());
    options.workingDirectory = dir_.path();
    options.stdoutFd = options.stderrFd = fd;
    auto process = ChildProcess::start(options);
    ::close(fd);
    if (!process) throw std::runtime_error(describe(process.error()));
    return {*process, log};
  }

  bool hasModules(const std::string& modules) {
    if (::access(kPython, X_OK) != 0) return false;
    return start("modules", {"-c", "import " + modules}).wait() == 0;
  }

  // One node of a cluster on this machine.
  Program startNode(const std::string& name, const std::string& mode, const std::string& rank,
                    Environment more) {
    more.insert({{"OCI__MODE", mode},
                 {"JOB_RUN_OCID", name},
                 {"JOB_OCID", "Undefined"},
                 {"OCI__WORK_DIR", file("work").string()},
                 {"OCI__TIMEOUT", "120"},
                 {"LOCKSTEP_POLL_SECONDS", "0.2"},
                 {"LOCKSTEP_NODE_ADDRESS", "127.0.0.1"},
                 {"LOCKSTEP_CODE_DIR", folder().string()}});
    if (!rank.empty()) more["RANK"] = rank;
    return start(name, {(folder() / "node/node.py").string()}, std::move(more));
  }

 private:
  TempDir dir_;
};

TEST_F(StarterRun, EveryScriptCompiles) {
  if (::access(kPython, X_OK) != 0) GTEST_SKIP() << kPython << " is not installed";
  int count = 0;
  for (const Starter& starter : starters()) {
    for (const StarterFile& script : starter.files) {
      if (!script.path.ends_with(".py")) continue;
      const auto path = file(starter.name + "-" + std::to_string(count++) + ".py");
      ASSERT_TRUE(writeFileAtomically(path, script.content));
      Program program = start("compile", {"-m", "py_compile", path.string()});
      EXPECT_EQ(program.wait(), 0) << starter.name << "/" << script.path << ": " << program.said();
    }
  }
  EXPECT_GE(count, 11);
}

TEST_F(StarterRun, TheTensorFlowNodesFindEachOther) {
  if (::access(kPython, X_OK) != 0) GTEST_SKIP() << kPython << " is not installed";
  write("tensorflow");
  // Instead of training: says its TF_CONFIG; servers go on until they are ended.
  ASSERT_TRUE(writeFileAtomically(folder() / "tell.py",
                                  "import json, os, time\n"
                                  "print('TF', os.environ['TF_CONFIG'], flush=True)\n"
                                  "kind = json.loads(os.environ['TF_CONFIG'])['task']['type']\n"
                                  "time.sleep(2 if kind == 'chief' else 600)\n"));
  const int port = freePort();
  const auto node = [&](const char* name, const char* mode, const char* rank, int number) {
    return startNode(name, mode, rank,
                     {{"OCI__CLUSTER_TYPE", "TENSORFLOW"},
                      {"OCI__WORKER_COUNT", "2"},
                      {"OCI__PS_COUNT", "1"},
                      {"OCI__ENTRY_SCRIPT", (folder() / "tell.py").string()},
                      {"WORKER_PORT", std::to_string(port + number)}});
  };
  // The names are against the order of the ranks: it is the ranks that count.
  std::vector<Program> nodes{node("main", "MAIN", "0", 0), node("z", "WORKER", "1", 1),
                             node("a", "WORKER", "2", 2), node("ps", "PS", "", 3)};
  for (Program& program : nodes) EXPECT_EQ(program.wait(), 0) << program.said();
  const auto place = [&](int number) { return "127.0.0.1:" + std::to_string(port + number); };
  const auto configOf = [](const Program& program) {
    const std::string said = program.said();
    const auto at = said.find("TF {");
    return at == std::string::npos ? nlohmann::json()
                                   : nlohmann::json::parse(said.substr(at + 3, said.find('\n', at) - at - 3));
  };
  const nlohmann::json cluster{{"chief", {place(0)}}, {"worker", {place(1), place(2)}}, {"ps", {place(3)}}};
  const std::vector<std::pair<std::string, int>> tasks{{"chief", 0}, {"worker", 0}, {"worker", 1}, {"ps", 0}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const nlohmann::json task{{"type", tasks[i].first}, {"index", tasks[i].second}};
    EXPECT_EQ(configOf(nodes[i]), (nlohmann::json{{"cluster", cluster}, {"task", task}})) << nodes[i].said();
  }
  EXPECT_TRUE(std::filesystem::exists(file("work") / "Undefined/stop"));
}

TEST_F(StarterRun, AWorkerThatDiesEndsItsNodeWithAFailure) {
  if (::access(kPython, X_OK) != 0) GTEST_SKIP() << kPython << " is not installed";
  write("tensorflow");
  ASSERT_TRUE(writeFileAtomically(folder() / "die.py",
                                  "import os, sys, time\n"
                                  "main = os.environ['OCI__MODE'] == 'MAIN'\n"
                                  "time.sleep(3) if main else sys.exit(7)\n"));
  const auto node = [&](const char* name, const char* mode, const char* rank, int number) {
    return startNode(name, mode, rank,
                     {{"OCI__CLUSTER_TYPE", "TENSORFLOW"},
                      {"OCI__WORKER_COUNT", "1"},
                      {"OCI__ENTRY_SCRIPT", (folder() / "die.py").string()},
                      {"WORKER_PORT", std::to_string(freePort() + number)}});
  };
  Program main = node("main", "MAIN", "0", 0), worker = node("w", "WORKER", "1", 1);
  EXPECT_EQ(worker.wait(), 7) << worker.said();
  EXPECT_EQ(main.wait(), 0) << main.said();
}

TEST_F(StarterRun, ANodeSaysWhatItCannotRun) {
  if (::access(kPython, X_OK) != 0) GTEST_SKIP() << kPython << " is not installed";
  write("ray");
  Program other =
      startNode("m", "MAIN", "0", {{"OCI__CLUSTER_TYPE", "PYTORCH"}, {"OCI__ENTRY_SCRIPT", "x.py"}});
  EXPECT_EQ(other.wait(), 2);
  EXPECT_NE(other.said().find("OCI__CLUSTER_TYPE='PYTORCH' is none of"), std::string::npos) << other.said();
  Program lonely =
      startNode("w", "WORKER", "1",
                {{"OCI__CLUSTER_TYPE", "RAY"}, {"OCI__ENTRY_SCRIPT", "x.py"}, {"OCI__TIMEOUT", "1"}});
  EXPECT_EQ(lonely.wait(), 1);
  EXPECT_NE(lonely.said().find("the main node did not appear within 1 s"), std::string::npos)
      << lonely.said();
}

TEST_F(StarterRun, DaskReallySearches) {
  if (!hasModules("distributed, sklearn"))
    GTEST_SKIP() << "python3-distributed and python3-sklearn are not installed";
  write("dask");
  const std::string port = std::to_string(freePort());
  const auto node = [&](const char* name, const char* mode, const char* rank) {
    return startNode(name, mode, rank,
                     {{"OCI__CLUSTER_TYPE", "DASK"},
                      {"OCI__WORKER_COUNT", "2"},
                      {"OCI__ENTRY_SCRIPT", "gridsearch.py"},
                      {"OCI__ENTRY_SCRIPT_ARGS", "--limit 3 --output-dir " + file("out").string()},
                      {"OCI__ENTRY_SCRIPT_KWARGS", "--cv 2"},
                      {"OCI__START_ARGS", "--no-dashboard"},
                      {"death_timeout", "60"},  // a busy machine starts workers slowly
                      {"SCHEDULER_PORT", port}});
  };
  std::vector<Program> nodes{node("main", "MAIN", "0"), node("a", "WORKER", "1"), node("b", "WORKER", "2")};
  for (Program& program : nodes) EXPECT_EQ(program.wait(), 0) << program.said();
  EXPECT_NE(nodes[0].said().find("2 workers with"), std::string::npos) << nodes[0].said();
  const auto best = nlohmann::json::parse(readFile(file("out") / "best.json").value_or(""), nullptr, false);
  ASSERT_TRUE(best.is_object());
  EXPECT_GT(best["accuracy"], 0.8);
}

TEST_F(StarterRun, PyTorchReallyTrainsTwoRanks) {
  if (!hasModules("torch")) GTEST_SKIP() << "python3-torch is not installed";
  write("pytorch");
  const auto rank = [&](const std::string& number) {
    return start("rank" + number,
                 {(folder() / "train.py").string(), "--made-up", "256", "--epochs", "3", "--batch-size", "16",
                  "--output-dir", file("out").string()},
                 {{"RANK", number},
                  {"LOCAL_RANK", number},
                  {"WORLD_SIZE", "2"},
                  {"MASTER_ADDR", "127.0.0.1"},
                  {"MASTER_PORT", std::to_string(freePort())}});
  };
  Program first = rank("0"), second = rank("1");
  EXPECT_EQ(second.wait(), 0) << second.said();
  EXPECT_EQ(first.wait(), 0) << first.said();
  EXPECT_NE(first.said().find("epoch 3/3 loss "), std::string::npos) << first.said();
  EXPECT_NE(first.said().find(" on 2 processes"), std::string::npos);
  EXPECT_EQ(second.said().find("epoch"), std::string::npos) << "only rank 0 speaks";
  EXPECT_TRUE(std::filesystem::exists(file("out") / "model.pt"));
}

}  // namespace
}  // namespace lockstep
