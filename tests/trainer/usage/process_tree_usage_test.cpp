// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/usage/process_tree_usage.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/child_process.h"
#include "temp_dir.h"

namespace lockstep::trainer {
namespace {

using namespace std::chrono_literals;

/// A shell with children; they go with this object.
class Shell {
 public:
  explicit Shell(const std::string& script)
      : process_(ChildProcess::start(
                     {.command = {"/bin/sh", "-c", script}, .environment = {{"PATH", "/usr/bin:/bin"}}})
                     .value()) {}
  ~Shell() {
    process_.signalAll(SIGKILL);
    process_.waitFor(5s);
  }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;
  [[nodiscard]] pid_t pid() const { return process_.pid(); }

 private:
  ChildProcess process_;
};

TEST(ProcessTreeUsage, CountsWhatTheProcessesHaveStarted) {
  // The shell itself does nothing: the work is its child's.
  const Shell busy("(while :; do :; done) & wait"), idle("sleep 60");
  ProcessTreeUsage usage({busy.pid(), idle.pid(), 0});
  std::vector<ProcessUsage> read;
  for (int i = 0; i < 40; ++i) {
    std::this_thread::sleep_for(250ms);
    read = usage.read();
    if (read[0].cpuPercent && *read[0].cpuPercent > 10) break;
  }
  ASSERT_TRUE(read[0].cpuPercent && read[1].cpuPercent);
  EXPECT_GT(*read[0].cpuPercent, 10);
  EXPECT_LT(*read[1].cpuPercent, 5);
  ASSERT_TRUE(read[0].memoryBytes);
  EXPECT_GT(*read[0].memoryBytes, 1e5);
  EXPECT_FALSE(read[2].cpuPercent) << "there is no process 0";
  EXPECT_EQ(usage.treeOf(busy.pid()), 0U);
  EXPECT_EQ(usage.treeOf(idle.pid()), 1U);
  EXPECT_FALSE(usage.treeOf(::getpid()));
}

/// /proc of processes that there are not.
class FakeProc {
 public:
  void process(pid_t pid, pid_t parent, int ticks, int started, int written, int pages = 10) const {
    const auto folder = dir_.path() / std::to_string(pid);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "stat") << pid << " (a (b) c) S " << parent << " 1 1 0 -1 0 0 0 0 0 " << ticks
                                   << " 0 0 0 20 0 1 0 " << started << " 1000 " << pages << " 0\n";
    std::ofstream(folder / "io") << "rchar: 9\nread_bytes: 0\nwrite_bytes: " << written
                                 << "\ncancelled_write_bytes: 0\n";
  }
  void remove(pid_t pid) const { std::filesystem::remove_all(dir_.path() / std::to_string(pid)); }
  [[nodiscard]] std::string path() const { return dir_.path().string(); }

 private:
  TempDir dir_;
};

TEST(ProcessTreeUsage, ANumberThatIsUsedAgainIsAnotherProcess) {
  const FakeProc proc;
  proc.process(10, 1, 0, 100, 0);
  proc.process(11, 10, 0, 101, 0);
  ProcessTreeUsage usage({10}, proc.path());
  EXPECT_EQ(usage.treeOf(11), 0U);
  proc.process(11, 1, 5000, 999, 0);  // somebody else's, with the same number
  std::this_thread::sleep_for(10ms);
  EXPECT_DOUBLE_EQ(usage.read()[0].cpuPercent.value_or(-1), 0);
  EXPECT_FALSE(usage.treeOf(11));
}

TEST(ProcessTreeUsage, OneThatHasEndedMakesNoNegativeRate) {
  const FakeProc proc;
  proc.process(10, 1, 100, 100, 0);
  proc.process(11, 10, 500, 101, 4096);
  ProcessTreeUsage usage({10}, proc.path());
  proc.remove(11);
  std::this_thread::sleep_for(10ms);
  const auto read = usage.read();
  EXPECT_FALSE(read[0].cpuPercent);
  EXPECT_FALSE(read[0].diskWriteBytesPerSecond);
  EXPECT_TRUE(read[0].memoryBytes);
}

// Nobody has waited for it yet: the kernel keeps its number, and no memory.
TEST(ProcessTreeUsage, OneThatHasEndedHasNoMemory) {
  const FakeProc proc;
  proc.process(10, 1, 100, 100, 0, 0);
  EXPECT_FALSE(ProcessTreeUsage({10}, proc.path()).read()[0].memoryBytes);
}

TEST(ProcessTreeUsage, SurvivesWhatIsNoStatus) {
  const FakeProc proc;
  std::filesystem::create_directories(proc.path() + "/10");
  for (const char* text :
       {"", "10", "10 (x", "10 (x) S", "10 (x) S a b c d e f g h i j k l m n o p q r s t u v"}) {
    std::ofstream(proc.path() + "/10/stat") << text;
    EXPECT_FALSE(ProcessTreeUsage({10}, proc.path()).read()[0].cpuPercent) << text;
  }
  EXPECT_FALSE(ProcessTreeUsage({10}, "/nowhere").read()[0].memoryBytes);
}

}  // namespace
}  // namespace lockstep::trainer
