// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/atomic_file.h"
#include "runs/damaged_history.h"
#include "temp_dir.h"

using namespace lockstep;

namespace {

TrainingRun runNamed(const std::string& id, int age = 0) {
  TrainingRun run;
  run.id = RunId(id);
  run.name = id;
  run.created = TimePoint(std::chrono::seconds(1'800'000'000 - age));
  run.trainYaml = "kind: distributed  # " + id + "\n";
  for (int i = 0; i < 3; ++i) {
    NodeRun node;
    node.id = JobRunId("ocid1.datasciencejobrun.." + id + std::to_string(i));
    node.nodeRank = i;
    run.nodes.push_back(node);
  }
  run.jobId = JobId("ocid1.datasciencejob.." + id);
  return run;
}

struct RunStoreTest : testing::Test {
  TempDir dir;
  std::filesystem::path path = dir.path() / "deep" / "runs.sqlite";
  RunStore opened() {
    auto store = RunStore::open(path);
    EXPECT_TRUE(store) << (store ? "" : describe(store.error()));
    return *std::move(store);
  }
};

}  // namespace

TEST_F(RunStoreTest, KeepsRunsOverReopening) {
  {
    RunStore store = opened();
    ASSERT_TRUE(store.save(runNamed("a-1", 10)));
    ASSERT_TRUE(store.save(runNamed("b-2", 5)));
  }
  RunStore store = opened();
  const auto all = store.all();
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ(all->front().id.value, "b-2");
  EXPECT_EQ(all->back().trainYaml, "kind: distributed  # a-1\n");
  EXPECT_EQ(all->back().created, runNamed("a-1", 10).created);
}

TEST_F(RunStoreTest, FindsByEveryKindOfReference) {
  RunStore store = opened();
  ASSERT_TRUE(store.save(runNamed("cifar-1111", 10)));
  ASSERT_TRUE(store.save(runNamed("cifar-2222", 5)));
  ASSERT_TRUE(store.save(runNamed("cifar", 50)));
  EXPECT_EQ(store.find("last")->id.value, "cifar-2222");
  EXPECT_EQ(store.find("cifar-1")->id.value, "cifar-1111");
  EXPECT_EQ(store.find("cifar")->id.value, "cifar");  // an id wins over being a prefix
  EXPECT_EQ(store.find("ocid1.datasciencejob..cifar-2222")->id.value, "cifar-2222");
  EXPECT_EQ(store.find("ocid1.datasciencejobrun..cifar-11112")->id.value, "cifar-1111");
}

TEST_F(RunStoreTest, AReferenceThatFitsNothingOrSeveralNamesTheCandidates) {
  RunStore store = opened();
  EXPECT_EQ(store.find("last").error().code, ErrorCode::NotFound);
  ASSERT_TRUE(store.save(runNamed("cifar-1111")));
  ASSERT_TRUE(store.save(runNamed("cifar-2222")));
  const Error several = store.find("cifar-").error();
  EXPECT_EQ(several.code, ErrorCode::InvalidArgument);
  EXPECT_NE(several.cause.find("cifar-1111"), std::string::npos);
  for (const char* nothing : {"mnist", "%", "*", "", "c%"}) {
    const Error missing = store.find(nothing).error();
    EXPECT_EQ(missing.code, ErrorCode::NotFound) << nothing;
    EXPECT_NE(missing.cause.find("cifar-2222"), std::string::npos);
  }
}

TEST_F(RunStoreTest, AStaleSaveDoesNotUndoACancel) {
  RunStore follower = opened();
  RunStore canceller = opened();
  const TrainingRun before = runNamed("a-1");
  ASSERT_TRUE(follower.save(before));
  TrainingRun cancelled = before;
  cancelled.cancelRequested = true;
  ASSERT_TRUE(canceller.save(cancelled));
  ASSERT_TRUE(follower.save(before));
  EXPECT_TRUE(follower.find("a-1")->cancelRequested);
}

TEST_F(RunStoreTest, RemoveForgets) {
  RunStore store = opened();
  ASSERT_TRUE(store.save(runNamed("a-1")));
  ASSERT_TRUE(store.remove(RunId("a-1")));
  EXPECT_EQ(store.remove(RunId("a-1")).error().code, ErrorCode::NotFound);
  EXPECT_FALSE(store.find("ocid1.datasciencejobrun..a-10"));
}

TEST_F(RunStoreTest, SeveralProcessesWriteAtOnce) {
  constexpr int kProcesses = 4;
  constexpr int kRunsEach = 15;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t pid = ::fork();
    if (pid == 0) {  // opens the store that does not exist yet: creation is raced, too
      auto store = RunStore::open(path);
      bool good = store.has_value();
      for (int i = 0; good && i < kRunsEach; ++i) {
        good = store->save(runNamed("p" + std::to_string(p) + "-" + std::to_string(i))) &&
               store->save(runNamed("shared"));
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(opened().all()->size(), static_cast<std::size_t>(kProcesses * kRunsEach + 1));
}

TEST_F(RunStoreTest, AnyThreadMayUseIt) {
  RunStore store = opened();
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&store, t] {
        for (int i = 0; i < 10; ++i) {
          EXPECT_TRUE(store.save(runNamed("t" + std::to_string(t) + "-" + std::to_string(i))));
          EXPECT_TRUE(store.all());
        }
      });
    }
  }
  EXPECT_EQ(store.all()->size(), 40u);
}

TEST_F(RunStoreTest, AFileThatIsNoStoreIsExplainedAndLeftAlone) {
  std::filesystem::create_directories(path.parent_path());
  const std::string garbage(9000, 'x');
  ASSERT_TRUE(writeFileAtomically(path, garbage));
  const auto store = RunStore::open(path);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::DataLoss);
  EXPECT_NE(store.error().what.find(path.string()), std::string::npos);
  EXPECT_NE(store.error().remedy.find("mv "), std::string::npos);
  EXPECT_EQ(*readFile(path), garbage);
}

TEST_F(RunStoreTest, ADamagedStoreIsExplainedAndLeftAlone) {
  {
    RunStore store = opened();
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(store.save(runNamed("run-" + std::to_string(i))));
  }
  std::string bytes = *readFile(path);
  ASSERT_GT(bytes.size(), 16384u);
  for (std::size_t page = 4096; page + 100 < bytes.size(); page += 4096)
    bytes.replace(page, 100, 100, '\x5a');
  ASSERT_TRUE(writeFileAtomically(path, bytes));
  const auto store = RunStore::open(path);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::DataLoss);
  EXPECT_EQ(*readFile(path), bytes);
}

TEST_F(RunStoreTest, TheFindingsOfTheLastLookAreKept) {
  RunStore store = opened();
  ASSERT_TRUE(store.save(runNamed("a")));
  EXPECT_FALSE(store.summaries()->front().findings);
  const RunFindings two{2, "critical", {"stall", "straggler"}};
  ASSERT_TRUE(store.keepFindings(RunId("a"), two));
  ASSERT_TRUE(store.save(runNamed("a")));  // following a run changes none of it
  EXPECT_EQ(opened().summaries()->front().findings, two);
  ASSERT_TRUE(store.keepFindings(RunId("a"), {}));
  EXPECT_EQ(store.summaries()->front().findings, RunFindings{});
  EXPECT_EQ(store.keepFindings(RunId("b"), two).error().code, ErrorCode::NotFound);
  ASSERT_TRUE(store.remove(RunId("a")));
  ASSERT_TRUE(store.save(runNamed("a")));
  EXPECT_FALSE(store.summaries()->front().findings);  // gone with the run
}

TEST_F(RunStoreTest, ADamagedStoreIsMovedAsideAndANewOneBegins) {
  std::filesystem::create_directories(path.parent_path());
  const std::string garbage(9000, 'x');
  for (const char* name : {".damaged", ".damaged-2"}) {
    ASSERT_TRUE(writeFileAtomically(path, garbage));
    const auto aside = moveDamagedAside(path);
    ASSERT_TRUE(aside) << describe(aside.error());
    EXPECT_EQ(aside->string(), path.string() + name);
    EXPECT_EQ(*readFile(*aside), garbage);
    EXPECT_TRUE(opened().all()->empty());
    std::filesystem::remove(path);
  }
}

TEST_F(RunStoreTest, AStoreThatCanBeReadIsNotMovedAside) {
  ASSERT_TRUE(opened().save(runNamed("run-1")));
  const auto aside = moveDamagedAside(path);
  ASSERT_FALSE(aside);
  EXPECT_EQ(aside.error().code, ErrorCode::FailedPrecondition);
  EXPECT_EQ(opened().all()->size(), 1u);
}

TEST_F(RunStoreTest, AFolderThatCannotBeIsExplained) {
  ASSERT_TRUE(writeFileAtomically(dir.path() / "deep", "a file, not a folder"));
  const auto store = RunStore::open(path);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().what.find("runs.sqlite"), std::string::npos);
}
