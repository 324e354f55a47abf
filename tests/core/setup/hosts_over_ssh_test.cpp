// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts over the system's ssh and a real sshd on loopback.
#include <sys/stat.h>

#include "setup/hosts/hosts_step.h"
#include "setup/ssh/ssh_host_check.h"
#include "tests/core/setup/local_world.h"
#include "tests/support/real_sshd.h"

namespace lockstep::testing {
namespace {

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

TEST(HostsOverSsh, TheCommandPrintsItsReportAndEndsWithItsResult) {
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

}  // namespace
}  // namespace lockstep::testing
