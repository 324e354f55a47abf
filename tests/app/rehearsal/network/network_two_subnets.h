// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "network_node_process.h"
#include "network_rule_text.h"
#include "rehearsal/network/isolation_probe.h"
#include "rehearsal/network/network_resources.h"
#include "rehearsal/network/node_spec.h"
#include "rehearsal/network/seats.h"
#include "rehearsal/network/seed_network.h"
#include "rehearsal/network/vcn_network.h"
#include "rehearsal/state/seed.h"
#include "temp_dir.h"

namespace lockstep::testing {

using namespace rehearsal;
using nlohmann::json;

inline constexpr const char* kRun = "ocid1.datasciencejobrun.oc1.rehearsal.aaaaaaaatest";

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

  void setRoutes(const json& routes) {
    {
      Session session(*database_);
      const auto subnet = findResource(session, kind::kSubnet, subnets_[0]);
      auto table = *findResource(session, kind::kRouteTable, subnet->body["routeTableId"]);
      table.body["routeRules"] = routes;
      updateResource(session, table);
      session.commit();
    }
    network_->refresh();
  }

  std::unique_ptr<NodeProcess> join(int node, int subnet, uid_t user = 0) {
    const auto seat = network_->join(kRun, node, subnet < 0 ? "" : subnets_[subnet]);
    EXPECT_TRUE(seat);
    if (!seat) return nullptr;
    address_[node] = seat->address;
    filterFile_[node] = readNodeSpec(seat->spec)->filterFile();
    auto process = NodeProcess::start(seat->spec, user);
    EXPECT_EQ(process->problem(), "");
    return process;
  }

  TempDir temp_;
  EchoServer server_;  // in the place of the region
  std::unique_ptr<Database> database_;
  std::unique_ptr<VcnNetwork> network_;
  std::string subnets_[2];
  std::string address_[24];
  std::filesystem::path filterFile_[24];
  int port_ = 0;
};

}  // namespace lockstep::testing
