// SPDX-License-Identifier: GPL-3.0-or-later
// What stands for /code of the image in a rehearsal: the folder, its copy, and what scripts need.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/atomic_file.h"
#include "launch/code_snapshot.h"
#include "launch/rehearsable.h"
#include "launch/rehearsal_code.h"
#include "launch/rehearsal_needs.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct RehearsalCode : testing::Test {
  TempDir dir;
  fs::path source = dir.path() / "source", target = dir.path() / "state" / "code";

  RehearsalCode() { fs::create_directories(source); }
  fs::path write(const fs::path& below, const std::string& text) const {
    fs::create_directories((source / below).parent_path());
    std::ofstream(source / below) << text;
    return source / below;
  }
  static Plan planOf(const Json& variables, const Json& container = {}) {
    Plan plan;
    Json body{{"jobConfigurationDetails", {{"environmentVariables", variables}}}};
    body["jobEnvironmentConfigurationDetails"] = {{"jobEnvironmentType", "OCIR_CONTAINER"}, {"image", "a:1"}};
    for (const auto& [name, value] : container.items())
      body["jobEnvironmentConfigurationDetails"][name] = value;
    plan.requests.push_back({"CreateJob", body});
    return plan;
  }
  static Plan cluster(const std::string& entry, const std::string& kind = "PYTORCH") {
    return planOf({{"OCI__CLUSTER_TYPE", kind}, {"OCI__ENTRY_SCRIPT", entry}});
  }
  static Plan container(const Json& entrypoint, const Json& cmd) {
    return planOf(Json::object(), {{"entrypoint", entrypoint}, {"cmd", cmd}});
  }
  [[nodiscard]] std::string lackOf(const Plan& plan) const {
    const auto needs = rehearsalNeeds(plan, source, {});
    return needs ? std::string() : describe(needs.error());
  }
};

TEST_F(RehearsalCode, ACopyHasTheFilesReadOnlyAndNothingThatNoImageShouldHave) {
  write("train.py", "print(1)\n");
  write("lib/helper.py", "x = 1\n");
  ::chmod(write("run.sh", "#!/bin/sh\n").c_str(), 0755);
  write(".git/config", "secret");
  write("lib/__pycache__/helper.pyc", "x");
  write("own-env/pyvenv.cfg", "home = /usr");
  ASSERT_EQ(::mkfifo((source / "pipe").c_str(), 0600), 0);
  const auto name = takeSnapshot(source, target, {});
  ASSERT_TRUE(name) << describe(name.error());
  const fs::path copy = target / *name;
  EXPECT_EQ(readFile(copy / "train.py").value_or(""), "print(1)\n");
  EXPECT_EQ(readFile(copy / "lib/helper.py").value_or(""), "x = 1\n");
  for (const char* none : {".git", "lib/__pycache__", "own-env", "pipe"})
    EXPECT_FALSE(fs::exists(copy / none)) << none;
  const auto modeOf = [](const fs::path& path) { return static_cast<int>(fs::status(path).permissions()); };
  EXPECT_EQ(modeOf(copy), 0555);
  EXPECT_EQ(modeOf(copy / "train.py"), 0444);
  EXPECT_EQ(modeOf(copy / "run.sh"), 0555);
  EXPECT_EQ(modeOf(target), 0700);
  write("train.py", "print(2)\n");
  EXPECT_EQ(readFile(copy / "train.py").value_or(""), "print(1)\n") << "the copy is of the launch";
  removeSnapshot(target, *name);
  EXPECT_TRUE(fs::is_empty(target));
}

TEST_F(RehearsalCode, LinksDoNotLeadOutOfTheFolder) {
  std::ofstream(dir.path() / "key.pem") << "secret";
  write("data/real.txt", "here");
  fs::create_symlink(dir.path() / "key.pem", source / "key");
  fs::create_symlink("../key.pem", source / "other");
  fs::create_directory_symlink(dir.path(), source / "up");
  fs::create_symlink(source / "data" / "real.txt", source / "absolute.txt");
  fs::create_symlink("real.txt", source / "data" / "relative.txt");
  fs::create_symlink("nowhere", source / "dangling");
  const auto name = takeSnapshot(source, target, {});
  ASSERT_TRUE(name) << describe(name.error());
  const fs::path copy = target / *name;
  for (const char* none : {"key", "other", "up", "dangling"})
    EXPECT_FALSE(fs::exists(fs::symlink_status(copy / none))) << none;
  EXPECT_EQ(readFile(copy / "data/relative.txt").value_or(""), "here");
  EXPECT_EQ(readFile(copy / "absolute.txt").value_or(""), "here");
  EXPECT_FALSE(fs::read_symlink(copy / "absolute.txt").is_absolute());
}

TEST_F(RehearsalCode, AFolderThatIsTooLargeIsRefusedByItsLargestEntry) {
  write("train.py", "x");
  write("data/pictures.bin", std::string(3 << 20, 'x'));
  auto name = takeSnapshot(source, target, {}, {2ULL << 20, 100});
  ASSERT_FALSE(name);
  EXPECT_NE(describe(name.error()).find("'data' is most of it"), std::string::npos) << describe(name.error());
  EXPECT_TRUE(fs::is_empty(target)) << "nothing stays behind";
  for (int i = 0; i < 20; ++i) write("many/" + std::to_string(i), "");
  name = takeSnapshot(source, target, {}, {100ULL << 20, 10});
  ASSERT_FALSE(name);
  EXPECT_EQ(name.error().code, ErrorCode::InvalidArgument);
  EXPECT_TRUE(fs::is_empty(target));
}

TEST_F(RehearsalCode, TheCopiesAreNotCopied) {
  const fs::path inside = source / "home" / "rehearsal" / "code";
  write("home/rehearsal/user.pem", "secret");
  write("train.py", "x");
  const auto name = takeSnapshot(source, inside, {});
  ASSERT_TRUE(name) << describe(name.error());
  EXPECT_TRUE(fs::exists(inside / *name / "train.py"));
  EXPECT_FALSE(fs::exists(inside / *name / "home" / "rehearsal"));
  removeSnapshot(inside, *name);
}

TEST_F(RehearsalCode, TheFolderIsThatOfTheFileOrTheOneThatTheImageIsBuiltFrom) {
  const std::string file = (source / "train.yaml").string();
  EXPECT_EQ(codeFolderOf(file), source);
  EXPECT_EQ(codeFolderOf("-"), fs::current_path());
  EXPECT_EQ(codeFolderOf(file, dir.path().string()), dir.path());
  write("config.ini", "[main]\ntag = 1\nsource_folder = src\n");
  EXPECT_EQ(codeFolderOf(file), source) << "there is no such folder";
  fs::create_directory(source / "src");
  EXPECT_EQ(codeFolderOf(file), source / "src");
}

TEST_F(RehearsalCode, IsUsedWhenSomethingOfThePlanLooksForIt) {
  write("train.py", "");
  EXPECT_TRUE(usesCode(cluster("train.py"), source));
  EXPECT_TRUE(usesCode(cluster("/code/train.py"), source));
  EXPECT_TRUE(usesCode(container({"/bin/sh", "-c"}, {"cd /code && ./train"}), source));
  EXPECT_FALSE(usesCode(cluster("lockstep-trainer"), source));
  EXPECT_FALSE(usesCode(cluster("/opt/code/train.py"), source));
  EXPECT_FALSE(usesCode(container({"/bin/echo"}, {"/codes"}), source));
  EXPECT_FALSE(usesCode(planOf({{"OCI__CLUSTER_TYPE", "PYTORCH"},
                                {"OCI__ENTRY_SCRIPT", "train.py"},
                                {"OCI__RUNTIME_TYPE", "git"}}),
                        source));
  EXPECT_EQ(withCode(cluster("train.py"), "abc").requests.front().body["freeformTags"]["lockstep-code"],
            "abc");
}

TEST_F(RehearsalCode, ModulesThatAScriptImportsAreLookedForWithoutRunningIt) {
  write("train.py", "import json\nimport helper\nraise SystemExit(7)\n");
  write("helper.py",
        "import os, parts.deep\ntry:\n    import may_be_missing\nexcept ImportError:\n    pass\n");
  write("parts/deep.py", "def late():\n    import also_may_be\n");
  EXPECT_EQ(lackOf(cluster("train.py")), "");
  EXPECT_EQ(lackOf(container({"python3"}, {"/code/train.py"})), "");
  write("train.py", "import helper, lockstep\n");
  EXPECT_EQ(lackOf(cluster("train.py")), "") << "the node agent brings that one";
  write("parts/deep.py", "from no_such_module_here.inner import thing\nimport cv2_no_such\n");
  const std::string lack = lackOf(cluster("/code/train.py"));
  EXPECT_NE(lack.find("'no_such_module_here', 'cv2_no_such'"), std::string::npos) << lack;
  EXPECT_NE(lack.find("deep.py imports them"), std::string::npos) << lack;
  EXPECT_NE(lack.find("pip install no_such_module_here cv2_no_such"), std::string::npos) << lack;
}

TEST_F(RehearsalCode, AScriptOrProgramThatIsNotThereIsNamed) {
  EXPECT_NE(lackOf(cluster("train.py")).find("'train.py' does not exist"), std::string::npos);
  EXPECT_NE(lackOf(container({"python3", "/code/a.py"}, Json::array())).find("'/code/a.py' does not exist"),
            std::string::npos);
  EXPECT_NE(
      lackOf(container({"no-such-program"}, Json::array())).find("'no-such-program' is not on this machine"),
      std::string::npos);
  EXPECT_EQ(lackOf(container(Json::array(), {"/bin/echo", "hello"})), "");
}

TEST_F(RehearsalCode, WhatNamesItsProgramCanBeRehearsed) {
  EXPECT_TRUE(rehearsable(container(Json::array(), {"/bin/echo"})));
  EXPECT_TRUE(rehearsable(container({"/bin/echo"}, Json::array())));
  EXPECT_FALSE(rehearsable(container(Json::array(), Json::array())));
  EXPECT_FALSE(rehearsable(planOf(Json::object(), {{"cmd", {"train"}}})));
  const auto ray = rehearsable(cluster("search.py", "RAY"));
  ASSERT_FALSE(ray);
  EXPECT_NE(describe(ray.error()).find("RAY cluster cannot be rehearsed"), std::string::npos);
}

}  // namespace
}  // namespace lockstep
