// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/code_version.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/captured_process.h"
#include "temp_dir.h"

using namespace lockstep;

namespace {

struct CodeVersionTest : testing::Test {
  TempDir dir;
  std::filesystem::path tree = dir.path() / "tree";

  void SetUp() override {
    std::filesystem::create_directories(tree / "project");
    git({"init", "-q", "-b", "main", "."});
    write("project/train.py", "print(1)\n");
    write(".gitignore", "secrets.env\n");
    git({"add", "."});
    git({"commit", "-q", "-m", "first"});
  }
  void git(const std::vector<std::string>& arguments) {
    std::vector<std::string> command{"git",
                                     "-C",
                                     tree.string(),
                                     "-c",
                                     "user.name=ann",
                                     "-c",
                                     "user.email=ann@example.com",
                                     "-c",
                                     "commit.gpgsign=false"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto ran = runCaptured(command, std::chrono::seconds(60), {});
    ASSERT_TRUE(ran);
    ASSERT_TRUE(ran->exit.ok()) << ran->errors;
  }
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(writeFileAtomically(tree / name, text));
  }
  [[nodiscard]] CodeVersion now() const { return codeVersionOf(tree / "project", {}); }
};

}  // namespace

TEST_F(CodeVersionTest, ACleanTreeIsItsCommit) {
  const CodeVersion code = now();
  EXPECT_EQ(code.commit.size(), 40u);
  EXPECT_EQ(code.branch, "main");
  EXPECT_FALSE(code.isDirty);
  EXPECT_EQ(code.untracked, 0);
  EXPECT_EQ(code.difference, "");
  EXPECT_EQ(shortText(code), code.commit.substr(0, 12));
}

TEST_F(CodeVersionTest, ADirtyTreeKeepsItsDifferenceButNeitherIgnoredNorUnknownFiles) {
  write("project/train.py", "print(2)\n");
  write("secrets.env", "TOKEN=hunter2\n");
  write("project/notes.txt", "swordfish\n");
  const CodeVersion code = now();
  EXPECT_TRUE(code.isDirty);
  EXPECT_TRUE(code.isWhole);
  EXPECT_EQ(code.untracked, 1);
  EXPECT_NE(code.difference.find("-print(1)\n+print(2)\n"), std::string::npos) << code.difference;
  EXPECT_EQ(code.difference.find("hunter2"), std::string::npos);
  EXPECT_EQ(code.difference.find("swordfish"), std::string::npos);
  EXPECT_EQ(shortText(code), code.commit.substr(0, 12) + "+");
}

TEST_F(CodeVersionTest, AFileThatWasRenamedIsOneChangeAndNotUnknown) {
  git({"mv", "project/train.py", "project/main.py"});
  const CodeVersion code = now();
  EXPECT_TRUE(code.isDirty);
  EXPECT_EQ(code.untracked, 0);
}

TEST_F(CodeVersionTest, ALongDifferenceIsCutAtALine) {
  std::string text;
  while (text.size() < kMaxDifferenceBytes + 50'000) text += "a line that was not there before\n";
  write("project/train.py", text);
  const CodeVersion code = now();
  EXPECT_FALSE(code.isWhole);
  EXPECT_LE(code.difference.size(), kMaxDifferenceBytes);
  ASSERT_FALSE(code.difference.empty());
  EXPECT_EQ(code.difference.back(), '\n');
}

TEST_F(CodeVersionTest, ADifferenceThatIsMuchTooLongIsLeftOut) {
  write("project/train.py", std::string(3 << 20, 'x') + "\n");
  const CodeVersion code = now();
  EXPECT_TRUE(code.isDirty);
  EXPECT_FALSE(code.isWhole);
  EXPECT_EQ(code.difference, "");
}

TEST_F(CodeVersionTest, NoToolOfTheTreeIsStarted) {
  const std::string trap = (dir.path() / "started").string();
  git({"config", "diff.external", "touch " + trap});
  git({"config", "core.fsmonitor", "touch " + trap});
  write("project/train.py", "print(2)\n");
  EXPECT_TRUE(now().isDirty);
  EXPECT_FALSE(std::filesystem::exists(trap));
}

TEST(CodeVersion, OutsideOfAWorkTreeNothingIsKnown) {
  const TempDir dir;
  EXPECT_FALSE(codeVersionOf(dir.path(), {}).isKnown());
  EXPECT_FALSE(codeVersionOf(dir.path() / "not there", {}).isKnown());
  EXPECT_EQ(shortText({}), "");
}

TEST(CodeVersion, AVariableThatNamesAnotherRepositoryIsNotFollowed) {
  const TempDir dir;
  ::setenv("GIT_DIR", "/nonexistent/.git", 1);
  EXPECT_FALSE(codeVersionOf(dir.path(), {}).isKnown());
  ::unsetenv("GIT_DIR");
}
