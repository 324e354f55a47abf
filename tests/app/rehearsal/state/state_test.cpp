// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a region: which process it belongs to, what is removed, and what its database must be.
#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "rehearsal/region/state_folder.h"
#include "rehearsal/state/database.h"
#include "rehearsal/support/run_folder.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

using namespace std::chrono_literals;

/// A process that has nothing to do with any region.
class Bystander {
 public:
  Bystander() : pid_(::fork()) {
    if (pid_ == 0) {
      for (;;) ::pause();
    }
  }
  ~Bystander() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] bool isAlive() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }

 private:
  pid_t pid_;
};

void writeText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

std::pair<int, std::string> rehearsal(std::vector<std::string> words, const std::filesystem::path& state) {
  words.insert(words.begin(), std::string(LOCKSTEP_BIN_DIR) + "/lockstep-rehearsal");
  words.insert(words.end(), {"--state", state.string()});
  return runProgram(words, {{"PATH", "/usr/bin:/bin"}, {"HOME", state.parent_path().string()}});
}

TEST(RegionProcess, StopEndsNoProcessThatOnlyHasTheNumber) {
  RegionUnderTest region;
  const rehearsal::StateFolder state{region.stateFolder()};
  nlohmann::json info = region.info();
  region.killHard();
  const Bystander bystander;
  info["pid"] = bystander.pid();
  info.erase("startTicks");
  writeText(state.info(), info.dump());
  writeText(state.lock(), "lockstep-rehearsal " + std::to_string(bystander.pid()) + " 1\n");
  // A region that is just starting has the lock, and has written nothing yet.
  const int lock = ::open(state.lock().c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
  std::jthread release([lock] {
    std::this_thread::sleep_for(1s);
    ::close(lock);
  });
  EXPECT_EQ(region.command({"stop"}).first, 0);
  EXPECT_TRUE(bystander.isAlive());
}

TEST(RegionProcess, StopEndsTheRegionWhateverTheInfoSays) {
  RegionUnderTest region;
  const rehearsal::StateFolder state{region.stateFolder()};
  const auto holder = rehearsal::lockHolder(state);
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->pid, region.info()["pid"].get<pid_t>());
  const Bystander bystander;
  nlohmann::json info = region.info();
  info["pid"] = bystander.pid();
  writeText(state.info(), info.dump());
  EXPECT_EQ(region.command({"stop"}).first, 0);
  EXPECT_FALSE(rehearsal::isLocked(state));
  // A process that ends lets go of its lock a moment before it is gone.
  for (int i = 0; i < 500 && rehearsal::isAlive(*holder); ++i) std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(rehearsal::isAlive(*holder));
  EXPECT_TRUE(bystander.isAlive());
}

TEST(RegionProcess, ARegionThatWroteNothingIntoItsLockIsFoundByTheKernel) {
  RegionUnderTest region;
  const rehearsal::StateFolder state{region.stateFolder()};
  writeText(state.lock(), "");
  const auto holder = rehearsal::lockHolder(state);
  if (!holder) GTEST_SKIP() << "/proc/locks does not name the files of this file system";
  EXPECT_EQ(holder->pid, region.info()["pid"].get<pid_t>());
}

TEST(RegionProcess, ASignalReachesTheProcessThatWasMeantAndNoLaterOne) {
  const Bystander bystander;
  auto mark = rehearsal::markOf(bystander.pid());
  ASSERT_TRUE(mark);
  EXPECT_TRUE(rehearsal::signalProcess(*mark, 0));
  --mark->startTicks;
  EXPECT_FALSE(rehearsal::signalProcess(*mark, SIGKILL));
  EXPECT_TRUE(bystander.isAlive());
}

TEST(RegionState, ResetRemovesNothingThatIsNotProvenARegions) {
  const TempDir temp;
  const auto other = temp.path() / "other";
  std::filesystem::create_directories(other);
  writeText(other / "lock", "");
  EXPECT_EQ(rehearsal({"reset"}, other).first, 1) << "a lock alone says nothing";
  writeText(other / "thesis.tex", "years");
  EXPECT_EQ(rehearsal({"reset"}, other).first, 1);
  writeText(other / "region.json", "{}");
  writeText(other / "lock", "lockstep-rehearsal 1 1\n");
  EXPECT_EQ(rehearsal({"reset"}, other).first, 1);
  {
    SQLite::Database db((other / "state.sqlite").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec("CREATE TABLE notes(text TEXT)");
  }
  EXPECT_EQ(rehearsal({"reset"}, other).first, 1) << "another program's database";
  EXPECT_EQ(rehearsal({"start", "--json", "--config", (temp.path() / "config").string()}, other).first, 1)
      << "nor does a region move in";
  for (const char* name : {"lock", "thesis.tex", "region.json", "state.sqlite"})
    EXPECT_TRUE(std::filesystem::exists(other / name)) << name;
}

TEST(RegionState, ResetLeavesWhatSomebodyPutBesideTheState) {
  RegionUnderTest region;
  writeText(region.stateFolder() / "thesis.tex", "years");
  EXPECT_EQ(region.command({"reset"}).first, 0);
  EXPECT_TRUE(std::filesystem::exists(region.stateFolder() / "thesis.tex"));
  EXPECT_FALSE(std::filesystem::exists(region.stateFolder() / "state.sqlite"));
  EXPECT_FALSE(std::filesystem::exists(region.stateFolder() / "user.pem"));
}

struct Pragmas {
  int application = 0, version = 0;
};

Pragmas pragmasOf(const std::filesystem::path& file) {
  SQLite::Database db(file.string(), SQLite::OPEN_READONLY);
  return {db.execAndGet("PRAGMA application_id").getInt(), db.execAndGet("PRAGMA user_version").getInt()};
}

void setPragmas(const std::filesystem::path& file, Pragmas pragmas) {
  SQLite::Database db(file.string(), SQLite::OPEN_READWRITE);
  db.exec("PRAGMA application_id=" + std::to_string(pragmas.application));
  db.exec("PRAGMA user_version=" + std::to_string(pragmas.version));
}

TEST(RegionState, TheDatabaseSaysWhatItIsAndOneOfTheOldVersionIsTakenOver) {
  RegionUnderTest region;
  const auto file = region.stateFolder() / "state.sqlite";
  EXPECT_EQ(region.caller().send("PUT", "/n/rehearsal/b/lockstep/o/kept", "body").status, 200);
  region.command({"stop"});
  const Pragmas now = pragmasOf(file);
  EXPECT_EQ(now.application, 0x4c4b5247);
  EXPECT_EQ(now.version, 1);
  EXPECT_EQ(rehearsal::Database::ownerOf(file), rehearsal::Database::Owner::Region);
  setPragmas(file, {0, 0});
  EXPECT_EQ(rehearsal::Database::ownerOf(file), rehearsal::Database::Owner::Region) << "by its tables";
  region.start();
  EXPECT_EQ(region.caller().get("/n/rehearsal/b/lockstep/o/kept").body, "body");
  region.command({"stop"});
  EXPECT_EQ(pragmasOf(file).application, now.application);
  EXPECT_EQ(pragmasOf(file).version, now.version);
}

TEST(RegionState, WhatIsNewerDamagedOrForeignIsRefusedAndLeftAsItIs) {
  RegionUnderTest region;
  const auto file = region.stateFolder() / "state.sqlite";
  for (int i = 0; i < 50; ++i)
    region.caller().send("PUT", "/n/rehearsal/b/lockstep/o/" + std::to_string(i), std::string(30'000, 'x'));
  region.command({"stop"});
  const std::vector<std::string> start{"start", "--json", "--config", region.configFile()};
  const Pragmas now = pragmasOf(file);
  setPragmas(file, {now.application, 99});
  EXPECT_EQ(region.command(start).first, 1);
  setPragmas(file, {0x11223344, 1});
  EXPECT_EQ(region.command(start).first, 1);
  EXPECT_EQ(region.command({"reset"}).first, 1);
  setPragmas(file, now);
  region.start();
  region.command({"stop"});
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(8192);
    const std::string rubbish(400'000, '\x5a');
    stream.write(rubbish.data(), static_cast<std::streamsize>(rubbish.size()));
  }
  EXPECT_EQ(region.command(start).first, 1);
  EXPECT_EQ(region.command({"reset"}).first, 0) << "which is the way out";
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace lockstep::testing
