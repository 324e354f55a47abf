// SPDX-License-Identifier: GPL-3.0-or-later
#include "workdir/file_object_store.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <utility>
#include <vector>

#include "object_store_conformance.h"
#include "temp_dir.h"

namespace {

/// A folder or file that was synced, and whether it held anything but folders and what is not finished then.
using Synced = std::pair<std::filesystem::path, bool>;
std::vector<Synced> synced;
std::mutex syncedMutex;

}  // namespace

// Stands before the C library's.
extern "C" int fsync(int fd) {
  std::error_code ec;
  const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), ec);
  bool holdsFiles = false;
  if (std::filesystem::is_directory(path, ec))
    for (const auto& entry : std::filesystem::directory_iterator(path, ec))
      holdsFiles = holdsFiles || entry.is_regular_file(ec);
  {
    const std::lock_guard lock(syncedMutex);
    synced.emplace_back(path, holdsFiles);
  }
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace lockstep {
namespace {

TEST(FileObjectStore, DoesWhatEveryStoreDoes) {
  const TempDir dir;
  const auto store = openFolder(dir.path() / "not/yet/there");
  ObjectStoreConformance(*store).checkAll();
}

// The folder that an object's name stands in is synced after the name has come: else a power cut takes it
// back.
TEST(FileObjectStore, WhatIsAcknowledgedHasItsNameOnTheDisk) {
  const TempDir dir;
  const auto store = openFolder(dir.path());
  synced.clear();
  ASSERT_TRUE(store->put("a/b/plan", "1", {}));
  ASSERT_FALSE(synced.empty());
  EXPECT_EQ(synced.back(), Synced(dir.path() / "a/b", true)) << "last, and with the object in it";
  const auto has = [](const std::filesystem::path& folder) {
    return std::any_of(synced.begin(), synced.end(), [&](const Synced& one) { return one.first == folder; });
  };
  EXPECT_TRUE(has(dir.path() / "a"));
  EXPECT_TRUE(has(dir.path()));
  synced.clear();
  ASSERT_TRUE(store->put("a/b/plan", "2", {}));
  EXPECT_EQ(synced.size(), 2U)
      << "the bytes and the name; where they were written first, no name has to last";
  synced.clear();
  ASSERT_TRUE(store->putNew("a/b/plan-2", "1", {}));
  EXPECT_EQ(synced.size(), 2U);
  EXPECT_EQ(synced.back(), Synced(dir.path() / "a/b", true));
  EXPECT_FALSE(has(dir.path() / "a")) << "its own folder was there already";
}

TEST(FileObjectStore, OpeningAndReadingCreateNothing) {
  const TempDir dir;
  const auto store = openFolder(dir.path() / "w");
  EXPECT_TRUE(store->list("", "", {}));
  EXPECT_FALSE(store->get("x", {}));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "w"));
}

TEST(FileObjectStore, NeverLeavesItsFolder) {
  const TempDir dir;
  std::ofstream(dir.path() / "outside") << "secret";
  const auto store = openFolder(dir.path() / "w");
  for (const std::string& name :
       {std::string("../outside"), std::string("a/../../outside"), std::string("/etc/hostname"),
        std::string(""), std::string("a//b"), std::string("a/"), std::string("."), std::string("x\0y", 3),
        std::string(".lockstep-partial/x")}) {
    const auto got = store->get(name, {});
    ASSERT_FALSE(got) << name;
    EXPECT_EQ(got.error().code, ErrorCode::InvalidArgument) << describe(got.error());
    EXPECT_FALSE(store->put(name, "1", {})) << name;
    EXPECT_FALSE(store->remove(name, {})) << name;
  }
  EXPECT_TRUE(store->list("../", "", {})->empty());
  EXPECT_TRUE(std::filesystem::exists(dir.path() / "outside"));
}

TEST(FileObjectStore, UnfinishedPutsDoNotList) {
  const TempDir dir;
  std::filesystem::create_directories(dir.path() / ".lockstep-partial");
  std::ofstream(dir.path() / ".lockstep-partial" / "left-by-a-crash") << "half";
  const auto store = openFolder(dir.path());
  EXPECT_TRUE(store->list("", "", {})->empty());
  EXPECT_TRUE(store->list(".lockstep", "", {})->empty());
  EXPECT_TRUE(store->list(".lockstep-partial/", "", {})->empty());
}

TEST(FileObjectStore, SaysWhenANameIsAFolderAlready) {
  const TempDir dir;
  const auto store = openFolder(dir.path());
  ASSERT_TRUE(store->put("a/b", "1", {}));
  const auto folder = store->put("a", "2", {});
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::FailedPrecondition) << describe(folder.error());
  const auto below = store->put("a/b/c", "3", {});
  ASSERT_FALSE(below);
  EXPECT_EQ(below.error().code, ErrorCode::FailedPrecondition) << describe(below.error());
  EXPECT_EQ(*store->get("a/b", {}), "1");
  EXPECT_FALSE(store->get("a", {}));
}

TEST(FileObjectStore, DescribesItselfWithoutATrailingSlash) {
  EXPECT_EQ(openFolder("/data/runs/")->describe(), "file:///data/runs");
  EXPECT_EQ(openFolder("/data/./runs")->describe(), "file:///data/runs");
}

TEST(FileObjectStore, NamesTheFolderThatCannotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root can write anywhere";
  const TempDir dir;
  std::filesystem::permissions(dir.path(),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const auto put = openFolder(dir.path())->put("x", "1", {});
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::PermissionDenied);
  EXPECT_NE(put.error().what.find(dir.path().string()), std::string::npos);
}

}  // namespace
}  // namespace lockstep
