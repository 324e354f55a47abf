// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/migration.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "cluster/document/fix.h"
#include "plan/plan.h"

namespace lockstep {
namespace {

ClusterDocument golden(const std::string& name) {
  return ClusterDocument(
      readFile(std::string(LOCKSTEP_TEST_DATA) + "/train_yaml/" + name + "/in.yaml").value());
}

const MigrationChange* changeOf(const Migration& migration, const std::string& what) {
  for (const MigrationChange& change : migration.changes) {
    if (change.what == what) return &change;
  }
  return nullptr;
}

bool warns(const Migration& migration, const std::string& about) {
  for (const std::string& warning : migration.warnings) {
    if (warning.find(about) != std::string::npos) return true;
  }
  return false;
}

TEST(Migration, ToOneJobRunForAllNodes) {
  const ClusterDocument document = golden("guide");
  const auto migration = migrationToNodes(document);
  ASSERT_TRUE(migration) << describe(migration.error());
  const auto text = applyFix(document, migration->edits);
  ASSERT_TRUE(text) << describe(text.error());
  EXPECT_NE(text->find("# rendezvous wait, seconds"), std::string::npos);  // comments stay
  const auto plan = makePlan(ClusterDocument(*text));
  ASSERT_TRUE(plan) << describe(plan.error());
  EXPECT_EQ(plan->layout, "nodes");
  EXPECT_EQ(plan->requests.size(), 2U);
  const MigrationChange* runs = changeOf(*migration, "job runs");
  ASSERT_NE(runs, nullptr);
  EXPECT_EQ(runs->before, "3: resnet-main, resnet-worker_0, resnet-worker_1");
  EXPECT_EQ(runs->after, "1, which spans 3 nodes");
  EXPECT_TRUE(warns(*migration, "NODE_RANK"));
}

TEST(Migration, AndBackIsTheSameText) {
  for (const char* name : {"guide", "kind_dask_tls", "kind_tensorflow_ps", "no_subnet_managed_egress"}) {
    const ClusterDocument document = golden(name);
    const auto there = migrationToNodes(document);
    ASSERT_TRUE(there) << name << ": " << describe(there.error());
    const ClusterDocument nodes(applyFix(document, there->edits).value());
    const auto back = migrationToRuns(nodes);
    ASSERT_TRUE(back) << name << ": " << describe(back.error());
    EXPECT_EQ(applyFix(nodes, back->edits).value(), document.text()) << name;
    EXPECT_EQ(changeOf(*back, "job runs")->after, changeOf(*there, "job runs")->before) << name;
  }
}

TEST(Migration, TellsWhatTheGroupsLose) {
  const auto migration = migrationToRuns(golden("nodes_groups"));
  ASSERT_TRUE(migration) << describe(migration.error());
  EXPECT_TRUE(warns(*migration, "time limit of 90 minutes"));
  EXPECT_TRUE(warns(*migration, "order of the groups"));
  EXPECT_TRUE(warns(*migration, "startup probes"));
}

TEST(Migration, TellsThatImagesOfRolesTakeEffect) {
  const auto migration = migrationToNodes(golden("role_images_ignored"));
  ASSERT_TRUE(migration) << describe(migration.error());
  EXPECT_TRUE(warns(*migration, "images of the roles take effect"));
  EXPECT_EQ(changeOf(*migration, "node groups")->after, "main × 1, worker × 1");
}

TEST(Migration, ReplacesAnEmptyKey) {
  const ClusterDocument document = golden("nodes_null");
  const auto migration = migrationToNodes(document);
  ASSERT_TRUE(migration) << describe(migration.error());
  EXPECT_TRUE(ClusterDocument(applyFix(document, migration->edits).value()).spec().multiNode);
}

TEST(Migration, RefusesWhatItCannotDo) {
  EXPECT_FALSE(migrationToNodes(golden("nodes_empty_mapping")));
  EXPECT_FALSE(migrationToRuns(golden("guide")));
  EXPECT_FALSE(migrationToNodes(golden("job_pytorch_one_node")));
  EXPECT_FALSE(migrationToNodes(golden("missing_everything")));
  EXPECT_FALSE(migrationToNodes(golden("syntax_bracket")));
}

}  // namespace
}  // namespace lockstep
