// SPDX-License-Identifier: GPL-3.0-or-later
// From format 1 and format 2 of the run store to format 3.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "runs/run_store.h"
#include "temp_dir.h"

using namespace lockstep;

namespace {

struct RunSchemaTest : testing::Test {
  TempDir dir;
  std::filesystem::path path = dir.path() / "runs.sqlite";

  /// As the first release wrote it; `document`: of a run "b".
  void writeFirst(const std::string& document, bool withLaunchRequests = true) {
    SQLite::Database db(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec("PRAGMA journal_mode=WAL");
    db.exec(R"sql(
      CREATE TABLE run (id TEXT PRIMARY KEY, created INTEGER NOT NULL, job_id TEXT NOT NULL,
                        document TEXT NOT NULL, train_yaml TEXT NOT NULL);
      CREATE TABLE job_run (id TEXT PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE);
      CREATE INDEX run_created ON run(created);
      CREATE INDEX run_job ON run(job_id);
    )sql");
    if (withLaunchRequests)
      db.exec(
          "CREATE TABLE launch_request (run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, "
          "body TEXT NOT NULL)");
    db.exec("PRAGMA application_id=1280004948");
    db.exec("PRAGMA user_version=1");
    add(db, "a",
        R"({"id":"a","name":"cifar","nodes":[{"jobRunId":"r","state":"SUCCEEDED"}],)"
        R"("launchComplete":true,"profile":"TEAM","image":"x:1"})",
        100);
    add(db, "b", document, 200);
  }
  static void add(SQLite::Database& db, const std::string& id, const std::string& document, int created) {
    SQLite::Statement put(db, "INSERT INTO run VALUES(?,?,'job',?,'kind: distributed')");
    put.bind(1, id);
    put.bind(2, created);
    put.bind(3, document);
    put.exec();
  }
  int version() {
    SQLite::Database db(path.string(), SQLite::OPEN_READONLY);
    return db.execAndGet("PRAGMA user_version").getInt();
  }
};

TrainingRun runNamed(const std::string& id) {
  TrainingRun run;
  run.id = RunId(id);
  run.name = "name of " + id;
  run.created = TimePoint(std::chrono::seconds(1'800'000'000));
  return run;
}

constexpr const char* kSecondRun = R"({"id":"b","name":"bert","nodes":[],"failure":"no quota"})";

}  // namespace

TEST_F(RunSchemaTest, EveryRunOfTheFirstFormatIsTakenOver) {
  for (const bool withLaunchRequests : {true, false}) {
    std::filesystem::remove(path);
    writeFirst(kSecondRun, withLaunchRequests);
    auto store = RunStore::open(path);
    ASSERT_TRUE(store) << describe(store.error());
    EXPECT_EQ(version(), 3);
    const auto summaries = store->summaries();
    ASSERT_TRUE(summaries);
    ASSERT_EQ(summaries->size(), 2u);
    EXPECT_EQ((*summaries)[0].name, "bert");
    EXPECT_EQ((*summaries)[0].state, RunState::Failed);
    EXPECT_EQ((*summaries)[0].failure, "no quota");
    EXPECT_EQ((*summaries)[1].name, "cifar");
    EXPECT_EQ((*summaries)[1].state, RunState::Succeeded);
    EXPECT_EQ((*summaries)[1].profile, "TEAM");
    EXPECT_TRUE((*summaries)[1].hasText);
    EXPECT_EQ(store->find("a")->trainYaml, "kind: distributed");
    EXPECT_TRUE(store->keepJobRequest(RunId("a"), "{}"));
  }
}

TEST_F(RunSchemaTest, ARunThatCannotBeReadIsListedAndStaysAsItIs) {
  writeFirst("{ torn");
  auto store = RunStore::open(path);
  ASSERT_TRUE(store) << describe(store.error());
  const auto summaries = store->summaries();
  ASSERT_TRUE(summaries);
  ASSERT_EQ(summaries->size(), 2u);
  EXPECT_EQ((*summaries)[0].name, "b");
  EXPECT_EQ((*summaries)[0].state, RunState::Failed);
  SQLite::Database db(path.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(db.execAndGet("SELECT document FROM run WHERE id='b'").getString(), "{ torn");
}

TEST_F(RunSchemaTest, AnUpgradeThatIsCutShortHasNotHappened) {
  writeFirst(kSecondRun);
  {
    // What is in the way makes the upgrade fail in its middle, as a full disk or a kill would.
    SQLite::Database db(path.string(), SQLite::OPEN_READWRITE);
    db.exec("CREATE TABLE tag (x)");
  }
  const auto store = RunStore::open(path);
  ASSERT_FALSE(store);
  EXPECT_EQ(version(), 1);
  SQLite::Database db(path.string(), SQLite::OPEN_READWRITE);
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM sqlite_master WHERE name='summary'").getInt(), 0);
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM run").getInt(), 2);
  db.exec("DROP TABLE tag");
  const auto again = RunStore::open(path);
  EXPECT_TRUE(again);
  EXPECT_EQ(version(), 3);
}

TEST_F(RunSchemaTest, SeveralProcessesUpgradeAtOnce) {
  writeFirst(kSecondRun);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      auto store = RunStore::open(path);
      const bool isRight = store && store->summaries() && store->summaries()->size() == 2;
      ::_exit(isRight ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
}

TEST_F(RunSchemaTest, WhatAnEarlierLockstepWritesAfterwardsIsListed) {
  writeFirst(kSecondRun);
  ASSERT_TRUE(RunStore::open(path));
  {
    SQLite::Database db(path.string(), SQLite::OPEN_READWRITE);
    add(db, "c", R"({"id":"c","name":"late","nodes":[]})", 300);
  }
  auto store = RunStore::open(path);
  ASSERT_TRUE(store);
  ASSERT_EQ(store->summaries()->size(), 3u);
  EXPECT_EQ(store->summaries()->front().name, "late");
}

TEST_F(RunSchemaTest, ANewerFormatIsRefusedAndLeftAlone) {
  ASSERT_TRUE(RunStore::open(path));
  {
    SQLite::Database db(path.string(), SQLite::OPEN_READWRITE);
    db.exec("PRAGMA user_version=4");
  }
  const auto store = RunStore::open(path);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::FailedPrecondition);
  EXPECT_NE(store.error().cause.find("newer Lockstep (format 4, this one knows 3)"), std::string::npos);
  EXPECT_EQ(version(), 4);
}

TEST_F(RunSchemaTest, AStoreOfTheSecondFormatIsTakenOver) {
  {
    auto store = RunStore::open(path);
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->save(runNamed("a")));
    ASSERT_TRUE(store->keepResults(RunId("a"), {{"loss", 0.5, 10, 0.4, 9, {}, {}}}));
    ASSERT_TRUE(store->changeMarks(RunId("a"), [](RunMarks& marks) { marks.note = "kept"; }));
  }
  {
    // Format 2 was all of it but this table.
    SQLite::Database db(path.string(), SQLite::OPEN_READWRITE);
    db.exec("DROP TABLE finding");
    db.exec("PRAGMA user_version=2");
  }
  auto store = RunStore::open(path);
  ASSERT_TRUE(store) << describe(store.error());
  EXPECT_EQ(version(), 3);
  const auto before = store->summaries();
  ASSERT_TRUE(before);
  ASSERT_EQ(before->size(), 1u);
  EXPECT_FALSE(before->front().findings);
  EXPECT_EQ(before->front().marks.note, "kept");
  EXPECT_EQ(before->front().results.size(), 1u);
  ASSERT_TRUE(store->keepFindings(RunId("a"), {1, "critical", {"stall"}}));
  EXPECT_EQ(store->summaries()->front().findings, (RunFindings{1, "critical", {"stall"}}));
}
