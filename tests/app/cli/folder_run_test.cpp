// SPDX-License-Identifier: GPL-3.0-or-later
// The real command line over the folders of runs, on a machine that has no profile, no region and no run store.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>

#include "base/digest.h"
#include "cli_process.h"
#include "ended_run.h"
#include "metrics/segments/segment_name.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

using namespace lockstep;
using namespace std::chrono_literals;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr int kRanks = kEndedRanks;
constexpr Step kSteps = kEndedSteps;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct FolderRunTest : testing::Test {
  CliHome home;
  TempDir work;
  std::shared_ptr<ObjectStore> store = openFolder(work.path());
  const fs::path folder = work.path() / "Undefined";

  void put(const std::string& name, const std::string& text) {
    ASSERT_TRUE(store->put("Undefined/" + name, text, {}));
  }
  void writeRun() { putEndedRun(store); }
  fs::path segmentOf(int rank) const { return folder / ("lockstep/metrics/" + segmentName(Rank(rank), 0)); }
  std::string uri() const { return "file://" + folder.string(); }
  /// Nothing of a run store, a region or a profile was made.
  void expectUntouched() const {
    EXPECT_FALSE(fs::exists(home.path() / ".oci"));
    for (const auto& entry : fs::recursive_directory_iterator(home.path()))
      EXPECT_NE(entry.path().filename(), "runs.sqlite");
  }
};

}  // namespace

TEST_F(FolderRunTest, StatusTellsWhoWasSlowAndWhatIsMuted) {
  writeRun();
  for (int rank = 0; rank < kRanks; ++rank) {
    MetricWriter writer(store, layout::metricsFolder("Undefined"), Rank(rank), kRanks);
    const double delay = rank == 1 ? 250 : 0;
    for (Step step = kSteps; step < kSteps + 200; ++step)
      writer.record(step, TimePoint(480'001h + step * 1s),
                    {{metric::kStepMs, 1000.0},
                     {metric::kDataMs, 20.0},
                     {metric::kForwardMs, 200.0 + delay},
                     {metric::kBackwardMs, 400.0},
                     {metric::kWaitMs, 380.0 - delay}});
    ASSERT_TRUE(writer.flush(20s));
  }
  const CliExit done = home.run({"status", uri(), "--json"});
  EXPECT_EQ(done.code(), 0) << done.err;
  const json findings = done.json().at("findings");
  ASSERT_EQ(findings.size(), 1U) << findings.dump(2);
  EXPECT_EQ(findings[0].at("key"), "straggler 1 forward_ms");
  EXPECT_FALSE(findings[0].at("end").is_null()) << "the run is over";
  EXPECT_TRUE(findings[0].at("muted").is_null());
  EXPECT_FALSE(done.json().at("unmeasured").empty());

  const CliExit muted = home.run({"mute", uri(), "straggler", "1", "forward_ms", "--for", "2h"});
  EXPECT_EQ(muted.code(), 0) << muted.err;
  EXPECT_TRUE(home.run({"status", uri(), "--json"}).json().at("findings")[0].at("muted").is_string());
  EXPECT_EQ(home.run({"mute", uri(), "straggler 1 forward_ms", "--off"}).code(), 0);
  EXPECT_TRUE(home.run({"status", uri(), "--json"}).json().at("findings")[0].at("muted").is_null());
  EXPECT_EQ(home.run({"mute", uri(), "nonsense"}).code(), 2);
}

TEST_F(FolderRunTest, StatusTellsHowItIs) {
  writeRun();
  const CliExit done = home.run({"status", uri(), "--json"});
  EXPECT_EQ(done.code(), 0) << done.err;
  const json status = done.json();
  EXPECT_EQ(status.at("state"), "SUCCEEDED");
  EXPECT_EQ(status.at("step"), kSteps);
  EXPECT_EQ(status.at("totalSteps"), kSteps);
  EXPECT_EQ(status.at("elapsedSeconds"), 40);
  EXPECT_EQ(status.at("ranks").size(), std::size_t{kRanks});
  EXPECT_EQ(status.at("segments").at("read"), status.at("segments").at("known"));
  EXPECT_EQ(status.at("problems"), json::array());
  const CliExit text = home.run({"status", folder.string()});
  EXPECT_EQ(text.code(), 0) << text.err;
  EXPECT_TRUE(contains(text.out, "SUCCEEDED 0:40, step 40 of 40")) << text.out;
  EXPECT_EQ(text.err, "");
  expectUntouched();
}

TEST_F(FolderRunTest, MetricsAreAllThere) {
  writeRun();
  for (const std::string& run : {uri(), folder.string(), std::string("here")}) {
    if (run == "here") fs::create_directory_symlink(folder, home.path() / "here");
    const CliExit done = home.run({"metrics", run == "here" ? "./here" : run});
    EXPECT_EQ(done.code(), 0) << done.err;
    EXPECT_EQ(lossesIn(done.out), kRanks * kSteps);
    EXPECT_EQ(done.err, "");
  }
  expectUntouched();
}

TEST_F(FolderRunTest, MetricsAsJsonSayTheSameAlsoIntoAFile) {
  writeRun();
  const json rows = home.run({"metrics", uri(), "--format", "json", "--name", "loss", "--rank", "1"}).json();
  ASSERT_EQ(rows.size(), std::size_t{kSteps});
  for (Step step = 0; step < kSteps; ++step) {
    const json& row = rows[static_cast<std::size_t>(step)];
    EXPECT_EQ(row.at("rank"), 1);
    EXPECT_EQ(row.at("name"), "loss");
    EXPECT_EQ(row.at("step"), step);
    EXPECT_EQ(row.at("value"), 1.0 / static_cast<double>(step + 1));
  }
  const fs::path file = home.path() / "all.json";
  const CliExit done = home.run({"metrics", uri(), "--format", "json", "-o", file.string()});
  EXPECT_EQ(done.code(), 0) << done.err;
  EXPECT_EQ(done.out, "");
  std::ifstream in(file);
  const json all = json::parse(in, nullptr, false);
  EXPECT_EQ(std::ranges::count_if(all, [](const json& row) { return row.at("name") == "loss"; }),
            kRanks * kSteps);
  EXPECT_EQ(home.run({"metrics", uri(), "--format", "json", "--name", "none"}).out, "[]\n");
}

TEST_F(FolderRunTest, WatchReadsItAndSaysThatThereAreNoLines) {
  writeRun();
  put("lockstep/failure.json",
      R"({"rank":1,"node":"worker_0","exitCode":3,"signal":0,"what":"x","time":"2024-10-04T00:00:50.000Z"})");
  const CliExit done = home.run({"watch", uri()});
  EXPECT_EQ(done.code(), 1) << done.err;
  EXPECT_TRUE(contains(done.err, "a work dir keeps no lines")) << done.err;
  EXPECT_TRUE(contains(done.err, "rank 1 on worker_0 ended with exit code 3")) << done.err;
  expectUntouched();
}

TEST_F(FolderRunTest, WhatIsNoRunIsNamedWithWhatWasExpected) {
  fs::create_directories(work.path() / "empty");
  fs::create_directories(work.path() / "x/garbage/lockstep/metrics/rank-x");
  put("lockstep/run.json", "{}");
  struct Case {
    std::string run, says;
  };
  const std::vector<Case> cases{
      {(work.path() / "none").string(), "there is no such folder"},
      {(work.path() / "empty").string(), "lockstep/run.json"},
      {(work.path() / "x/garbage").string(), "lockstep/metrics/"},
      {work.path().string(), "name the folder of one of them: " + folder.string()},
      {"oci://bucket", "the namespace is missing"},
      {"ftp://host/x", "the scheme 'ftp' is not known"},
  };
  for (const Case& one : cases) {
    for (const char* command : {"status", "metrics", "watch"}) {
      const CliExit done = home.run({command, one.run});
      EXPECT_EQ(done.code(), 1) << command << one.run << done.err;
      EXPECT_TRUE(contains(done.err, one.run)) << done.err;
      EXPECT_TRUE(contains(done.err, one.says)) << done.err;
      EXPECT_EQ(done.out, "");
    }
  }
  expectUntouched();
}

TEST_F(FolderRunTest, ABucketWantsAProfile) {
  const CliExit done = home.run({"status", "oci://bucket@names/runs/Undefined"});
  EXPECT_NE(done.code(), 0);
  EXPECT_TRUE(contains(done.err, ".oci/config")) << done.err;
}

TEST_F(FolderRunTest, CanOnlyBeRead) {
  writeRun();
  for (const char* command : {"cancel", "delete", "show-config"}) {
    const CliExit done = home.run({command, uri()});
    EXPECT_EQ(done.code(), 1) << command << done.err;
    EXPECT_TRUE(contains(done.err, "can be read, and nothing else")) << done.err;
  }
}

TEST_F(FolderRunTest, ASegmentOfANewerVersionIsMissingAndNamed) {
  writeRun();
  std::ifstream in(segmentOf(1), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  ASSERT_GT(bytes.size(), 8u);
  bytes[4] = 9;
  const std::uint32_t sum = crc32c(std::string_view(bytes).substr(0, bytes.size() - 4));
  for (std::size_t byte = 0; byte < 4; ++byte)
    bytes[bytes.size() - 4 + byte] = static_cast<char>(sum >> 8 * byte);
  std::ofstream(segmentOf(1), std::ios::binary) << bytes;
  const CliExit done = home.run({"metrics", uri()});
  EXPECT_EQ(done.code(), 0) << done.err;
  EXPECT_EQ(lossesIn(done.out), (kRanks - 1) * kSteps);
  EXPECT_TRUE(contains(done.err, "could not be read")) << done.err;
  EXPECT_TRUE(contains(done.err, "rank-00001/raw/0000000000.lsm")) << done.err;
  EXPECT_TRUE(contains(done.err, "version 9")) << done.err;
  EXPECT_EQ(home.run({"status", uri(), "--json"}).json().at("segments").at("unreadable"), 1);
}

// Nothing lost that was there, nothing invented.
TEST_F(FolderRunTest, ObjectsThatVanishWhileItIsReadDoNoHarm) {
  writeRun();
  std::atomic<bool> isOver = false;
  std::thread remover([&] {
    const fs::path aside = work.path() / "aside";
    while (!isOver) {
      std::error_code ec;
      fs::rename(segmentOf(1), aside, ec);
      fs::rename(folder / "lockstep/heartbeat.json", work.path() / "beat", ec);
      std::this_thread::sleep_for(1ms);
      fs::rename(aside, segmentOf(1), ec);
      fs::rename(work.path() / "beat", folder / "lockstep/heartbeat.json", ec);
    }
  });
  for (int i = 0; i < 20; ++i) {
    const CliExit done = home.run({"metrics", uri()});
    EXPECT_EQ(done.code(), 0) << done.err;
    const long losses = lossesIn(done.out);
    EXPECT_TRUE(losses == kRanks * kSteps || losses == (kRanks - 1) * kSteps) << losses;
    const CliExit status = home.run({"status", uri(), "--json"});
    EXPECT_EQ(status.code(), 0) << status.err;
    EXPECT_EQ(status.json().at("state"), "SUCCEEDED");
  }
  isOver = true;
  remover.join();
}
