// SPDX-License-Identifier: GPL-3.0-or-later
// Every folder of a target in tests/data/export: in.yaml, the bundle that it
// becomes (out/, where ".x" is "dot.x"), and its notes. LOCKSTEP_WRITE_GOLDENS=1 writes them anew, to be read
// before they are kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/atomic_file.h"
#include "tests/support/bundle_folder.h"
#include "tests/support/temp_dir.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const char* target : {"compose", "kubeflow", "mpirun", "slurm", "terraform", "torchrun"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(LOCKSTEP_TEST_DATA) / "export" / target))
      names.push_back(std::string(target) + "/" + entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string plainName(const std::string& path) {
  return path.starts_with('.') ? "dot" + path : path;
}

std::string textOf(const fs::path& path) {
  return readFile(path).value_or("(no file " + path.string() + ")");
}

std::string notesOf(const ExportBundle& bundle) {
  std::string text;
  for (const std::string& note : bundle.notes) text += note + "\n";
  return text;
}

class KitGolden : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder_ = fs::path(LOCKSTEP_TEST_DATA) / "export" / GetParam();
    const std::string target = GetParam().substr(0, GetParam().find('/'));
    bundle_ = bundleOf(*exportTargetNamed(target), textOf(folder_ / "in.yaml"));
    if (std::getenv("LOCKSTEP_WRITE_GOLDENS")) writeGoldens();
  }

  void writeGoldens() const {
    fs::remove_all(folder_ / "out");
    fs::create_directories(folder_ / "out");
    for (const ExportedFile& file : bundle_.files) {
      const fs::path path = folder_ / "out" / plainName(file.path);
      ASSERT_TRUE(writeFileAtomically(path, file.content, file.executable ? 0755 : 0644));
    }
    ASSERT_TRUE(writeFileAtomically(folder_ / "notes.txt", notesOf(bundle_)));
  }

  fs::path folder_;
  ExportBundle bundle_;
};

TEST_P(KitGolden, IsTheSameBundle) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "out")) files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(bundle_.files.size(), files);
  for (const ExportedFile& file : bundle_.files) {
    const fs::path path = folder_ / "out" / plainName(file.path);
    EXPECT_EQ(file.content, textOf(path)) << file.path;
    const bool executable = (fs::status(path).permissions() & fs::perms::owner_exec) != fs::perms::none;
    EXPECT_EQ(file.executable, executable) << file.path;
  }
  EXPECT_EQ(notesOf(bundle_), textOf(folder_ / "notes.txt"));
}

TEST_P(KitGolden, IsWrittenWithItsModeBits) {
  const TempDir folder;
  ASSERT_TRUE(writeBundle(bundle_, folder.path() / "kit", false));
  for (const ExportedFile& file : bundle_.files) {
    const auto mode = fs::status(folder.path() / "kit" / file.path).permissions();
    EXPECT_EQ(static_cast<unsigned>(mode), file.executable ? 0755U
                                           : file.secret   ? 0600U
                                                           : 0644U)
        << file.path;
  }
}

TEST_P(KitGolden, HoldsNoKeyAndNoSecretInFilesThatOthersRead) {
  for (const ExportedFile& file : bundle_.files) {
    EXPECT_EQ(file.content.find("PRIVATE KEY"), std::string::npos) << file.path;
    EXPECT_EQ(file.content.find("/root/"), std::string::npos) << file.path;
    // The secret-looking values of the test files all hold this word.
    if (!file.secret) {
      EXPECT_EQ(file.content.find("hush"), std::string::npos) << file.path;
    }
  }
}

TEST_P(KitGolden, TheReadmeNamesOnlyFilesThatAreThere) {
  const std::string readme = contentOf(bundle_, "README.md");
  ASSERT_FALSE(readme.empty());
  EXPECT_EQ(bundle_.files.front().path, "README.md");
  for (std::size_t at = 0; (at = readme.find("./", at)) != std::string::npos; at += 2) {
    const std::size_t end = readme.find_first_not_of("abcdefghijklmnopqrstuvwxyz-.", at + 2);
    const std::string name = readme.substr(at + 2, end - at - 2);
    if (at > 0 && readme[at - 1] == '.') continue;
    EXPECT_FALSE(contentOf(bundle_, name).empty()) << "README.md names ./" << name;
  }
}

TEST_P(KitGolden, EveryScriptIsSoundShell) {
  const TempDir folder;
  ASSERT_TRUE(writeBundle(bundle_, folder.path(), false));
  std::string scripts;
  for (const ExportedFile& file : bundle_.files) {
    if (!file.content.starts_with("#!")) continue;
    scripts += " " + quoteShell(file.path);
    const Said parsed =
        run("cd " + quoteShell(folder.path().string()) + " && bash -n " + quoteShell(file.path));
    EXPECT_EQ(parsed.code, 0) << file.path << ": " << parsed.text;
  }
  if (scripts.empty()) return;
  if (!hasProgram("shellcheck")) GTEST_SKIP() << "shellcheck is not installed";
  const Said checked = run("cd " + quoteShell(folder.path().string()) + " && shellcheck -s bash" + scripts);
  EXPECT_EQ(checked.code, 0) << checked.text;
}

TEST_P(KitGolden, TerraformFindsItWellFormed) {
  if (!GetParam().starts_with("terraform/")) return;
  if (!hasProgram("terraform")) GTEST_SKIP() << "terraform is not installed";
  const TempDir folder;
  ASSERT_TRUE(writeBundle(bundle_, folder.path(), false));
  const std::string example = "terraform.tfvars.example";
  ASSERT_TRUE(writeFileAtomically(folder.path() / "example.tfvars", contentOf(bundle_, example)));
  const Said said =
      run("cd " + quoteShell(folder.path().string()) + " && terraform fmt -check -diff -no-color");
  EXPECT_EQ(said.code, 0) << said.text;
}

INSTANTIATE_TEST_SUITE_P(All, KitGolden, testing::ValuesIn(cases()), [](const auto& one) {
  std::string name = one.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace lockstep
