// SPDX-License-Identifier: GPL-3.0-or-later
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "base/quote.h"
#include "setup/ssh_host_check.h"
#include "setup/ssh_host_ports.h"
#include "tests/core/export/mpirun_two_hosts.h"
#include "tests/core/setup/local_world.h"

namespace lockstep::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

int freePort() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  ::bind(socket, reinterpret_cast<sockaddr*>(&place), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&place), &size);
  ::close(socket);
  return ntohs(place.sin_port);
}

TEST(HostsFile, OneHostALine) {
  const auto hosts = parseHostsFile(
      "# ours\n\njane@gpu1:2222 slots=8\n  gpu2 # the other\r\n[fe80::1]:22\nme@10.0.0.7\n::1\n", "hosts");
  ASSERT_TRUE(hosts) << describe(hosts.error());
  ASSERT_EQ(hosts->size(), 5U);
  EXPECT_EQ((*hosts)[0].destination(), "jane@gpu1");
  EXPECT_EQ((*hosts)[0].port, 2222);
  EXPECT_EQ((*hosts)[0].slots, 8);
  EXPECT_EQ((*hosts)[1].destination(), "gpu2");
  EXPECT_EQ((*hosts)[1].port, 0);
  EXPECT_EQ((*hosts)[2].host, "fe80::1");
  EXPECT_EQ((*hosts)[2].port, 22);
  EXPECT_EQ((*hosts)[4].host, "::1");
}

TEST(HostsFile, WhatIsNoHostIsRefusedWithItsLine) {
  for (const char* line :
       {"gpu:x", "gpu:0", "gpu:70000", "gpu slots=0", "gpu slots=x", "gpu cores=3", "@gpu",
        "-oProxyCommand=x", "a@-x", "gpu;rm", "$(x)", "[::1", "gpu gpu2", "j ane@gpu", "a'b"}) {
    const auto hosts = parseHostsFile("ok\n" + std::string(line) + "\n", "my hosts");
    ASSERT_FALSE(hosts) << line;
    EXPECT_EQ(hosts.error().where, "my hosts:2") << line;
  }
  EXPECT_FALSE(parseHostsFile("gpu\njane@gpu\n", "h")) << "twice the same machine";
  EXPECT_TRUE(parseHostsFile("gpu\ngpu:2222\n", "h"));
  EXPECT_FALSE(parseHostsFile("# nothing\n", "h"));
}

TEST(SshTroubles, AreToldApartByWhatSshSays) {
  const SshHost host{"jane", "gpu1", 2222, 0};
  const std::pair<const char*, const char*> kSaid[] = {
      {"host-key-changed",
       "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed."},
      {"host-key-unknown",
       "No ED25519 host key is known for gpu1 and you have requested strict checking.\n"
       "Host key verification failed."},
      {"host-key-unknown", "Host key verification failed.\r\n"},
      {"key-refused", "jane@gpu1: Permission denied (publickey,password)."},
      {"key-refused", "Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures"},
      {"key-mode", "@ WARNING: UNPROTECTED PRIVATE KEY FILE! @\njane@gpu1: Permission denied (publickey)."},
      {"name-unknown", "ssh: Could not resolve hostname gpu1: Name or service not known"},
      {"ssh-refused", "ssh: connect to host gpu1 port 2222: Connection refused"},
      {"host-silent", "ssh: connect to host gpu1 port 2222: Connection timed out"},
      {"no-route", "ssh: connect to host gpu1 port 2222: No route to host"},
      {"ssh-closed", "kex_exchange_identification: Connection closed by remote host"},
      {"ssh-failed", "something else"}};
  for (const auto& [code, said] : kSaid) EXPECT_EQ(sshTroubleOf(host, said).code, code) << said;
}

TEST(SshCommand, NeverAsksAndNeverTakesAHostForAnOption) {
  const auto command = sshCommand({"jane", "gpu1", 2222, 0});
  const std::vector<std::string> wanted{"ssh", "-T",   "-o", "BatchMode=yes", "-o", "ConnectTimeout=5",
                                        "-p",  "2222", "--", "jane@gpu1",     "sh", "-s"};
  EXPECT_EQ(command, wanted);
}

TEST(SshHostFacts, AreReadFromWhatTheScriptPrints) {
  const auto facts =
      readHostFacts({"name=gpu1", "has=python3", "has=bash", "free=2048", "odd",
                     "gpu=NVIDIA A10, with comma, 24564 MiB, 535.1", "gpu=NVIDIA A10, 1 MiB, 535.1"});
  EXPECT_EQ(facts.name, "gpu1");
  EXPECT_EQ(facts.freeBytes, 2048U * 1024);
  ASSERT_EQ(facts.gpus.size(), 2U);
  EXPECT_EQ(facts.gpus[0].name, "NVIDIA A10, with comma");
  EXPECT_EQ(facts.gpus[1].driver, "535.1");
  EXPECT_FALSE(readHostFacts({"free="}).freeBytes);
}

/// An ssh that stays here: each host has programs of its own in front of this machine's.
struct FakeSsh : LocalWorld {
  FakeSsh() {
    const std::string at = dir.path().string();
    program("ssh",
            "if [ \"$1\" = -G ]; then echo hostname 127.0.0.1; exit; fi\n"
            "while [ \"$1\" != -- ]; do shift; done\nhost=$2\nshift 2\n"
            "case $host in strange) echo 'Host key verification failed.' >&2; exit 255;; esac\n"
            "PATH=" +
                at + "/$host:/usr/bin:/bin exec \"$@\"");
  }
  void on(const std::string& host, const std::string& name, const std::string& script) const {
    fs::create_directories(dir.path() / host);
    const auto file = dir.path() / host / name;
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  [[nodiscard]] StepReport check(const std::vector<SshHost>& hosts) const {
    return checkHosts(hosts, freePort(), setup.run, {});
  }
};

TEST(HostsCheck, GpusDriversAndSlotsAreCompared) {
  FakeSsh world;
  const std::string noise = "echo 'Welcome to this machine'\n";
  world.on("one", "nvidia-smi", noise.substr(0, 0) + "echo 'NVIDIA H100 80GB HBM3, 81559 MiB, 535.129.03'");
  world.on("two", "nvidia-smi", "echo 'NVIDIA H100 80GB HBM3, 81559 MiB, 550.54.15'");
  world.on("three", "nvidia-smi",
           "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18");
  const StepReport report = world.check({{"", "one", 0, 4}, {"", "two", 0, 1}, {"", "three", 0, 0}});
  EXPECT_TRUE(says(report, "1 × NVIDIA H100 80GB HBM3, driver 535.129.03")) << textOf(report);
  EXPECT_TRUE(hasCode(report, "slots-exceed-gpus")) << textOf(report);
  EXPECT_TRUE(hasCode(report, "driver-mismatch")) << textOf(report);
  EXPECT_TRUE(says(report, "535.129.03 on one; 550.54.15 on two")) << textOf(report);
  EXPECT_TRUE(hasCode(report, "driver-broken")) << textOf(report);
  EXPECT_TRUE(says(report, "Driver/library version mismatch")) << textOf(report);
  // The three share one machine here, so only one of them gets the port.
  EXPECT_TRUE(hasCode(report, "port-taken")) << textOf(report);
  ASSERT_GE(report.tables.size(), 2U);
  EXPECT_EQ(report.tables[0].rows.size(), 3U);
}

TEST(HostsCheck, OneThatCannotBeReachedDoesNotHideTheOthers) {
  FakeSsh world;
  world.on("one", "df", "echo head; echo /dev/x 1 1 100 99% /");
  const StepReport report = world.check({{"", "one", 0, 0}, {"", "strange", 0, 0}});
  EXPECT_EQ(report.state, StepState::Blocked);
  EXPECT_TRUE(hasCode(report, "host-key-unknown")) << textOf(report);
  EXPECT_TRUE(says(report, "one can be reached")) << textOf(report);
  EXPECT_TRUE(hasCode(report, "host-disk-low")) << textOf(report);
  EXPECT_TRUE(hasCode(report, "ports-not-tried")) << textOf(report);
}

TEST(HostsStep, WithoutAHostsFileItIsNotApplicable) {
  LocalWorld world;
  EXPECT_EQ(makeHostsStep(world.context())->check({}).state, StepState::NotApplicable);
  world.setup.choices.hostsFile = (world.dir.path() / "hosts").string();
  EXPECT_TRUE(hasCode(makeHostsStep(world.context())->check({}), "hosts-file"));
}

TEST(HostsStep, ThePortIsTheFrameworks) {
  EXPECT_EQ(meetingPortOf(std::nullopt), 29400);
  ClusterSpec spec;
  spec.framework = Framework::Dask;
  EXPECT_EQ(meetingPortOf(spec), 8786);
  spec.framework = Framework::PyTorch;
  spec.clusterEnv = {{"MASTER_PORT", "31000"}};
  EXPECT_EQ(meetingPortOf(spec), 31000);
}

/// A real sshd on loopback with keys of its own.
class RealSshd {
 public:
  /// Empty when it listens; else why not.
  std::string start() {
    for (const char* program : {"ssh", "ssh-keygen"})
      if (!hasProgram(program)) return std::string("the program '") + program + "' is missing";
    if (!fs::exists("/usr/sbin/sshd")) return "openssh-server is not installed";
    if (::geteuid() == 0) fs::create_directories("/run/sshd");
    for (const char* key : {"host", "id", "other"})
      if (run("ssh-keygen -qt ed25519 -N '' -f " + at(key)).code != 0) return "no key could be made";
    port = freePort();
    std::ofstream(at("sshd_config")) << "Port " << port << "\nListenAddress 127.0.0.1\nHostKey " << at("host")
                                     << "\nPidFile none\nAuthorizedKeysFile " << at("id.pub")
                                     << "\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
                                        "PermitRootLogin prohibit-password\n";
    ProcessOptions options;
    options.command = {"/usr/sbin/sshd", "-D", "-e", "-f", at("sshd_config")};
    options.environment = currentEnvironment();
    options.dieWithParent = true;
    std::FILE* log = std::fopen(at("log").c_str(), "w");
    options.stderrFd = ::fileno(log);
    auto sshd = ChildProcess::start(options);
    std::fclose(log);
    if (!sshd) return describe(sshd.error());
    sshd_.emplace(std::move(*sshd));
    for (int i = 0; i < 500 && text("log").find("Server listening") == std::string::npos; ++i)
      std::this_thread::sleep_for(20ms);
    if (text("log").find("Server listening") == std::string::npos)
      return "sshd did not start: " + text("log");
    std::ofstream(at("known")) << "[127.0.0.1]:" << port << " " << text("host.pub");
    std::ofstream(at("changed")) << "[127.0.0.1]:" << port << " " << text("other.pub");
    std::ofstream(at("empty")) << "";
    return {};
  }
  ~RealSshd() {
    if (!sshd_) return;
    sshd_->signalAll(SIGTERM);
    sshd_->waitFor(10s);
  }
  /// The system's ssh, with these keys in place of the user's.
  [[nodiscard]] CommandRunner runner(const std::string& known, const std::string& identity) const {
    const std::string config = at("config-" + known + "-" + identity);
    std::ofstream(config) << "UserKnownHostsFile " << at(known)
                          << "\nGlobalKnownHostsFile none\nIdentityFile " << at(identity)
                          << "\nIdentitiesOnly yes\nIdentityAgent none\n";
    return [config](std::vector<std::string> command, const Secret& input, std::chrono::milliseconds limit,
                    const std::stop_token& stop) {
      if (command[0] == "ssh") command.insert(command.begin() + 1, {"-F", config});
      return runCaptured(command, limit, stop, input);
    };
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (dir_.path() / name).string(); }
  [[nodiscard]] std::string text(const std::string& name) const { return readFile(at(name)).value_or(""); }
  int port = 0;

 private:
  TempDir dir_;
  std::optional<ChildProcess> sshd_;
};

TEST(HostsOverSsh, ReachableAndWhyNotAreTold) {
  RealSshd sshd;
  if (const std::string why = sshd.start(); !why.empty()) GTEST_SKIP() << why;
  const SshHost host{"", "127.0.0.1", sshd.port, 0};
  const auto check = [&](const std::string& known, const std::string& identity, const SshHost& one) {
    return checkHosts({one}, 29400, sshd.runner(known, identity), {});
  };
  StepReport report = check("known", "id", host);
  EXPECT_NE(report.state, StepState::Blocked) << textOf(report) << sshd.text("log");
  EXPECT_TRUE(says(report, "127.0.0.1 can be reached")) << textOf(report);
  EXPECT_TRUE(hasCode(check("empty", "id", host), "host-key-unknown"));
  EXPECT_TRUE(hasCode(check("changed", "id", host), "host-key-changed"));
  EXPECT_TRUE(hasCode(check("known", "other", host), "key-refused"));
  ::chmod(sshd.at("id").c_str(), 0644);
  EXPECT_TRUE(hasCode(check("known", "id", host), "key-mode"));
  const SshHost nobody{"", "127.0.0.1", freePort(), 0};
  EXPECT_TRUE(hasCode(check("known", "id", nobody), "ssh-refused"));
}

TEST(HostsOverSsh, HostKeysAreTrustedOnlyWhenThatIsAskedForAndForgottenAgain) {
  RealSshd sshd;
  if (const std::string why = sshd.start(); !why.empty()) GTEST_SKIP() << why;
  const std::string own = "[127.0.0.2]:22 ssh-ed25519 AAAA of mine\n";
  std::ofstream(sshd.at("empty")) << own;
  const std::vector<SshHost> hosts{{"", "127.0.0.1", sshd.port, 0}};
  const auto check = [&] { return checkHosts(hosts, 29400, sshd.runner("empty", "id"), {}); };
  const StepReport report = check();
  const ProposedFix* fix = fixOf(report, "trust-host-keys");
  ASSERT_NE(fix, nullptr) << textOf(report);
  EXPECT_TRUE(fix->isUnsafe);
  const std::string shown = run("ssh-keygen -lf " + sshd.at("host.pub") + " | cut -d' ' -f2").text;
  EXPECT_NE(fix->after.find(shown.substr(0, shown.size() - 1)), std::string::npos) << fix->after << shown;
  const auto changes = applied(report, "trust-host-keys");
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_TRUE(says(check(), "127.0.0.1 can be reached")) << textOf(check());
  LocalWorld world;
  EXPECT_TRUE(makeHostsStep(world.context())->takeBack(changes[0], {}));
  EXPECT_EQ(sshd.text("empty"), own);
}

TEST(HostsOverSsh, TheCommandPrintsItsReportAndEndsWithItsVerdict) {
  RealSshd sshd;
  if (const std::string why = sshd.start(); !why.empty()) GTEST_SKIP() << why;
  LocalWorld world;
  (void)sshd.runner("known", "id");
  world.program("ssh", "exec /usr/bin/ssh -F " + sshd.at("config-known-id") + " \"$@\"");
  std::ofstream(world.dir.path() / "hosts") << "127.0.0.1:" << sshd.port << "\n";
  const auto lockstep = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {std::string(LOCKSTEP_BIN_DIR) + "/lockstep", "hosts", "check",
                               (world.dir.path() / "hosts").string()});
    return runProgram(more, {{"PATH", world.programs().string() + ":/usr/bin:/bin"},
                             {"HOME", world.dir.path().string()},
                             {"LOCKSTEP_HOME", (world.dir.path() / "lockstep").string()}});
  };
  const auto [code, text] = lockstep({"--json", "--port", "31000"});
  const auto report = nlohmann::json::parse(text, nullptr, false);
  EXPECT_EQ(code, 0) << text;
  ASSERT_TRUE(report.is_object()) << text;
  EXPECT_TRUE(report.contains("findings"));
  const auto [plainCode, plain] = lockstep({});
  EXPECT_EQ(plainCode, 0);
  EXPECT_NE(plain.find("127.0.0.1 can be reached"), std::string::npos) << plain;
  std::ofstream(world.dir.path() / "hosts") << "127.0.0.1:" << freePort() << "\n";
  EXPECT_EQ(lockstep({}).first, 1);
  std::ofstream(world.dir.path() / "hosts") << "a b c\n";
  EXPECT_NE(lockstep({}).first, 0);
}

/// Two machines with an sshd each; the check runs on the first.
class HostsOnACable : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"ssh", "ssh-keygen"})
      if (!hasProgram(program)) GTEST_SKIP() << "the program '" << program << "' is missing";
    if (!fs::exists("/usr/sbin/sshd")) GTEST_SKIP() << "openssh-server is not installed";
    if (const std::string why = cable.start(); !why.empty()) GTEST_SKIP() << why;
    ASSERT_EQ(run("ssh-keygen -qt ed25519 -N '' -f " + at("id") + " && ssh-keygen -qt ed25519 -N '' -f " +
                  at("host"))
                  .code,
              0);
    const std::string host = readFile(at("host.pub")).value_or("");
    std::ofstream(at("known")) << TwoHosts::kAddresses[0] << "," << TwoHosts::kAddresses[1] << " " << host;
    std::ofstream(at("config")) << "UserKnownHostsFile " << at("known") << "\nIdentityFile " << at("id")
                                << "\nIdentitiesOnly yes\nIdentityAgent none\n";
    std::ofstream(at("sshd_config")) << "HostKey " << at("host") << "\nPidFile none\nAuthorizedKeysFile "
                                     << at("id.pub")
                                     << "\nStrictModes no\nUsePAM no\nPermitRootLogin prohibit-password\n"
                                        "MaxStartups 100\n";
    for (const std::size_t i : {0U, 1U}) {
      const Said said = cable.on(i, "mkdir -p /run/sshd && /usr/sbin/sshd -f " + at("sshd_config"));
      ASSERT_EQ(said.code, 0) << said.text;
    }
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (dir.path() / name).string(); }
  CommandRunner runner() {
    return [this](std::vector<std::string> command, const Secret& input, std::chrono::milliseconds,
                  const std::stop_token&) -> Result<CapturedExit> {
      const std::string name = at("call" + std::to_string(++calls));
      if (command[0] == "ssh") command.insert(command.begin() + 1, {"-F", at("config")});
      std::string line;
      for (const std::string& word : command) line += quoteShell(word) + " ";
      std::ofstream(name + ".in") << input.reveal();
      const Said said = cable.on(0, line + "<" + name + ".in >" + name + ".out 2>" + name + ".err");
      CapturedExit done;
      done.exit.exitCode = said.code;
      done.output = readFile(name + ".out").value_or("");
      done.errors = readFile(name + ".err").value_or("");
      return done;
    };
  }
  StepReport check() { return checkHosts(hosts, kPort, runner(), {}); }
  std::vector<PortPeer> peersWith(const std::set<std::string>& first, const std::set<std::string>& second) {
    std::vector<PortPeer> peers;
    for (const std::size_t i : {0U, 1U}) peers.push_back({hosts[i], TwoHosts::kAddresses[i], {}});
    peers[0].facts.programs = first;
    peers[1].facts.programs = second;
    return peers;
  }
  /// Nobody may listen any longer.
  void expectQuiet() {
    for (const std::size_t i : {0U, 1U}) {
      const Said said = cable.on(i, "sleep 0.2; ss -Hltn sport = :29400 | wc -l");
      EXPECT_EQ(said.text, "0\n") << "a listener was left behind";
    }
  }

  static constexpr int kPort = 29400;
  TempDir dir;
  TwoHosts cable;
  std::atomic<int> calls{0};
  const std::vector<SshHost> hosts{{"root", TwoHosts::kAddresses[0], 0, 0},
                                   {"", TwoHosts::kAddresses[1], 0, 0}};
};

TEST_F(HostsOnACable, EveryPairIsReachedOnThePortAndOnAnyOther) {
  const StepReport report = check();
  EXPECT_NE(report.state, StepState::Blocked) << textOf(report);
  EXPECT_TRUE(says(report, "port 29400 is reachable between 2 pairs")) << textOf(report);
  EXPECT_TRUE(says(report, "a port of the machine's own choice is reachable between 2 pairs"))
      << textOf(report);
  ASSERT_EQ(report.tables.size(), 3U);
  EXPECT_EQ(report.tables[1].rows[0][2].text, "open");
  EXPECT_EQ(report.tables[1].rows[0][1].text, "–");
  expectQuiet();
}

TEST_F(HostsOnACable, WhateverAMachineHasIsUsed) {
  const std::vector<std::pair<std::set<std::string>, std::set<std::string>>> kinds{
      {{"python3"}, {"perl"}}, {{"perl"}, {"python3"}}, {{"perl"}, {"perl"}}};
  for (const auto& [first, second] : kinds) {
    const PortTrial trial = tryPorts(peersWith(first, second), kPort, runner(), {});
    EXPECT_EQ(toString(trial.named[0][1]), std::string("open")) << *first.begin() << " " << *second.begin();
    EXPECT_EQ(toString(trial.named[1][0]), std::string("open")) << *first.begin() << " " << *second.begin();
    EXPECT_EQ(toString(trial.any[0][1]), std::string("open"));
  }
  PortTrial trial = tryPorts(peersWith({"bash", "timeout"}, {"perl"}), kPort, runner(), {});
  EXPECT_EQ(toString(trial.named[0][1]), std::string("open")) << "bash alone connects";
  EXPECT_EQ(trial.named[1][0], Reach::NotTried) << "but cannot listen";
  EXPECT_FALSE(trial.listenTrouble[0].empty());
  if (cable.on(1, "nc -h 2>&1 | grep -q OpenBSD").code == 0) {
    trial = tryPorts(peersWith({"bash", "timeout"}, {"nc", "timeout"}), kPort, runner(), {});
    EXPECT_EQ(toString(trial.named[0][1]), std::string("open")) << trial.listenTrouble[1];
  }
  expectQuiet();
}

TEST_F(HostsOnACable, FirewallsThatDropRejectOrCloseTheRestAreToldApart) {
  if (!hasProgram("nft")) GTEST_SKIP() << "nftables is not installed";
  const auto filter = [&](const std::string& rule) {
    std::ofstream(at("rules"))
        << "flush ruleset\ntable inet t {\n chain in {\n  type filter hook input priority 0;\n"
        << "  " << rule << "\n }\n}\n";
    const Said said = cable.on(1, "nft -f " + at("rules"));
    ASSERT_EQ(said.code, 0) << said.text;
  };
  filter("iifname \"net0\" tcp dport 29400 drop");
  StepReport report = check();
  EXPECT_TRUE(hasCode(report, "port-closed")) << textOf(report);
  EXPECT_TRUE(says(report, "10.78.0.10 → 10.78.0.11: no answer")) << textOf(report);
  EXPECT_EQ(report.tables[1].rows[1][1].text, "open") << "the other direction is";
  filter("iifname \"net0\" tcp dport 29400 reject with tcp reset");
  report = check();
  EXPECT_TRUE(says(report, "10.78.0.10 → 10.78.0.11: refused")) << textOf(report);
  PortTrial trial = tryPorts(peersWith({"bash", "timeout"}, {"perl"}), kPort, runner(), {});
  EXPECT_EQ(trial.named[0][1], Reach::Refused) << "by bash";
  trial = tryPorts(peersWith({"perl"}, {"perl"}), kPort, runner(), {});
  EXPECT_EQ(trial.named[0][1], Reach::Refused) << "by perl";
  filter("iifname \"net0\" tcp dport 1024-29399 drop\n  iifname \"net0\" tcp dport 29401-65535 drop");
  report = check();
  EXPECT_TRUE(hasCode(report, "other-ports-closed")) << textOf(report);
  EXPECT_FALSE(hasCode(report, "port-closed")) << textOf(report);
}

TEST_F(HostsOnACable, AnotherProgramOnThePortIsNamed) {
  const Said said = cable.on(
      1,
      "setsid perl -MSocket -e 'socket(S,PF_INET,SOCK_STREAM,6);setsockopt(S,SOL_SOCKET,SO_REUSEADDR,1);"
      "bind(S,sockaddr_in(29400,INADDR_ANY));listen(S,5);sleep 100' </dev/null >/dev/null 2>&1 & sleep 0.5");
  ASSERT_EQ(said.code, 0) << said.text;
  const StepReport report = check();
  EXPECT_TRUE(hasCode(report, "port-taken")) << textOf(report);
  EXPECT_TRUE(says(report, "port 29400 of 10.78.0.11 is taken")) << textOf(report);
}

}  // namespace
}  // namespace lockstep::testing
