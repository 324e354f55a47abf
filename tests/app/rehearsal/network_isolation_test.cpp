// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes in namespaces of their own: real processes, real packets.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <set>

#include "network_node_process.h"
#include "network_rule_text.h"
#include "rehearsal/network/isolation_probe.h"
#include "rehearsal/network/network_resources.h"
#include "rehearsal/network/seats.h"
#include "rehearsal/network/seed_network.h"
#include "rehearsal/network/vcn_network.h"
#include "rehearsal/state/seed.h"
#include "temp_dir.h"

namespace {

using namespace lockstep;
using namespace lockstep::rehearsal;
using namespace lockstep::testing;
using nlohmann::json;

constexpr const char* kRun = "ocid1.datasciencejobrun.oc1.rehearsal.aaaaaaaatest";

/// A region's database with a VCN of two subnets, one node in each.
class Isolation : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto privilege = probeIsolation();
    if (!privilege) GTEST_SKIP() << "nodes cannot be isolated here: " << describe(privilege.error());
    auto opened = Database::open(temp_.path() / "state.sqlite");
    ASSERT_TRUE(opened);
    database_ = std::move(*opened);
    fillState();
    port_ = server_.port();
    network_ = VcnNetwork::create(*database_, {temp_.path() / "network", {port_}});
    ASSERT_EQ(network_->unenforcedBecause(), "");
  }

  void fillState() {
    Session session(*database_);
    seedTenancy(session, false, std::chrono::system_clock::now());
    seedNetwork(session, std::chrono::system_clock::now());
    subnets_[0] = seed::kSubnet;
    addSecondSubnet(session);
    addRun(session, kRun);
    session.commit();
  }

  void addSecondSubnet(Session& session) {
    auto subnet = *findResource(session, kind::kSubnet, seed::kSubnet);
    auto list = *findResource(session, kind::kSecurityList, listOf(subnet));
    list.id = makeOcid(kind::kSecurityList);
    insertResource(session, list);
    subnets_[1] = subnet.id = makeOcid(kind::kSubnet);
    subnet.body["cidrBlock"] = "10.0.1.0/24";
    subnet.body["securityListIds"] = {list.id};
    insertResource(session, subnet);
  }

  static void addRun(Session& session, const std::string& id) {
    Resource run = freshResource(kind::kJobRun, seed::kCompartment, "", "run", 0);
    run.id = id;
    run.state = "IN_PROGRESS";
    insertResource(session, run);
  }

  static std::string listOf(const Resource& subnet) { return subnet.body["securityListIds"][0]; }

  void setRules(int subnet, const std::string& text) {
    const RuleArrays rules = readRules(text);
    {
      Session session(*database_);
      const auto of = findResource(session, kind::kSubnet, subnets_[subnet]);
      auto list = *findResource(session, kind::kSecurityList, listOf(*of));
      list.body["ingressSecurityRules"] = rules.ingress;
      list.body["egressSecurityRules"] = rules.egress;
      updateResource(session, list);
      session.commit();
    }
    network_->refresh();
  }

  std::unique_ptr<NodeProcess> join(int node, int subnet, uid_t user = 0) {
    const auto seat = network_->join(kRun, node, subnet < 0 ? "" : subnets_[subnet]);
    EXPECT_TRUE(seat);
    if (!seat) return nullptr;
    address_[node] = seat->address;
    auto process = NodeProcess::start(seat->spec, user);
    EXPECT_EQ(process->problem(), "");
    return process;
  }

  TempDir temp_;
  EchoServer server_;  // in the place of the region
  std::unique_ptr<Database> database_;
  std::unique_ptr<VcnNetwork> network_;
  std::string subnets_[2];
  std::string address_[8];
  int port_ = 0;
};

TEST_F(Isolation, RealPacketsObeyEveryRowOfTheTable) {
  auto sender = join(0, 0), receiver = join(1, 1);
  ASSERT_TRUE(sender && receiver);
  EXPECT_EQ(address_[0], "10.0.0.2");
  EXPECT_EQ(address_[1], "10.0.1.2");
  std::set<std::string> listening;
  int source = 40000;
  for (const PacketCase& row : packetCases()) {
    setRules(0, row.sender);
    setRules(1, row.receiver);
    sender->loadFilter();
    receiver->loadFilter();
    const Packet packet = readPacket(row, ++source);
    const std::string service =
        std::to_string(packet.protocol) + " " + std::to_string(packet.destinationPort);
    if (packet.protocol != kIcmp && listening.insert(service).second) receiver->ask("listen " + service);
    EXPECT_EQ(sender->talk(packet, row.talks), row.talks) << row.name;
  }
}

TEST_F(Isolation, RulesThatChangeAreInForceForNodesThatRun) {
  auto sender = join(0, 0), receiver = join(1, 1);
  ASSERT_TRUE(sender && receiver);
  receiver->ask("listen 6 5000");
  int source = 41000;
  const auto talks = [&](bool expected) {
    Packet packet{*parseIpv4("10.0.0.2"), *parseIpv4("10.0.1.2"), kTcp, ++source, 5000, 0, 0};
    return sender->talk(packet, expected);
  };
  setRules(1, "");
  EXPECT_TRUE(eventuallyIs([&] { return !talks(false); }));
  setRules(1, "in tcp 10.0.0.0/16 5000");
  EXPECT_TRUE(eventuallyIs([&] { return talks(true); }));
  setRules(1, "in tcp 10.0.0.0/16 5001");
  EXPECT_TRUE(eventuallyIs([&] { return !talks(false); }));
}

TEST_F(Isolation, ServicesAreReachedByRoutesAndRules) {
  auto node = join(0, 0);
  ASSERT_TRUE(node);
  const auto reaches = [&](bool expected) { return node->fetch(port_, "hello", expected) == "HELLO"; };
  EXPECT_TRUE(reaches(true));
  setRules(0, "out all 10.0.0.0/16");  // everything but the services
  node->loadFilter();
  EXPECT_FALSE(reaches(false));
  setRules(0, "out tcp all-rehearsal-services-in-oracle-services-network 443");
  node->loadFilter();
  EXPECT_TRUE(reaches(true));
  setRules(0, "out tcp 0.0.0.0/0 80");
  node->loadFilter();
  EXPECT_FALSE(reaches(false));
  setRules(0, "out all 0.0.0.0/0");
  node->loadFilter();
  EXPECT_TRUE(reaches(true));
  {
    Session session(*database_);
    const auto subnet = findResource(session, kind::kSubnet, subnets_[0]);
    auto table = *findResource(session, kind::kRouteTable, subnet->body["routeTableId"]);
    table.body["routeRules"] = json::array();
    updateResource(session, table);
    session.commit();
  }
  network_->refresh();
  node->loadFilter();
  EXPECT_FALSE(reaches(false)) << "there is no route to the services any more";
}

TEST_F(Isolation, GroupsOfAVnicAddToTheLists) {
  auto sender = join(0, 0), receiver = join(1, 1);
  ASSERT_TRUE(sender && receiver);
  receiver->ask("listen 6 6000");
  setRules(0, "out all 0.0.0.0/0");
  setRules(1, "");
  Resource group;
  {
    Session session(*database_);
    group = freshResource(kind::kSecurityGroup, seed::kCompartment, seed::kVcn, "group", 0);
    group.hidden["rules"] = {{{"direction", "INGRESS"},
                              {"protocol", "6"},
                              {"source", group.id},
                              {"sourceType", "NETWORK_SECURITY_GROUP"}}};
    insertResource(session, group);
    session.commit();
  }
  int source = 42000;
  const auto talks = [&](std::initializer_list<int> members, bool expected) {
    {
      Session session(*database_);
      for (Seat seat : allSeats(session)) {
        seat.groups.clear();
        for (const int member : members)
          if (member == seat.node) seat.groups = {group.id};
        setGroups(session, seat);
      }
      session.commit();
    }
    network_->refresh();
    sender->loadFilter();
    receiver->loadFilter();
    return sender->talk({*parseIpv4("10.0.0.2"), *parseIpv4("10.0.1.2"), kTcp, ++source, 6000, 0, 0},
                        expected);
  };
  EXPECT_FALSE(talks({}, false));
  EXPECT_FALSE(talks({1}, false)) << "the sender is no member of the group that may send";
  EXPECT_TRUE(talks({0, 1}, true));
  EXPECT_FALSE(talks({0}, false));
}

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
  EXPECT_EQ(again->address, "10.0.0.2") << "the same seat";
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

TEST_F(Isolation, AddressesComeBackAndSeatsOfEndedRunsAreForgotten) {
  ASSERT_TRUE(network_->join(kRun, 0, subnets_[0]));
  network_->leave(kRun);
  EXPECT_TRUE(std::filesystem::is_empty(temp_.path() / "network"));
  ASSERT_EQ(network_->join(kRun, 5, subnets_[0])->address, "10.0.0.2");
  {
    Session session(*database_);
    auto run = *findResource(session, kind::kJobRun, kRun);
    run.state = "SUCCEEDED";
    updateResource(session, run);
    session.commit();
  }
  network_ = VcnNetwork::create(*database_, {temp_.path() / "network", {port_}});
  EXPECT_EQ(network_->join(kRun, 6, subnets_[0])->address, "10.0.0.2");
  EXPECT_EQ(network_->join(kRun, 7, "ocid1.subnet.none").error().code, StatusCode::NotFound);
}

TEST_F(Isolation, ASubnetRunsOutOfAddresses) {
  {
    Session session(*database_);
    auto subnet = *findResource(session, kind::kSubnet, subnets_[0]);
    subnet.body["cidrBlock"] = "10.0.0.0/30";  // its first two addresses and the last are the network's
    updateResource(session, subnet);
    session.commit();
  }
  EXPECT_TRUE(network_->join(kRun, 0, subnets_[0]));
  EXPECT_EQ(network_->join(kRun, 1, subnets_[0]).error().code, StatusCode::ResourceExhausted);
}

std::string leftovers() {
  std::string text;
  for (const char* file : {"/proc/self/mountinfo", "/proc/net/dev", "/proc/net/route"}) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) text += line.substr(0, line.find(':')) + "\n";
  }
  return text;
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

TEST_F(Isolation, WorksWithoutPrivilegesThroughAUserNamespace) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user to try this";
  constexpr uid_t kNobody = 65534;
  const auto allowed = NodeProcess::mayMakeUserNamespaces(kNobody);
  if (!allowed) GTEST_SKIP() << "this machine gives unprivileged users no user namespaces";
  std::filesystem::create_directories(temp_.path() / "network");
  std::unique_ptr<NodeProcess> nodes[2];
  for (int i = 0; i < 2; ++i) {
    auto seat = network_->join(kRun, i, subnets_[0]);
    ASSERT_TRUE(seat);
    address_[i] = seat->address;
    seat->spec["privilege"] = "userNamespace";
    giveTo(temp_.path(), kNobody);
    nodes[i] = NodeProcess::start(seat->spec, kNobody);
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
