// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes in namespaces of their own: real processes, real packets.
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>

#include "tests/app/rehearsal/network/network_two_subnets.h"

namespace lockstep::testing {
namespace {

TEST_F(Isolation, ANodeIsAHostOfItsOwn) {
  auto node = join(0, 0), other = join(1, 0);
  ASSERT_TRUE(node && other);
  EXPECT_EQ(node->ask("hostname"), "job-aaaaaaaatest-0");
  EXPECT_EQ(node->ask("resolve job-aaaaaaaatest-0"), "10.0.0.2");
  EXPECT_EQ(node->ask("resolve job-aaaaaaaatest-0.lockstep.lockstep.oraclevcn.com"), "10.0.0.2");
  EXPECT_EQ(node->ask("resolve localhost"), "127.0.0.1");
  EXPECT_EQ(node->ask("share probe"), "made");
  EXPECT_EQ(other->ask("share probe"), "made") << "shared memory is a host's own";
  EXPECT_EQ(node->ask("interfaces"), "eth0 10.0.0.2/24 lo 127.0.0.1/8 ");
}

TEST_F(Isolation, RunsWithoutASubnetHaveANetworkToThemselves) {
  auto first = join(0, -1), second = join(1, -1);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(address_[0], "172.20.0.2");
  second->ask("listen 6 7000");
  Packet packet{*parseIpv4(address_[0]), *parseIpv4(address_[1]), kTcp, 43000, 7000, 0, 0};
  EXPECT_TRUE(first->talk(packet, true));
  EXPECT_EQ(first->fetch(port_, "hello", true), "HELLO");
}

TEST_F(Isolation, TheRelayCarriesMuchBothWaysAndTellsAbsence) {
  auto node = join(0, 0);
  ASSERT_TRUE(node);
  std::string text(3 << 20, 'a');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('a' + i % 26);
  EXPECT_EQ(node->ask("pump " + std::to_string(port_) + " " + std::to_string(text.size())), "same");
  server_.stop();
  EXPECT_EQ(node->ask("fetch " + std::to_string(port_) + " x 5000"), "") << "a connection that breaks";
}

TEST_F(Isolation, NodesGoOnWithoutTheRegionAndANewOneFindsThem) {
  auto first = join(0, 0);
  ASSERT_TRUE(first);
  network_ =
      VcnNetwork::create(*database_, {temp_.path() / "network", {port_}});  // a region that starts again
  const auto again = network_->join(kRun, 0, subnets_[0]);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->address, "10.0.0.2") << "the same address";
  auto second = join(1, 0);
  ASSERT_TRUE(second);
  EXPECT_EQ(address_[1], "10.0.0.3");
  second->ask("listen 6 8000");
  Packet packet{*parseIpv4(address_[0]), *parseIpv4(address_[1]), kTcp, 44000, 8000, 0, 0};
  EXPECT_TRUE(first->talk(packet, true)) << "both are on one switch";
  second->killHard();
  network_->leave("ocid1.datasciencejobrun.oc1.rehearsal.another");
  auto third = join(2, 0);
  ASSERT_TRUE(third);
  third->ask("listen 6 8000");
  packet.destination = *parseIpv4(address_[2]);
  packet.sourcePort = 44001;
  EXPECT_TRUE(first->talk(packet, true)) << "the switch outlives a holder";
}

TEST_F(Isolation, AddressesComeBackAndLeasesOfEndedRunsAreForgotten) {
  ASSERT_TRUE(network_->join(kRun, 0, subnets_[0]));
  network_->leave(kRun);
  EXPECT_TRUE(std::filesystem::is_empty(temp_.path() / "network"));
  ASSERT_EQ(network_->join(kRun, 5, subnets_[0])->address, "10.0.0.2");
  {
    Transaction transaction(*database_);
    auto run = *findResource(transaction, kind::kJobRun, kRun);
    run.state = "SUCCEEDED";
    updateResource(transaction, run);
    transaction.commit();
  }
  network_ = VcnNetwork::create(*database_, {temp_.path() / "network", {port_}});
  EXPECT_EQ(network_->join(kRun, 6, subnets_[0])->address, "10.0.0.2");
  EXPECT_EQ(network_->join(kRun, 7, "ocid1.subnet.none").error().code, ErrorCode::NotFound);
}

TEST_F(Isolation, ARegionThatIsolatesNoLongerForgetsTheLeasesOfRunsThatEnd) {
  const std::string ended = "ocid1.datasciencejobrun.oc1.rehearsal.aaaaaaaaended";
  ASSERT_TRUE(network_->join(kRun, 0, subnets_[0]));
  ASSERT_TRUE(network_->join(ended, 0, subnets_[0])) << "it is not among the runs, as one that was deleted";
  const auto runsWithLeases = [&] {
    Transaction transaction(*database_);
    std::vector<std::string> runs;
    for (const AddressLease& lease : allLeases(transaction)) runs.push_back(lease.run);
    return runs;
  };
  const auto shared = VcnNetwork::create(*database_, {temp_.path() / "network", {port_}, false});
  EXPECT_EQ(runsWithLeases(), std::vector<std::string>{kRun}) << "it is live, where it began";
  shared->leave(kRun);
  EXPECT_TRUE(runsWithLeases().empty());
}

TEST_F(Isolation, ASubnetRunsOutOfAddresses) {
  {
    Transaction transaction(*database_);
    auto subnet = *findResource(transaction, kind::kSubnet, subnets_[0]);
    subnet.body["cidrBlock"] = "10.0.0.0/30";  // its first two addresses and the last are the network's
    updateResource(transaction, subnet);
    transaction.commit();
  }
  EXPECT_TRUE(network_->join(kRun, 0, subnets_[0]));
  EXPECT_EQ(network_->join(kRun, 1, subnets_[0]).error().code, ErrorCode::ResourceExhausted);
}

std::string leftovers() {
  std::string text;
  for (const char* file : {"/proc/self/mountinfo", "/proc/net/dev", "/proc/net/route"}) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) text += line.substr(0, line.find(':')) + "\n";
  }
  return text;
}

TEST_F(Isolation, ANodeThatLeavesIsUnpluggedBeforeItsAddressIsGivenAway) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP()
      << "a thread of the sanitizer's lives on in the node's process, which may not leave its network then";
#endif
  auto first = join(0, 0), old = join(1, 0);
  ASSERT_TRUE(first && old);
  old->ask("listen 6 9200");
  Packet packet{*parseIpv4(address_[0]), *parseIpv4(address_[1]), kTcp, 44500, 9200, 0, 0};
  EXPECT_TRUE(first->talk(packet, true));
  EXPECT_EQ(old->ask("leave"), "lo 127.0.0.1/8 ");
  auto next = join(1, 0);  // takes the same address, while the process of the old one still lives
  ASSERT_TRUE(next);
  next->ask("listen 6 9201");
  packet.sourcePort = 44501;
  packet.destinationPort = 9201;
  EXPECT_TRUE(first->talk(packet, true)) << "what is for the address comes to its new node";
}

TEST_F(Isolation, NothingIsLeftOfNodesThatAreKilled) {
  const std::string before = leftovers();
  auto first = join(0, 0), second = join(1, 1);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(leftovers(), before) << "the machine's own network and mounts are not touched";
  first->killHard();
  second->killHard();
  EXPECT_EQ(leftovers(), before);
  auto third = join(2, 0);
  ASSERT_TRUE(third) << "records of the dead do not mislead";
}

// Says what joining costs, in microseconds, without judging it: the machine may be busy.
TEST_F(Isolation, ManyNodesOnOneSwitch) {
  constexpr int kNodes = 24;
  std::vector<std::unique_ptr<NodeProcess>> nodes;
  std::vector<long long> cost;
  for (int i = 0; i < kNodes; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    nodes.push_back(join(i, 0));
    ASSERT_TRUE(nodes.back());
    cost.push_back(
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  std::sort(cost.begin(), cost.end());
  RecordProperty("join_us_median_of_24", static_cast<int>(cost[kNodes / 2]));
  std::cout << "joining, n=" << kNodes << ": median " << cost[kNodes / 2] << " us, from " << cost.front()
            << " to " << cost.back() << "\n";
  nodes.back()->ask("listen 6 9100");
  Packet packet{*parseIpv4(address_[0]), *parseIpv4(address_[kNodes - 1]), kTcp, 46000, 9100, 0, 0};
  EXPECT_TRUE(nodes.front()->talk(packet, true));
}

TEST(IsolationProbe, ATrialBegunEarlySaysTheSameAndLeavesNoProcess) {
  const auto direct = probeIsolation();
  IsolationProbe early;
  const auto answer = early.wait();
  ASSERT_EQ(answer.has_value(), direct.has_value());
  if (direct)
    EXPECT_EQ(*answer, *direct);
  else
    EXPECT_EQ(describe(answer.error()), describe(direct.error()));
  { const IsolationProbe nobodyAsks; }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a trial is still going on";
}

TEST_F(Isolation, WorksWithoutPrivilegesThroughAUserNamespace) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user to try this";
  constexpr uid_t kNobody = 65534;
  const auto allowed = NodeProcess::mayMakeUserNamespaces(kNobody);
  if (!allowed) GTEST_SKIP() << "this machine gives unprivileged users no user namespaces";
  std::filesystem::create_directories(temp_.path() / "network");
  std::unique_ptr<NodeProcess> nodes[2];
  for (int i = 0; i < 2; ++i) {
    auto lease = network_->join(kRun, i, subnets_[0]);
    ASSERT_TRUE(lease);
    address_[i] = lease->address;
    lease->spec["privilege"] = "userNamespace";
    giveTo(temp_.path(), kNobody);
    nodes[i] = NodeProcess::start(lease->spec, kNobody);
    ASSERT_EQ(nodes[i]->problem(), "");
  }
  nodes[1]->ask("listen 6 9000");
  Packet packet{*parseIpv4(address_[0]), *parseIpv4(address_[1]), kTcp, 45000, 9000, 0, 0};
  EXPECT_TRUE(nodes[0]->talk(packet, true));
  EXPECT_EQ(nodes[0]->fetch(port_, "hello", true), "HELLO");
  setRules(0, "in udp 10.0.0.0/24");
  giveTo(temp_.path(), kNobody);  // until now only root could read what changed
  for (const auto& entry : std::filesystem::directory_iterator(temp_.path() / "network"))
    if (entry.path().extension() == ".nft") std::ofstream(entry.path(), std::ios::app).close();
  packet.sourcePort = 45001;
  EXPECT_TRUE(eventuallyIs([&] {
    ++packet.sourcePort;
    return !nodes[0]->talk(packet, false);
  }));
}

}  // namespace
}  // namespace lockstep::testing
