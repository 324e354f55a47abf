// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/hosts/hosts_step.h"
#include "setup/ssh/ssh_host_check.h"
#include "setup/ssh/ssh_host_facts.h"
#include "tests/core/setup/local_world.h"
#include "tests/support/real_sshd.h"

namespace lockstep::testing {
namespace {

namespace fs = std::filesystem;

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
  spec.framework = Framework::Ray;
  EXPECT_EQ(meetingPortOf(spec), 3000);
  spec.framework = Framework::Unknown;
  EXPECT_EQ(meetingPortOf(spec), 29400) << "what is no kind that we know is taken for PyTorch";
  spec.framework = Framework::PyTorch;
  spec.clusterEnv = {{"MASTER_PORT", "31000"}};
  EXPECT_EQ(meetingPortOf(spec), 31000);
}

}  // namespace
}  // namespace lockstep::testing
