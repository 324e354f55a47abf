// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/network/network_needs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "network_report.h"

namespace lockstep::testing {
namespace {

TEST(NetworkNeeds, ByFramework) {
  const auto asked = [](const ClusterSpec& spec) { return networkNeedsOf(spec, "ocid1.subnet.x")->asked(); };
  ClusterSpec spec = cluster(Framework::Dask, "--worker-port 8700:8800 --nanny-port 3000:3100");
  EXPECT_EQ(asked(spec).toString(), "3000-3100, 8700-8800");
  EXPECT_EQ(asked(cluster(Framework::Dask)).toString(), "all") << "free ports";
  EXPECT_EQ(asked(cluster(Framework::TensorFlow)).toString(), "12345");
  EXPECT_EQ(asked(cluster(Framework::Horovod)).toString(), "all");
  spec = cluster(Framework::TensorFlow);
  spec.clusterEnv = {{"WORKER_PORT", "23456"}};
  EXPECT_EQ(asked(spec).toString(), "23456");
  spec = cluster(Framework::PyTorch);
  spec.clusterEnv = {{"MASTER_PORT", "29999"}};
  const auto needs = networkNeedsOf(spec, "ocid1.subnet.x");
  EXPECT_EQ(needs->rows.front().name, "29999");
  EXPECT_EQ(needs->nodes, 3);
}

TEST(NetworkNeeds, WhoNeedsNoSubnet) {
  ClusterSpec job;
  job.kind = "job";
  job.job = JobSpec();
  EXPECT_FALSE(networkNeedsOf(job, "")->notApplicable.empty()) << "one node, managed egress";
  EXPECT_TRUE(networkNeedsOf(job, "ocid1.subnet.x")->notApplicable.empty());
  EXPECT_TRUE(networkNeedsOf(job, "ocid1.subnet.x")->rows.empty()) << "it talks to no other node";
  EXPECT_TRUE(networkNeedsOf(cluster(Framework::PyTorch), "")->notApplicable.empty());
  const auto anybody = networkNeedsOf(std::nullopt, "");
  EXPECT_TRUE(std::none_of(anybody->rows.begin(), anybody->rows.end(), [](auto& row) { return row.isSure; }));
}

}  // namespace
}  // namespace lockstep::testing
