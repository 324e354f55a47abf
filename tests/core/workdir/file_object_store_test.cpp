// SPDX-License-Identifier: GPL-3.0-or-later
#include "workdir/file_object_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "object_store_conformance.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

TEST(FileObjectStore, DoesWhatEveryStoreDoes) {
  const TempDir dir;
  const auto store = openFolder(dir.path() / "not/yet/there");
  ObjectStoreConformance(*store).checkAll();
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
    EXPECT_EQ(got.error().code, StatusCode::InvalidArgument) << describe(got.error());
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
  EXPECT_EQ(folder.error().code, StatusCode::FailedPrecondition) << describe(folder.error());
  const auto below = store->put("a/b/c", "3", {});
  ASSERT_FALSE(below);
  EXPECT_EQ(below.error().code, StatusCode::FailedPrecondition) << describe(below.error());
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
  EXPECT_EQ(put.error().code, StatusCode::PermissionDenied);
  EXPECT_NE(put.error().what.find(dir.path().string()), std::string::npos);
}

}  // namespace
}  // namespace lockstep
