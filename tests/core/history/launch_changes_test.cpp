// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/launch_changes.h"

#include <gtest/gtest.h>

#include "cluster/document/script_arguments.h"

using namespace lockstep;

namespace {

constexpr const char* kText = R"(kind: distributed
spec:
  cluster:
    kind: PYTORCH
    spec:
      image: a/b:1            # the image
      config:
        env:
          - {name: NCCL_DEBUG, value: WARN}
      worker:
        replicas: 2
  runtime:
    spec:
      entryPoint: train.py
      args: ["--lr", "0.1", "--amp", "data", "--epochs=3"]  # of the script
)";

std::string changed(std::vector<LaunchChange> changes) {
  const auto document = withChanges(ClusterDocument(kText), changes);
  EXPECT_TRUE(document) << describe(document.error());
  return document ? document->text() : "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Error refused(std::vector<LaunchChange> changes) {
  const auto document = withChanges(ClusterDocument(kText), changes);
  EXPECT_FALSE(document);
  return document ? Error{} : document.error();
}

}  // namespace

TEST(LaunchChange, IsAKeyAndAValue) {
  EXPECT_EQ(*parseLaunchChange("arg.lr=0.1"), (LaunchChange{"arg.lr", "0.1"}));
  EXPECT_EQ(*parseLaunchChange("env.A=b=c"), (LaunchChange{"env.A", "b=c"}));
  EXPECT_EQ(*parseLaunchChange("env.A="), (LaunchChange{"env.A", ""}));
  EXPECT_FALSE(parseLaunchChange("arg.lr"));
  EXPECT_FALSE(parseLaunchChange("=1"));
}

TEST(LaunchChanges, NothingElseOfTheTextChanges) {
  EXPECT_EQ(changed({}), kText);
  EXPECT_EQ(changed({{"arg.lr", "0.01"}}), replaced(kText, "\"0.1\"", "\"0.01\""));
  EXPECT_EQ(changed({{"arg.epochs", "9"}}), replaced(kText, "--epochs=3", "--epochs=9"));
  EXPECT_EQ(changed({{"env.NCCL_DEBUG", "INFO"}}), replaced(kText, "WARN", "INFO"));
  EXPECT_EQ(changed({{"image", "a/b:2"}}), replaced(kText, "a/b:1", "a/b:2"));
  EXPECT_EQ(changed({{"spec.cluster.spec.worker.replicas", "4"}}),
            replaced(kText, "replicas: 2", "replicas: 4"));
}

TEST(LaunchChanges, WhatIsNotThereIsAdded) {
  const ClusterDocument document(changed({{"arg.seed", "7"}, {"env.FRESH", "1"}}));
  const auto arguments = scriptArguments(document);
  ASSERT_FALSE(arguments.empty());
  EXPECT_EQ(arguments.back(), (ScriptArgument{"--seed", "7"}));
  ASSERT_EQ(document.spec().clusterEnv.size(), 2u);
  EXPECT_EQ(document.spec().clusterEnv.back().name, "FRESH");
  EXPECT_EQ(document.spec().clusterEnv.back().value, "1");
}

TEST(LaunchChanges, WhatCannotBeSetIsRefusedInWords) {
  EXPECT_EQ(refused({{"arg.--lr", "1"}}).code, ErrorCode::InvalidArgument);
  EXPECT_EQ(refused({{"env.", "1"}}).code, ErrorCode::InvalidArgument);
  EXPECT_NE(refused({{"lr", "1"}}).remedy.find("arg.NAME"), std::string::npos);
  EXPECT_FALSE(withChanges(ClusterDocument("a: [b"), std::vector<LaunchChange>{{"arg.lr", "1"}}));
}

TEST(ScriptArguments, AreReadAsArgparseWould) {
  const ClusterDocument document(
      R"(spec: {runtime: {spec: {args: ["--lr", "-0.1", "-v", "--x=a=b", "file", "--end"]}}})");
  const std::vector<ScriptArgument> expected{
      {"--lr", "-0.1"}, {"-v", ""}, {"--x", "a=b"}, {"", "file"}, {"--end", ""}};
  EXPECT_EQ(scriptArguments(document), expected);
  EXPECT_TRUE(scriptArguments(ClusterDocument("spec: {}")).empty());
  EXPECT_TRUE(scriptArguments(ClusterDocument("spec: {runtime: {spec: {args: a b}}}")).empty());
}

TEST(ScriptArguments, AFlagHasNoValueAndATextIsNoList) {
  const ClusterDocument flag(R"(spec: {runtime: {spec: {args: ["--amp", "--lr", "1"]}}})");
  EXPECT_EQ(withScriptArgument(flag, "amp", "2").error().code, ErrorCode::FailedPrecondition);
  EXPECT_TRUE(withScriptArgument(flag, "lr", "2"));
  const ClusterDocument text("spec: {runtime: {spec: {args: --lr 1}}}");
  EXPECT_EQ(withScriptArgument(text, "lr", "2").error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(withScriptArgument(flag, "--lr", "2").error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(withScriptArgument(flag, "", "2").error().code, ErrorCode::InvalidArgument);
}

TEST(ScriptArguments, OfSeveralTheLastCounts) {
  const ClusterDocument document(R"(spec: {runtime: {spec: {args: ["--lr", "1", "--lr", "2"]}}})");
  EXPECT_EQ(withScriptArgument(document, "lr", "3")->text(),
            R"(spec: {runtime: {spec: {args: ["--lr", "1", "--lr", "3"]}}})");
}
