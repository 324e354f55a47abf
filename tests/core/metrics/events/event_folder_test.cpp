// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/event_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "event_bytes.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace events;
namespace fs = std::filesystem;

constexpr std::size_t kAll = 64 << 20;
const std::string kName = "events.out.tfevents.1700000000.host.77.0";

std::string fileOf(Step step) {
  return version() + scalar("loss", step, 1);
}

/// By run, the steps that were read.
std::map<std::string, std::vector<Step>> readRuns(EventFolder& folder, std::size_t maxBytes = kAll) {
  std::map<std::string, std::vector<Step>> runs;
  for (const FoundScalars& found : folder.readNew(maxBytes))
    for (const EventScalar& one : found.scalars) runs[found.run].push_back(one.step);
  return runs;
}
using Runs = std::map<std::string, std::vector<Step>>;

void setChanged(const fs::path& path, TimePoint time) {
  const auto since = time.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  const timespec at{seconds.count(), (since - seconds).count()};
  const timespec both[2] = {at, at};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), both, 0), 0);
}

TEST(EventFolder, FindsTheFilesOfAllRuns) {
  const TempDir dir;
  const fs::path root = dir.path() / "logs";
  EventFolder folder({root});
  folder.look();
  EXPECT_EQ(folder.files(), 0U) << "it is not there yet";
  write(root / kName, fileOf(1));
  write(root / "a" / "train" / kName, fileOf(2));
  write(root / "a" / "validation" / (kName + ".v2"), fileOf(3));
  write(root / "a" / "events.txt", fileOf(4));
  EXPECT_EQ(readRuns(folder), Runs()) << "nobody looked";
  folder.look();
  EXPECT_EQ(readRuns(folder), (Runs{{".", {1}}, {"a/train", {2}}, {"a/validation", {3}}}));
  append(root / kName, scalar("loss", 9, 1));
  folder.look();
  EXPECT_EQ(readRuns(folder), (Runs{{".", {9}}})) << "only what is new";
}

TEST(EventFolder, SaysWhoWritesAFile) {
  const TempDir dir;
  write(dir.path() / kName, fileOf(1));
  EventFolder folder({dir.path()});
  folder.look();
  const auto found = folder.readNew(kAll);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].file, dir.path() / kName);
  EXPECT_EQ(found[0].pid, 77);
}

TEST(EventFolder, ReadsTheProcessFromAName) {
  const std::pair<const char*, std::optional<int>> kNames[] = {
      {"events.out.tfevents.1700000000.host.4242", 4242},        // our own trainer
      {"events.out.tfevents.1700000000.host.4242.0", 4242},      // PyTorch
      {"events.out.tfevents.1700000000.host.4242.17.v2", 4242},  // TensorFlow 2
      {"events.out.tfevents.1700000000.node-1.sub.example.4242.0", 4242},
      {"events.out.tfevents.1700000000.10.0.7.5.4242", 4242},
      {"events.out.tfevents.1700000000.10.0.7.5.4242.3.v2", 4242},
      {"events.out.tfevents.1700000000.010203040506.4242.0", 4242},  // a container
      {"events.out.tfevents.1700000000.host.4242.0.rank-1", 4242},
      {"events.out.tfevents.1700000000.host", std::nullopt},  // TensorFlow 1
      {"events.out.tfevents.1700000000.node-1.sub.example", std::nullopt},
      {"events.out.tfevents.1700000000.10.0.7.5", std::nullopt},
      {"events.out.tfevents.1700000000.host.profile-empty", std::nullopt},
      {"events.out.tfevents.1700000000.host.0.0", std::nullopt},
      {"events.out.tfevents.1700000000.host.99999999999999999999.0", std::nullopt},
      {"events.out.tfevents.when.host.4242.0", std::nullopt},
      {"events.out.tfevents.", std::nullopt},
      {"events.out.tfevents", std::nullopt},
      {"tfevents...4242", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& [name, process] : kNames) EXPECT_EQ(writerOf(name), process) << name;
}

TEST(EventFolder, FollowsLinksAndGoesInNoCircle) {
  const TempDir dir;
  const fs::path root = dir.path() / "logs", elsewhere = dir.path() / "elsewhere";
  write(elsewhere / "run" / kName, fileOf(1));
  fs::create_directories(root / "a");
  fs::create_directory_symlink(elsewhere, root / "linked");
  fs::create_directory_symlink(root, root / "a" / "up");
  fs::create_directory_symlink(root / "nowhere", root / "broken");
  fs::create_symlink(root / "loop.tfevents", root / "loop.tfevents");
  EventFolder folder({root, root / "a", elsewhere});
  folder.look();
  EXPECT_EQ(folder.files(), 1U) << "each file once";
  const Runs runs = readRuns(folder);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs.begin()->second, std::vector<Step>{1});
}

TEST(EventFolder, LooksSoDeepAndNoDeeper) {
  const TempDir dir;
  fs::path deep = dir.path();
  for (int i = 0; i < 8; ++i) deep /= "d";
  write(deep / kName, fileOf(1));
  write(deep / "d" / kName, fileOf(2));
  EventFolder folder({dir.path()});
  folder.look();
  EXPECT_EQ(readRuns(folder), (Runs{{"d/d/d/d/d/d/d/d", {1}}}));
}

TEST(EventFolder, TakesOnlyRegularFiles) {
  const TempDir dir;
  write(dir.path() / ("dir." + kName) / kName, fileOf(1));
  ASSERT_EQ(::mkfifo((dir.path() / ("pipe." + kName)).c_str(), 0600), 0);
  EventFolder folder({dir.path()});
  folder.look();
  EXPECT_EQ(readRuns(folder), (Runs{{"dir." + kName, {1}}}));
  EXPECT_EQ(folder.files(), 1U);
}

TEST(EventFolder, LeavesOutEarlierRunsUntilTheyGrow) {
  const TempDir dir;
  const TimePoint since = SystemClock().now();
  write(dir.path() / "old" / kName, fileOf(1));
  write(dir.path() / "new" / kName, fileOf(2));
  setChanged(dir.path() / "old" / kName, since - std::chrono::hours(1));
  setChanged(dir.path() / "new" / kName, since);
  EventFolder folder({dir.path()}, since);
  folder.look();
  folder.look();
  EXPECT_EQ(readRuns(folder), (Runs{{"new", {2}}}));
  append(dir.path() / "old" / kName, scalar("loss", 3, 1));
  setChanged(dir.path() / "old" / kName, since - std::chrono::minutes(1));  // the clock of a file server
  folder.look();
  folder.look();
  EXPECT_EQ(readRuns(folder), (Runs{{"old", {1, 3}}}));
}

TEST(EventFolder, TakesWhatIsWrittenAtOnce) {
  const TempDir dir;
  EventFolder folder({dir.path()}, SystemClock().now());
  write(dir.path() / kName, fileOf(1));
  folder.look();
  EXPECT_EQ(readRuns(folder), (Runs{{".", {1}}})) << "the clock of files goes in ticks";
}

TEST(EventFolder, PassesOverWhatIsNoEventFile) {
  const TempDir dir;
  const fs::path text = dir.path() / "notes-on-tfevents.txt";
  write(text, "only some text that was given such a name");
  write(dir.path() / kName, fileOf(1));
  EventFolder folder({dir.path()});
  folder.look();
  EXPECT_EQ(readRuns(folder), (Runs{{".", {1}}}));
  append(text, fileOf(2));
  folder.look();
  EXPECT_EQ(readRuns(folder), Runs());
}

TEST(EventFolder, ForgetsWhatIsGone) {
  const TempDir dir;
  write(dir.path() / kName, fileOf(1));
  EventFolder folder({dir.path()});
  folder.look();
  fs::remove(dir.path() / kName);
  EXPECT_EQ(readRuns(folder), Runs());
  folder.look();
  EXPECT_EQ(folder.files(), 0U);
}

TEST(EventFolder, GivesEachFileItsTurn) {
  const TempDir dir;
  for (const char* run : {"a", "b", "c"}) write(dir.path() / run / kName, fileOf(1) + scalar("loss", 2, 1));
  EventFolder folder({dir.path()});
  folder.look();
  const std::size_t one = fileOf(1).size() + scalar("loss", 2, 1).size();
  EXPECT_EQ(readRuns(folder, 0), Runs());
  EXPECT_EQ(readRuns(folder, one), (Runs{{"a", {1, 2}}}));
  append(dir.path() / "a" / kName, scalar("loss", 3, 1));
  EXPECT_EQ(readRuns(folder, one), (Runs{{"b", {1, 2}}}));
  EXPECT_EQ(readRuns(folder, one), (Runs{{"c", {1, 2}}}));
  EXPECT_EQ(readRuns(folder, one), (Runs{{"a", {3}}}));
}

TEST(EventFolder, FollowsTheNewestOfMany) {
  const TempDir dir;
  const TimePoint now = SystemClock().now();
  for (int i = 0; i < 1'034; ++i) {
    const fs::path path = dir.path() / fmt::format("{}.tfevents", i);
    write(path, fileOf(i));
    setChanged(path, now - std::chrono::seconds(i));
  }
  EventFolder folder({dir.path()});
  folder.look();
  EXPECT_EQ(folder.files(), 1'024U);
  const Runs runs = readRuns(folder);
  EXPECT_EQ(runs.at(".").size(), 1'024U);
  EXPECT_LT(*std::max_element(runs.at(".").begin(), runs.at(".").end()), 1'024);
}

TEST(EventFolder, CountsWhatItSkips) {
  const TempDir dir;
  std::string bad = fileOf(1);
  bad.back() = static_cast<char>(bad.back() + 1);
  write(dir.path() / kName, bad);
  EventFolder folder({dir.path()});
  folder.look();
  EXPECT_EQ(readRuns(folder), Runs());
  EXPECT_EQ(folder.skipped(), 1U);
}

}  // namespace
}  // namespace lockstep
