// SPDX-License-Identifier: GPL-3.0-or-later
// The mpirun kit at work on two hosts over sshd: keys, copies, checks, every variable at every rank, and real
// training.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "export/cluster_view.h"
#include "tests/core/export/mpirun_two_hosts.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Writes its arguments, environment and host to OUT/rank-R.json, and fails when asked to.
constexpr const char* kSayPlace = R"(import json, os, sys
text = lambda raw: raw.decode("utf-8", "surrogateescape")
said = {"argv": sys.argv[1:], "host": os.uname().nodename,
        "environment": {text(k): text(v) for k, v in os.environb.items()}}
with open(os.path.join(os.environ["OUT"], "rank-" + os.environ["RANK"] + ".json"), "w") as file:
    json.dump(said, file)
if sys.argv[-1] == "fail-" + os.environ["RANK"]:
    sys.exit(7)
)";

std::string replacedIn(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("no '" + what + "' in the test's file");
  return text.replace(at, what.size(), with);
}

class MpirunKitOnTwoHosts : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"ssh", "ssh-keygen", "mpirun.openmpi"}) {
      if (!hasProgram(program)) GTEST_SKIP() << "the program '" << program << "' is missing";
    }
    if (!fs::exists("/usr/sbin/sshd")) GTEST_SKIP() << "openssh-server is not installed";
    if (const std::string why = hosts_.start(); !why.empty()) GTEST_SKIP() << why;
    fs::create_directories(out_);
    ASSERT_TRUE(writeFileAtomically(folder_.path() / "say place.py", kSayPlace));
  }

  /// The kit of a train.yaml, in its folder, with the addresses of the two hosts.
  void exportKit(const std::string& yaml, const std::string& secondSlots) {
    yaml_ = yaml;
    ASSERT_TRUE(writeBundle(bundleOf(ExportTarget::Mpirun, yaml), kit_, true));
    const std::string hosts = "# both\nmain " + std::string(TwoHosts::kAddresses[0]) + " 1\n\nworker-0 " +
                              TwoHosts::kAddresses[1] + " " + secondSlots + "  # the other\n";
    ASSERT_TRUE(writeFileAtomically(kit_ / "hosts", hosts));
  }

  [[nodiscard]] std::string hostileYaml() const {
    const fs::path path = fs::path(LOCKSTEP_TEST_DATA) / "export/mpirun/hostile_values/in.yaml";
    std::string text = readFile(path).value_or("");
    text = replacedIn(text, "my train.py", (folder_.path() / "say place.py").string());
    return replacedIn(text, "- {name: EMPTY,",
                      "- {name: OUT, value: " + out_.string() + "}\n          - {name: EMPTY,");
  }

  Said inKit(std::size_t host, const std::string& command) const {
    return hosts_.on(host, "cd " + kit_.string() + " || exit 99\n" + command);
  }

  void startSshd() {
    for (std::size_t host : {0U, 1U}) {
      const Said said = inKit(host, "./start-sshd.sh");
      ASSERT_EQ(said.code, 0) << said.text;
    }
  }

  /// What a rank wrote; empty when it wrote nothing.
  [[nodiscard]] nlohmann::json rank(int number) const {
    const auto text = readFile(out_ / ("rank-" + std::to_string(number) + ".json")).value_or("");
    auto json = nlohmann::json::parse(text, nullptr, false);
    return json.is_object() ? json : nlohmann::json::object();
  }

  void expectPlace(int number, int local, int node, int world) {
    const auto said = rank(number);
    ASSERT_TRUE(said.contains("environment")) << "rank " << number << " wrote nothing";
    const auto& environment = said["environment"];
    EXPECT_EQ(said["host"], "host" + std::to_string(node));
    EXPECT_EQ(environment["RANK"], std::to_string(number));
    EXPECT_EQ(environment["LOCAL_RANK"], std::to_string(local));
    EXPECT_EQ(environment["NODE_RANK"], std::to_string(node));
    EXPECT_EQ(environment["WORLD_SIZE"], std::to_string(world));
    EXPECT_EQ(environment["MASTER_ADDR"], TwoHosts::kAddresses[0]);
    EXPECT_EQ(environment["MASTER_PORT"], "29400");
    EXPECT_EQ(environment["GLOO_SOCKET_IFNAME"], TwoHosts::kInterface);
    EXPECT_EQ(environment["NCCL_SOCKET_IFNAME"], TwoHosts::kInterface);
  }

  /// Every variable that the plan gives the node, value for value, and the arguments.
  void expectEnvironment(int number, std::size_t node) {
    const ClusterDocument document(yaml_);
    const auto plan = makePlan(document, [] {
      PlanOptions options;
      options.draft = true;
      return options;
    }());
    ASSERT_TRUE(plan);
    const auto view = clusterView({document, *plan});
    ASSERT_TRUE(view);
    const auto said = rank(number);
    std::size_t compared = 0;
    for (const EnvVar& variable : view->nodes[node].environment.variables()) {
      if (variable.name == "RANK") continue;
      ++compared;
      ASSERT_TRUE(said["environment"].contains(variable.name))
          << variable.name << " is missing at rank " << number;
      EXPECT_EQ(said["environment"][variable.name].get<std::string>(), variable.value) << variable.name;
    }
    EXPECT_GE(compared, 17U);
    EXPECT_EQ(said["argv"][0], "--text");
    EXPECT_EQ(said["argv"][1], "a \"b\" $c");
  }

  TempDir folder_;
  fs::path kit_ = folder_.path() / "kit";
  fs::path out_ = folder_.path() / "out";
  std::string yaml_;
  TwoHosts hosts_;
};

TEST_F(MpirunKitOnTwoHosts, BringsEveryVariableUnchangedToEveryRank) {
  exportKit(hostileYaml(), "2");
  ASSERT_EQ(inKit(0, "./generate-keys.sh").code, 0);
  startSshd();
  const Said checked = inKit(0, "./check.sh");
  EXPECT_EQ(checked.code, 0) << checked.text;
  const Said said = inKit(0, "./run.sh 'one more' last");
  ASSERT_EQ(said.code, 0) << said.text;
  expectPlace(0, 0, 0, 3);
  expectPlace(1, 0, 1, 3);
  expectPlace(2, 1, 1, 3);
  for (const auto& [number, node] : {std::pair{0, 0U}, {1, 1U}, {2, 1U}}) {
    expectEnvironment(number, node);
    EXPECT_EQ(rank(number)["argv"].size(), 4U);
    EXPECT_EQ(rank(number)["argv"][2], "one more");
  }
  EXPECT_FALSE(rank(0)["environment"].contains("OWN"));
  const Said failed = inKit(0, "./run.sh fail-1");
  EXPECT_EQ(failed.code, 7) << failed.text;
  const Said elsewhere = inKit(1, "./run.sh");
  EXPECT_EQ(elsewhere.code, 1) << elsewhere.text;
  EXPECT_NE(elsewhere.text.find("start training on the first node"), std::string::npos) << elsewhere.text;
  for (std::size_t host : {0U, 1U}) EXPECT_EQ(inKit(host, "./stop-sshd.sh").code, 0);
  EXPECT_EQ(hosts_.on(1, "sleep 0.5; ps -e -o comm= | grep -c '^sshd$'").text, "0\n");
}

TEST_F(MpirunKitOnTwoHosts, WorksWithHydraToo) {
  if (!hasProgram("mpiexec.hydra")) GTEST_SKIP() << "neither MPICH nor Intel MPI is installed";
  exportKit(hostileYaml(), "1");
  ASSERT_EQ(inKit(0, "./generate-keys.sh").code, 0);
  startSshd();
  const Said said = inKit(0, "./run-hydra.sh");
  ASSERT_EQ(said.code, 0) << said.text;
  for (int number : {0, 1}) {
    expectPlace(number, 0, number, 2);
    expectEnvironment(number, static_cast<std::size_t>(number));
  }
}

TEST_F(MpirunKitOnTwoHosts, ChecksNameWhatIsWrong) {
  exportKit(hostileYaml(), "1");
  const Said keyless = inKit(0, "./check.sh");
  EXPECT_EQ(keyless.code, 1);
  EXPECT_NE(keyless.text.find("run ./generate-keys.sh first"), std::string::npos) << keyless.text;

  ASSERT_EQ(inKit(0, "./generate-keys.sh").code, 0);
  ASSERT_EQ(inKit(0, "./start-sshd.sh main").code, 0);
  const Said closed = inKit(0, "./check.sh");
  EXPECT_EQ(closed.code, 1);
  EXPECT_NE(closed.text.find("worker-0: no connection to 10.78.0.11 port 12345"), std::string::npos)
      << closed.text;

  const Said second = inKit(1, "./start-sshd.sh && ./start-sshd.sh");
  EXPECT_EQ(second.code, 0) << second.text;
  EXPECT_NE(second.text.find("runs already"), std::string::npos) << second.text;
  const Said taken =
      inKit(0,
            "python3 -c 'import socket, time; s = socket.socket(); s.bind((\"10.78.0.10\", 29400)); "
            "s.listen(); open(\"" +
                (folder_.path() / "listening").string() + "\", \"w\"); time.sleep(200)' & until [ -e " +
                (folder_.path() / "listening").string() +
                " ]; do sleep 0.1; done; ./check.sh; code=$?; kill $!; exit $code");
  EXPECT_EQ(taken.code, 1) << taken.text;
  EXPECT_NE(taken.text.find("main: port 29400 is taken"), std::string::npos) << taken.text;

  // Another kit of the same name on the second host.
  ASSERT_EQ(hosts_.on(1, "mount --bind $(mktemp -d -p /root) " + kit_.string()).code, 0);
  const Said other = inKit(0, "./check.sh");
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.text.find("worker-0: its kit in"), std::string::npos) << other.text;
}

TEST_F(MpirunKitOnTwoHosts, IsCopiedOverYourOwnSsh) {
  exportKit(hostileYaml(), "1");
  ASSERT_EQ(inKit(0, "./generate-keys.sh").code, 0);
  // The second host has nothing yet but an ordinary sshd and our key.
  const Said ready = hosts_.on(
      1,
      "mount -t tmpfs none " + kit_.string() +
          " && mkdir -p /run/sshd /root/admin && cd /root/admin && ssh-keygen -qt ed25519 -N '' -f host && "
          "ssh-keygen -qt ed25519 -N '' -f me && chmod 700 /root && printf '%s\\n' 'HostKey "
          "/root/admin/host' "
          "'AuthorizedKeysFile /root/admin/me.pub' 'StrictModes no' 'PermitRootLogin yes' 'PidFile none' "
          ">conf && "
          "/usr/sbin/sshd -f conf -p 22");
  ASSERT_EQ(ready.code, 0) << ready.text;
  fs::copy_file(hosts_.root(1) / "admin/me", hosts_.root(0) / "me");
  const std::string settings = readFile(kit_ / "settings.sh").value_or("");
  ASSERT_TRUE(writeFileAtomically(
      kit_ / "settings.sh",
      replacedIn(settings, "ADMIN_SSH=(ssh)",
                 "ADMIN_SSH=(ssh -i /root/me -o BatchMode=yes -o StrictHostKeyChecking=no "
                 "-o UserKnownHostsFile=/dev/null -o LogLevel=ERROR)")));
  const Said copied = inKit(0, "./copy-to-nodes.sh");
  ASSERT_EQ(copied.code, 0) << copied.text;
  EXPECT_EQ(inKit(1, "find keys -type f | sort").text,
            "keys/hosts/worker-0\nkeys/hosts/worker-0.pub\nkeys/id_ed25519.pub\n");
  EXPECT_EQ(inKit(1, "stat -c %a keys/hosts/worker-0 secrets.sh run.sh").text, "600\n600\n755\n");
  startSshd();
  const Said checked = inKit(0, "./check.sh && ./run.sh");
  EXPECT_EQ(checked.code, 0) << checked.text;
  expectEnvironment(1, 1);
}

TEST_F(MpirunKitOnTwoHosts, TrainsOverTheCable) {
  const fs::path trainer = fs::path(LOCKSTEP_BIN_DIR) / "lockstep-trainer";
  if (!fs::exists(trainer)) GTEST_SKIP() << "this build has no lockstep-trainer";
  std::string yaml = replacedIn(hostileYaml(), (folder_.path() / "say place.py").string(), trainer.string());
  yaml = replacedIn(yaml, "[\"--text\", \"'a \\\"b\\\" $c'\"]",
                    "[--bench, 5, --batch-size, 4, --no-metrics, --threads, 1]");
  exportKit(yaml, "1");
  ASSERT_EQ(inKit(0, "./generate-keys.sh").code, 0);
  startSshd();
  const long long before = hosts_.bytesSent(0);
  const Said said = inKit(0, "./run.sh");
  ASSERT_EQ(said.code, 0) << said.text;
  EXPECT_NE(said.text.find("RESULT rank=0 world=2"), std::string::npos) << said.text;
  EXPECT_NE(said.text.find("RESULT rank=1 world=2"), std::string::npos) << said.text;
  EXPECT_GT(hosts_.bytesSent(0) - before, 500'000) << "the gradients did not go over the cable";
}

}  // namespace
}  // namespace lockstep
