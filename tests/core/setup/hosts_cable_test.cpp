// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts with networks of their own: who reaches whom on which port.
#include <atomic>

#include "base/text/quote.h"
#include "setup/ssh/ssh_host_check.h"
#include "setup/ssh/ssh_host_ports.h"
#include "tests/core/export/mpirun_two_hosts.h"
#include "tests/core/setup/local_world.h"

namespace lockstep::testing {
namespace {

namespace fs = std::filesystem;

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
  EXPECT_EQ(trial.named[1][0], ConnectOutcome::NotTried) << "but cannot listen";
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
  EXPECT_EQ(trial.named[0][1], ConnectOutcome::Refused) << "by bash";
  trial = tryPorts(peersWith({"perl"}, {"perl"}), kPort, runner(), {});
  EXPECT_EQ(trial.named[0][1], ConnectOutcome::Refused) << "by perl";
  // New connections only: what the machine itself began is answered to a port of its own choice.
  filter(
      "iifname \"net0\" tcp flags & (syn | ack) == syn tcp dport 1024-29399 drop\n"
      "  iifname \"net0\" tcp flags & (syn | ack) == syn tcp dport 29401-65535 drop");
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
