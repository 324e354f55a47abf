// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "tests/core/export/hostile_values.h"
#include "tests/support/bundle_folder.h"
#include "tests/support/temp_dir.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

ExportBundle twoFiles() {
  return {{{"README.md", "read me\n"},
           {"sub/run.sh", "#!/bin/sh\n", true},
           {"secrets.env", "A=b\n", false, true}},
          {}};
}

unsigned modeOf(const fs::path& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

TEST(WriteBundle, WritesAllFilesWithTheirModes) {
  const TempDir folder;
  const auto written = writeBundle(twoFiles(), folder.path() / "new" / "out", false);
  ASSERT_TRUE(written) << describe(written.error());
  EXPECT_EQ(written->size(), 3U);
  EXPECT_EQ(readFile(folder.path() / "new/out/sub/run.sh").value_or(""), "#!/bin/sh\n");
  EXPECT_EQ(modeOf(folder.path() / "new/out/README.md"), 0644U);
  EXPECT_EQ(modeOf(folder.path() / "new/out/sub/run.sh"), 0755U);
  EXPECT_EQ(modeOf(folder.path() / "new/out/secrets.env"), 0600U);
}

TEST(WriteBundle, LeavesNothingElseBehind) {
  const TempDir folder;
  ASSERT_TRUE(writeBundle(twoFiles(), folder.path(), false));
  ASSERT_TRUE(writeBundle(twoFiles(), folder.path(), false)) << "the same content again is no conflict";
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::recursive_directory_iterator(folder.path())) ++entries;
  EXPECT_EQ(entries, 4U);
}

TEST(WriteBundle, RefusesToReplaceOtherContentBeforeItWritesAnything) {
  const TempDir folder;
  ASSERT_TRUE(writeFileAtomically(folder.path() / "secrets.env", "mine\n"));
  const auto refused = writeBundle(twoFiles(), folder.path(), false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::AlreadyExists);
  EXPECT_NE(refused.error().what.find("secrets.env"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder.path() / "README.md"));
  ASSERT_TRUE(writeBundle(twoFiles(), folder.path(), true));
  EXPECT_EQ(readFile(folder.path() / "secrets.env").value_or(""), "A=b\n");
  EXPECT_EQ(modeOf(folder.path() / "secrets.env"), 0600U) << "a readable file becomes private";
}

TEST(WriteBundle, NoPathLeadsOutOfTheFolder) {
  const TempDir folder;
  for (const std::string& path : {std::string("../x"), std::string("a/../../x"), std::string("/tmp/x"),
                                  std::string(""), std::string("."), std::string("a//b"), std::string("a/"),
                                  std::string("./x"), std::string("a/.."), std::string("x\0y", 3)}) {
    const ExportBundle bundle{{{"good", "1"}, {path, "2"}}, {}};
    EXPECT_FALSE(writeBundle(bundle, folder.path() / "in", true)) << path;
    EXPECT_FALSE(fs::exists(folder.path() / "in")) << path;
    EXPECT_FALSE(fs::exists(folder.path() / "x")) << path;
  }
  const ExportBundle twice{{{"a", "1"}, {"a", "2"}}, {}};
  EXPECT_FALSE(writeBundle(twice, folder.path() / "in", true));
}

TEST(WriteBundle, FollowsNoLinkThatStandsInTheWay) {
  const TempDir folder;
  const fs::path out = folder.path() / "out", elsewhere = folder.path() / "elsewhere";
  fs::create_directories(out);
  fs::create_directories(elsewhere);
  fs::create_directory_symlink(elsewhere, out / "sub");
  EXPECT_FALSE(writeBundle(twoFiles(), out, true));
  EXPECT_TRUE(fs::is_empty(elsewhere));
  fs::remove(out / "sub");
  ASSERT_TRUE(writeFileAtomically(elsewhere / "victim", "keep\n"));
  fs::create_symlink(elsewhere / "victim", out / "README.md");
  EXPECT_FALSE(writeBundle(twoFiles(), out, true));
  EXPECT_EQ(readFile(elsewhere / "victim").value_or(""), "keep\n");
  fs::remove(out / "README.md");
  fs::create_symlink(folder.path() / "nowhere", out / "README.md");  // a dangling one, too
  EXPECT_FALSE(writeBundle(twoFiles(), out, true));
  EXPECT_FALSE(fs::exists(folder.path() / "nowhere"));
}

TEST(WriteBundle, AFolderWhereAFileBelongsAndTheOtherWayRound) {
  const TempDir folder;
  fs::create_directories(folder.path() / "README.md");
  EXPECT_FALSE(writeBundle(twoFiles(), folder.path(), true));
  fs::remove(folder.path() / "README.md");
  ASSERT_TRUE(writeFileAtomically(folder.path() / "sub", "a file"));
  EXPECT_FALSE(writeBundle(twoFiles(), folder.path(), true));
  EXPECT_FALSE(fs::exists(folder.path() / "README.md"));
  EXPECT_FALSE(writeBundle(twoFiles(), folder.path() / "sub", true)) << "the folder itself is a file";
}

TEST(WriteBundle, SaysWhichFolderCannotBeWritten) {
  if (::geteuid() == 0) {
    // Root may write everywhere but into /proc.
    const auto refused = writeBundle(twoFiles(), "/proc/lockstep-export", false);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().what.find("/proc"), std::string::npos) << describe(refused.error());
    return;
  }
  const TempDir folder;
  const fs::path closed = folder.path() / "closed";
  fs::create_directories(closed);
  fs::permissions(closed, fs::perms::owner_read | fs::perms::owner_exec);
  const auto refused = writeBundle(twoFiles(), closed, false);
  fs::permissions(closed, fs::perms::owner_all);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("closed"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(closed));
}

TEST(TrainYamlExport, IsTheFileByteForByte) {
  HostileFile file;
  file.variables = variablesOf(hostileValues());
  const std::string text = "# a comment\r\n" + file.text() + "\n\n# the end";
  const ExportBundle bundle = bundleOf(ExportTarget::TrainYaml, text);
  ASSERT_EQ(bundle.files.size(), 1U);
  EXPECT_EQ(bundle.files[0].path, "train.yaml");
  EXPECT_EQ(bundle.files[0].content, text);
}

TEST(TrainYamlExport, PutsTheImageInWhereTheFileSaysAt) {
  std::string text = HostileFile{}.text();
  const std::string image = "iad.ocir.io/team/net:1";
  text.replace(text.find(image), image.size(), "\"@image\"  # from config.ini");
  const ClusterDocument document(text);
  PlanOptions options;
  options.image = "iad.ocir.io/team/other:2";
  const auto plan = makePlan(document, options);
  ASSERT_TRUE(plan) << describe(plan.error());
  const auto bundle = exportCluster(ExportTarget::TrainYaml, {document, *plan});
  ASSERT_TRUE(bundle);
  std::string expected = text;
  expected.replace(expected.find("@image"), 6, "iad.ocir.io/team/other:2");
  EXPECT_EQ(bundle->files[0].content, expected);
  EXPECT_EQ(bundleOf(ExportTarget::TrainYaml, text).files[0].content, text) << "no image given: as it is";
}

}  // namespace
}  // namespace lockstep
