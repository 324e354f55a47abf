// SPDX-License-Identifier: GPL-3.0-or-later
// What lists, groups, routes and gateways say, told by packets that arrive or do not.
#include <fstream>
#include <set>

#include "rehearsal/state/well_known.h"
#include "tests/app/rehearsal/network/network_two_subnets.h"

namespace lockstep::testing {
namespace {

class NetworkPackets : public Isolation {};

TEST_F(NetworkPackets, RealPacketsObeyEveryRowOfTheTable) {
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

TEST_F(NetworkPackets, RulesThatChangeAreInForceForNodesThatRun) {
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

TEST_F(NetworkPackets, ServicesAreReachedByRoutesAndRules) {
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
  setRoutes(json::array());
  node->loadFilter();
  EXPECT_FALSE(reaches(false)) << "there is no route to the services any more";
}

Resource gatewayOf(const char* kind, const json& more = json::object()) {
  Resource gateway = freshResource(kind, seed::kCompartment, seed::kVcn, "gateway", 0);
  gateway.body.update(more);
  return gateway;
}

// Egress rules let everything out: it is the route alone that decides.
TEST_F(NetworkPackets, ServicesAreReachedOnlyThroughAGatewayThatLeadsThere) {
  auto node = join(0, 0);
  ASSERT_TRUE(node);
  const CloudService& all = cloudServices().front();
  const json services{{"services", {{{"serviceId", all.id}}}}};
  struct Case {
    const char* name;
    Resource gateway;
    std::string destination;
    bool reaches;
  };
  const Case cases[] = {
      {"an internet gateway, without a public address", gatewayOf(kind::kInternetGateway), "0.0.0.0/0",
       false},
      {"a NAT gateway", gatewayOf(kind::kNatGateway), "0.0.0.0/0", true},
      {"a NAT gateway for another block", gatewayOf(kind::kNatGateway), "192.168.0.0/16", false},
      {"a NAT gateway that is blocked", gatewayOf(kind::kNatGateway, {{"blockTraffic", true}}), "0.0.0.0/0",
       false},
      {"a service gateway", gatewayOf(kind::kServiceGateway, services), all.label, true},
      {"a service gateway that is blocked",
       gatewayOf(kind::kServiceGateway, {{"services", services["services"]}, {"blockTraffic", true}}),
       all.label, false},
      {"a service gateway without services", gatewayOf(kind::kServiceGateway, {{"services", json::array()}}),
       all.label, false},
  };
  for (const Case& row : cases) {
    {
      Transaction transaction(*database_);
      Resource gateway = row.gateway;
      insertResource(transaction, gateway);
      transaction.commit();
    }
    const bool byLabel = row.destination == all.label;
    setRoutes({{{"destination", row.destination},
                {"destinationType", byLabel ? "SERVICE_CIDR_BLOCK" : "CIDR_BLOCK"},
                {"networkEntityId", row.gateway.id}}});
    node->loadFilter();
    EXPECT_EQ(node->fetch(port_, "hello", row.reaches) == "HELLO", row.reaches) << row.name;
  }
  setRoutes({{{"destination", "0.0.0.0/0"}, {"networkEntityId", "ocid1.natgateway.oc1.rehearsal.gone"}}});
  node->loadFilter();
  EXPECT_NE(node->fetch(port_, "hello", false), "HELLO") << "a gateway that is no more";
}

TEST_F(NetworkPackets, GroupsOfAVnicAddToTheLists) {
  auto sender = join(0, 0), receiver = join(1, 1);
  ASSERT_TRUE(sender && receiver);
  receiver->ask("listen 6 6000");
  setRules(0, "out all 0.0.0.0/0");
  setRules(1, "");
  Resource group;
  {
    Transaction transaction(*database_);
    group = freshResource(kind::kSecurityGroup, seed::kCompartment, seed::kVcn, "group", 0);
    group.hidden["rules"] = {{{"direction", "INGRESS"},
                              {"protocol", "6"},
                              {"source", group.id},
                              {"sourceType", "NETWORK_SECURITY_GROUP"}}};
    insertResource(transaction, group);
    transaction.commit();
  }
  int source = 42000;
  const auto talks = [&](std::initializer_list<int> members, bool expected) {
    {
      Transaction transaction(*database_);
      for (AddressLease lease : allLeases(transaction)) {
        lease.groups.clear();
        for (const int member : members)
          if (member == lease.node) lease.groups = {group.id};
        setGroups(transaction, lease);
      }
      transaction.commit();
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

// UDP from members of one group to members of another: it takes a rule of each.
TEST_F(NetworkPackets, GroupsTalkToGroups) {
  auto sender = join(0, 0), receiver = join(1, 1);
  ASSERT_TRUE(sender && receiver);
  receiver->ask("listen 17 6100");
  receiver->ask("listen 6 6100");
  setRules(0, "");
  setRules(1, "");
  Resource from = freshResource(kind::kSecurityGroup, seed::kCompartment, seed::kVcn, "from", 0);
  Resource to = freshResource(kind::kSecurityGroup, seed::kCompartment, seed::kVcn, "to", 0);
  const json out{{"direction", "EGRESS"},
                 {"protocol", "17"},
                 {"destination", to.id},
                 {"destinationType", "NETWORK_SECURITY_GROUP"}};
  const json in{{"direction", "INGRESS"},
                {"protocol", "17"},
                {"source", from.id},
                {"sourceType", "NETWORK_SECURITY_GROUP"}};
  {
    Transaction transaction(*database_);
    insertResource(transaction, from);
    insertResource(transaction, to);
    for (AddressLease lease : allLeases(transaction)) {
      lease.groups = {lease.node == 0 ? from.id : to.id};
      setGroups(transaction, lease);
    }
    transaction.commit();
  }
  int source = 42500;
  const auto talks = [&](const json& ofSender, const json& ofReceiver, int protocol, bool expected) {
    {
      Transaction transaction(*database_);
      for (auto [group, rules] : {std::pair{&from, &ofSender}, std::pair{&to, &ofReceiver}}) {
        Resource changed = *findResource(transaction, kind::kSecurityGroup, group->id);
        changed.hidden["rules"] = *rules;
        updateResource(transaction, changed);
      }
      transaction.commit();
    }
    network_->refresh();
    sender->loadFilter();
    receiver->loadFilter();
    return sender->talk({*parseIpv4("10.0.0.2"), *parseIpv4("10.0.1.2"), protocol, ++source, 6100, 0, 0},
                        expected);
  };
  const json none = json::array(), outward = json::array({out}), inward = json::array({in});
  EXPECT_TRUE(talks(outward, inward, kUdp, true));
  EXPECT_FALSE(talks(outward, inward, kTcp, false));
  EXPECT_FALSE(talks(none, inward, kUdp, false));
  EXPECT_FALSE(talks(outward, none, kUdp, false));
  EXPECT_TRUE(talks(outward, inward, kUdp, true));
}

// No VCN of the region has IPv6: what a program sends by it all the same arrives nowhere, whatever the rules.
TEST_F(NetworkPackets, NothingPassesByIpv6) {
  auto first = join(0, 0), second = join(1, 0);
  ASSERT_TRUE(first && second);
  if (first->ask("ipv6 1") != "") GTEST_SKIP() << "this machine has no IPv6";
  ASSERT_EQ(second->ask("ipv6 2"), "");
  setRules(0, "in all ::/0; out all ::/0; in all 0.0.0.0/0; out all 0.0.0.0/0");
  first->loadFilter();
  second->loadFilter();
  ASSERT_EQ(second->ask("listen6 5000"), "");
  EXPECT_EQ(first->ask("talk6 2 5000 300"), "no");
  for (const int node : {0, 1})  // without our filter it would arrive: the test tells the difference
    std::ofstream(filterFile_[node]) << "table ip6 lockstep\ndelete table ip6 lockstep\n";
  first->loadFilter();
  second->loadFilter();
  EXPECT_TRUE(eventuallyIs([&] { return first->ask("talk6 2 5000 500") == "yes"; }));
}

}  // namespace
}  // namespace lockstep::testing
