// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <thread>

#include "base/atomic_file.h"
#include "setup/journal/change_journal.h"
#include "temp_dir.h"

using namespace lockstep;

namespace {

AppliedChange changeNamed(const std::string& title) {
  AppliedChange change;
  change.stepId = "bucket";
  change.profile = "P";
  change.title = title;
  change.kind = "bucket-created";
  change.undo = {{"bucket", title}, {"etags", {"a", "b"}}};
  change.when = TimePoint(std::chrono::seconds(1'700'000'000));
  return change;
}

struct JournalTest : testing::Test {
  TempDir dir;
  std::filesystem::path file = dir.path() / "data" / "changes.json";
  [[nodiscard]] ChangeJournal journal() const { return ChangeJournal(file); }
};

}  // namespace

TEST_F(JournalTest, WhatWasAddedIsReadByTheNextProcess) {
  EXPECT_TRUE(journal().changes()->empty());
  const auto added = journal().add({changeNamed("one"), changeNamed("two")});
  ASSERT_TRUE(added) << describe(added.error());
  EXPECT_NE(added->at(0).id, added->at(1).id);
  const auto read = journal().changes();
  ASSERT_TRUE(read) << describe(read.error());
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ(read->at(1).id, added->at(1).id);
  EXPECT_EQ(read->at(1).title, "two");
  EXPECT_EQ(read->at(1).stepId, "bucket");
  EXPECT_EQ(read->at(1).undo, changeNamed("two").undo);
  EXPECT_EQ(read->at(1).when, changeNamed("two").when);
  EXPECT_FALSE(read->at(1).isTakenBack);
}

TEST_F(JournalTest, OnlyTheOwnerMayReadIt) {
  ASSERT_TRUE(journal().add({changeNamed("one")}));
  struct stat info {};
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
  ASSERT_EQ(::stat(file.parent_path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
}

TEST_F(JournalTest, TakenBackIsMarkedAndAnIdIsNeverGivenAgain) {
  const std::string first = journal().add({changeNamed("one")})->front().id;
  ASSERT_TRUE(journal().markTakenBack(first));
  EXPECT_TRUE(journal().changes()->front().isTakenBack);
  EXPECT_NE(journal().add({changeNamed("two")})->front().id, first);
  const auto unknown = journal().markTakenBack("99");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::NotFound);
}

TEST_F(JournalTest, ABrokenFileIsAnErrorAndIsLeftAsItIs) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << "{\"changes\": [{\"id\": 7}]}";
  EXPECT_FALSE(journal().changes());
  const auto added = journal().add({changeNamed("one")});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::DataLoss);
  EXPECT_EQ(*readFile(file), "{\"changes\": [{\"id\": 7}]}");
}

// Processes and threads that add at the same time lose nothing and share no id.
TEST_F(JournalTest, SeveralProcessesAddAtOnce) {
  constexpr int kProcesses = 4, kThreads = 2, kEach = 5;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool isFine = true;
      std::vector<std::jthread> threads;
      for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
          for (int i = 0; i < kEach; ++i)
            if (!journal().add({changeNamed(std::to_string(p * 100 + t * 10 + i))})) isFine = false;
        });
      }
      threads.clear();
      ::_exit(isFine ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << "a process could not add";
  }
  std::set<std::string> ids, titles;
  const auto changes = journal().changes();
  ASSERT_TRUE(changes);
  for (const AppliedChange& one : *changes) {
    ids.insert(one.id);
    titles.insert(one.title);
  }
  constexpr std::size_t kAll = kProcesses * kThreads * kEach;
  EXPECT_EQ(changes->size(), kAll);
  EXPECT_EQ(ids.size(), kAll);
  EXPECT_EQ(titles.size(), kAll);
}
