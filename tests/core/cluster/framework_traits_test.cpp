// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/spec/framework_traits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cluster/spec/cluster_spec.h"

namespace lockstep {
namespace {

void expectPort(const FrameworkPort& port, const std::string& whose) {
  const bool isFree = port.number == "any";
  EXPECT_FALSE(port.number.empty()) << whose;
  EXPECT_FALSE(port.title.empty()) << whose;
  EXPECT_EQ(port.rule.empty(), isFree && port.option.empty()) << whose << ": " << port.title;
  EXPECT_TRUE(port.option.empty() || port.option.starts_with("--")) << whose << ": " << port.title;
  EXPECT_TRUE(!port.isAddress || !port.option.empty()) << whose << ": " << port.title;
  EXPECT_TRUE(port.whyAgreed.empty() || !port.variable.empty()) << whose << ": " << port.title;
  EXPECT_TRUE(!port.isSshd || !port.variable.empty()) << whose << ": " << port.title;
}

void expectPorts(const FrameworkTraits& row, const std::string& whose) {
  ASSERT_FALSE(row.ports.empty()) << whose;
  EXPECT_NE(row.ports.front().number, "any") << whose << ": the nodes have to know where to meet";
  EXPECT_NE(row.ports.front().nodes, FrameworkPort::Nodes::Workers) << whose;
  for (const FrameworkPort& port : row.ports) expectPort(port, whose);
  const bool choosesFree = std::any_of(row.ports.begin(), row.ports.end(),
                                       [](const FrameworkPort& port) { return port.number == "any"; });
  EXPECT_EQ(row.freePorts.empty(), !choosesFree) << whose;
  const auto isDashboard = [&](const FrameworkPort& port) { return port.number == row.dashboardPort; };
  EXPECT_TRUE(row.dashboardPort.empty() || std::any_of(row.ports.begin(), row.ports.end(), isDashboard))
      << whose;
}

void expectRehearsal(const FrameworkTraits& row, const std::string& whose) {
  EXPECT_TRUE(!row.runsOnNode || !row.portRemedy.empty()) << whose;
  EXPECT_TRUE(row.runsOnNode || row.programs.empty()) << whose << ": nothing here starts it";
  EXPECT_TRUE(row.aloneAdvice.empty() || row.aloneAdvice.ends_with("; ")) << whose;
  EXPECT_FALSE(row.runsOnNode && !row.aloneAdvice.empty()) << whose << ": it can be rehearsed";
  EXPECT_EQ(row.failureMark.find('/'), std::string_view::npos) << whose;
  for (const FrameworkProgram& program : row.programs) {
    EXPECT_FALSE(program.name.empty()) << whose;
    EXPECT_FALSE(program.package.empty()) << whose;
  }
}

TEST(FrameworkTraits, EveryFrameworkHasARowThatSaysAll) {
  std::set<std::string_view> names, ids, titles;
  for (int i = 0; i < static_cast<int>(Framework::Unknown); ++i) {
    const FrameworkTraits& row = traitsOf(static_cast<Framework>(i));
    const std::string whose = "framework " + std::to_string(i) + " " + std::string(row.name);
    EXPECT_EQ(row.framework, static_cast<Framework>(i)) << whose << " has no row";
    EXPECT_EQ(frameworkTraits()[static_cast<std::size_t>(i)].framework, row.framework) << whose << ": order";
    EXPECT_EQ(upperCased(std::string(row.id)), row.name) << whose;
    EXPECT_EQ(upperCased(std::string(row.title)), row.name) << whose;
    EXPECT_EQ(frameworkNamed(row.id), row.framework) << whose;
    EXPECT_TRUE(names.insert(row.name).second && ids.insert(row.id).second && titles.insert(row.title).second)
        << whose;
    EXPECT_NE(row.work, NodeWork::Unknown) << whose;
    EXPECT_NE(row.entryFolder, EntryFolder::Unknown) << whose;
    EXPECT_FALSE(row.mainWord.empty() || row.meetsAsMain.empty() || row.meetsAsOther.empty()) << whose;
    EXPECT_TRUE(row.imageHome.starts_with('/')) << whose;
    EXPECT_EQ(std::count(row.ownVariables.begin(), row.ownVariables.end(), ""), 0) << whose;
    expectPorts(row, whose);
    expectRehearsal(row, whose);
  }
  EXPECT_EQ(frameworkTraits().size(), names.size());
}

TEST(FrameworkTraits, WhatHasNoRowClaimsNothing) {
  for (const Framework framework : {Framework::Unknown, static_cast<Framework>(99)}) {
    const FrameworkTraits& row = traitsOf(framework);
    EXPECT_EQ(row.framework, Framework::Unknown);
    EXPECT_TRUE(row.name.empty() && row.title.empty() && row.ports.empty() && row.programs.empty());
    EXPECT_EQ(row.work, NodeWork::Unknown);
    EXPECT_EQ(row.mainWord, "main");
    EXPECT_FALSE(row.runsOnNode || row.hasParameterServers || row.readsKwargs || row.readsCertificate);
  }
}

TEST(FrameworkTraits, NamesAreReadInAnyCaseAndListed) {
  EXPECT_EQ(frameworkNamed("TensorFlow"), Framework::TensorFlow);
  EXPECT_EQ(frameworkNamed("TENSOR"), Framework::Unknown);
  EXPECT_EQ(frameworkNamed(""), Framework::Unknown);
  EXPECT_EQ(frameworkNames("or", [](const FrameworkTraits&) { return true; }),
            "PYTORCH, DASK, HOROVOD, TENSORFLOW or RAY");
  EXPECT_EQ(frameworkNames("and", [](const FrameworkTraits& row) { return row.readsKwargs; }),
            "DASK and RAY");
  EXPECT_EQ(frameworkNames("and", [](const FrameworkTraits& row) { return row.hasParameterServers; }),
            "TENSORFLOW");
  EXPECT_EQ(frameworkNames("and", [](const FrameworkTraits&) { return false; }), "");
}

}  // namespace
}  // namespace lockstep
