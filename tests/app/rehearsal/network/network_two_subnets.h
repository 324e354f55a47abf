// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "rehearsal/network/isolation/isolation_probe.h"
#include "rehearsal/network/isolation/node_spec.h"
#include "rehearsal/network/service/address_leases.h"
#include "rehearsal/network/service/network_resources.h"
#include "rehearsal/network/service/seed_network.h"
#include "rehearsal/network/service/vcn_network.h"
#include "rehearsal/region/schemas.h"
#include "rehearsal/region/seed.h"
#include "rehearsal/state/well_known.h"
#include "temp_dir.h"
#include "tests/app/rehearsal/network/network_node_process.h"
#include "tests/app/rehearsal/network/network_rule_text.h"

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
    auto opened = Database::open(temp_.path() / "state.sqlite", regionSchemas());
    ASSERT_TRUE(opened);
    database_ = std::move(*opened);
    fillState();
    port_ = server_.port();
    network_ = VcnNetwork::create(*database_, {temp_.path() / "network", {port_}});
    ASSERT_EQ(network_->unenforcedBecause(), "");
  }

  void fillState() {
    Transaction transaction(*database_);
    seedTenancy(transaction, false, std::chrono::system_clock::now());
    seedNetwork(transaction, std::chrono::system_clock::now());
    subnets_[0] = seed::kSubnet;
    addSecondSubnet(transaction);
    addRun(transaction, kRun);
    transaction.commit();
  }

  void addSecondSubnet(Transaction& transaction) {
    auto subnet = *findResource(transaction, kind::kSubnet, seed::kSubnet);
    auto list = *findResource(transaction, kind::kSecurityList, listOf(subnet));
    list.id = makeOcid(kind::kSecurityList);
    insertResource(transaction, list);
    subnets_[1] = subnet.id = makeOcid(kind::kSubnet);
    subnet.body["cidrBlock"] = "10.0.1.0/24";
    subnet.body["securityListIds"] = {list.id};
    insertResource(transaction, subnet);
  }

  static void addRun(Transaction& transaction, const std::string& id) {
    Resource run = freshResource(kind::kJobRun, seed::kCompartment, "", "run", 0);
    run.id = id;
    run.state = "IN_PROGRESS";
    insertResource(transaction, run);
  }

  static std::string listOf(const Resource& subnet) { return subnet.body["securityListIds"][0]; }

  void setRules(int subnet, const std::string& text) {
    const RuleArrays rules = readRules(text);
    {
      Transaction transaction(*database_);
      const auto of = findResource(transaction, kind::kSubnet, subnets_[subnet]);
      auto list = *findResource(transaction, kind::kSecurityList, listOf(*of));
      list.body["ingressSecurityRules"] = rules.ingress;
      list.body["egressSecurityRules"] = rules.egress;
      updateResource(transaction, list);
      transaction.commit();
    }
    network_->refresh();
  }

  void setRoutes(const json& routes) {
    {
      Transaction transaction(*database_);
      const auto subnet = findResource(transaction, kind::kSubnet, subnets_[0]);
      auto table = *findResource(transaction, kind::kRouteTable, subnet->body["routeTableId"]);
      table.body["routeRules"] = routes;
      updateResource(transaction, table);
      transaction.commit();
    }
    network_->refresh();
  }

  std::unique_ptr<NodeProcess> join(int node, int subnet, uid_t user = 0) {
    const auto lease = network_->join(kRun, node, subnet < 0 ? "" : subnets_[subnet]);
    EXPECT_TRUE(lease);
    if (!lease) return nullptr;
    address_[node] = lease->address;
    filterFile_[node] = readNodeSpec(lease->spec)->filterFile();
    auto process = NodeProcess::start(lease->spec, user);
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
