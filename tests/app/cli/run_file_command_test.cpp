// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in files of their own, by the real program: saved, opened, imported, exported, reported.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "cli_process.h"
#include "ended_run.h"
#include "workdir/file_object_store.h"

using namespace lockstep;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct RunFileCommandTest : testing::Test {
  CliHome home;
  fs::path workDir = home.path() / "work";
  std::string folder = "file://" + (workDir / "Undefined").string();
  fs::path file = home.path() / "run.lockstep";

  void SetUp() override { putEndedRun(openFolder(workDir)); }
  CliExit well(const std::vector<std::string>& arguments) {
    CliExit exit = home.run(arguments);
    EXPECT_EQ(exit.code(), 0) << exit.err;
    return exit;
  }
  void save() { well({"save", folder, "-o", file.string()}); }
  std::string csvOf(const std::string& run) { return well({"metrics", run}).out; }
  std::string import(const std::string& path) {
    return well({"import", path, "--json"}).json().at(0).at("run").get<std::string>();
  }
  void write(const fs::path& path, const std::string& text) { ASSERT_TRUE(writeFileAtomically(path, text)); }
};

}  // namespace

TEST_F(RunFileCommandTest, SavedForgottenAndImportedItIsTheSameRun) {
  const std::string before = csvOf(folder);
  const json state = well({"status", "--json", folder}).json();
  save();
  fs::remove_all(workDir);
  EXPECT_EQ(csvOf(file.string()), before);
  const std::string id = import(file.string());
  fs::remove(file);
  EXPECT_EQ(csvOf(id), before);
  const json now = well({"status", "--json", id}).json();
  for (const char* key : {"state", "step", "totalSteps", "ranks", "findings", "created", "finished"})
    EXPECT_EQ(now.at(key), state.at(key)) << key;
  EXPECT_EQ(now.at("health").at("heartbeat").at("time"), state.at("health").at("heartbeat").at("time"));
  const json listed = well({"runs", "--json"}).json();
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0].at("id"), id);
  EXPECT_NE(home.run({"cancel", id}).code(), 0);
}

TEST_F(RunFileCommandTest, AnImportedRunIsDeletedWithItsFile) {
  save();
  const std::string id = import(file.string());
  const fs::path copies = fs::path(home.environment().at("LOCKSTEP_HOME")) / "data/imported";
  EXPECT_TRUE(fs::exists(copies / (id + ".lockstep")));
  EXPECT_EQ(home.run({"delete", id}).code(), 4) << "nobody was asked";
  well({"delete", "--yes", id});
  EXPECT_TRUE(fs::is_empty(copies));
  EXPECT_TRUE(well({"runs", "--json"}).json().empty());
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(RunFileCommandTest, AFileThatIsThereIsKept) {
  write(file, "mine");
  const CliExit refused = home.run({"save", folder, "-o", file.string()});
  EXPECT_NE(refused.code(), 0);
  EXPECT_NE(refused.err.find("--force"), std::string::npos) << refused.err;
  EXPECT_EQ(readFile(file).value(), "mine");
  well({"save", folder, "-o", file.string(), "--force"});
  EXPECT_GT(lossesIn(csvOf(file.string())), 0);
}

TEST_F(RunFileCommandTest, WhatIsNoRunFileIsRefusedInWords) {
  save();
  const std::string whole = readFile(file).value();
  write(file, whole.substr(0, whole.size() / 2));
  for (const char* command : {"import", "status"}) {
    const CliExit cut = home.run({command, file.string()});
    EXPECT_NE(cut.code(), 0);
    EXPECT_NE(cut.err.find("cut short"), std::string::npos) << cut.err;
  }
  std::string newer = whole;
  newer[63] = 2;
  write(file, newer);
  EXPECT_NE(home.run({"import", file.string()}).err.find("newer"), std::string::npos);
  write(home.path() / "x.csv", "1,2\n3,4\n");
  EXPECT_NE(home.run({"import", (home.path() / "x.csv").string()}).err.find("names no quantities"),
            std::string::npos);
  EXPECT_NE(home.run({"import", (home.path() / "nothing").string()}).err.find("no such file"),
            std::string::npos);
  EXPECT_NE(home.run({"import", home.path().string()}).err.find("no event files"), std::string::npos);
  EXPECT_TRUE(well({"runs", "--json"}).json().empty());
}

// Times are kept to some 200 ns there, steps and values to their last bit.
TEST_F(RunFileCommandTest, ThroughTensorBoardAndBackItIsTheSame) {
  const fs::path board = home.path() / "board";
  EXPECT_EQ(home.run({"metrics", folder, "--format", "tensorboard"}).code(), 2);
  well({"metrics", folder, "--format", "tensorboard", "-o", board.string()});
  EXPECT_TRUE(fs::exists(board / "rank-00002"));
  const std::string id = import(board.string());
  EXPECT_EQ(csvOf(id), csvOf(folder));
  EXPECT_EQ(id.substr(0, 6), "board-");
}

TEST_F(RunFileCommandTest, ThroughCsvAndBackItIsTheSame) {
  const fs::path csv = home.path() / "mine.csv";
  well({"metrics", folder, "-o", csv.string()});
  const std::string id = import(csv.string());
  EXPECT_EQ(csvOf(id), csvOf(folder));
  const fs::path other = home.path() / "other.lockstep";
  well({"import", csv.string(), "--name", "brisk sun", "-o", other.string()});
  EXPECT_EQ(well({"status", "--json", other.string()}).json().at("name"), "brisk sun");
  EXPECT_EQ(well({"runs", "--json"}).json().size(), 1u);
}

TEST_F(RunFileCommandTest, TheReportIsOnePageWithItsCurves) {
  const fs::path page = home.path() / "report.html";
  well({"report", folder, "-o", page.string()});
  const std::string html = readFile(page).value();
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  for (const char* part : {"SUCCEEDED", "<svg", "polyline", "What came of it", "Loss"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  for (const char* never : {"<script", "http://", "https://", "src="})
    EXPECT_EQ(html.find(never), std::string::npos) << never;
  save();
  EXPECT_NE(well({"report", file.string()}).out.find("<svg"), std::string::npos);
}
