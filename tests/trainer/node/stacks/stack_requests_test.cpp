// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/stacks/stack_requests.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "base/child_process.h"
#include "memory_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

using namespace std::chrono_literals;

const std::vector<StackTool> kTools{{"missing", {"no-such-program-here", "{pid}"}, false},
                                    {"for-python", {"echo", "only Python"}, true},
                                    {"echo", {"echo", "frames of", "{pid}"}, false}};

/// A shell that waits for its child.
class Family {
 public:
  Family()
      : parent_(
            *ChildProcess::start({{"sh", "-c", "sleep 100 & wait"}, currentEnvironment(), {}, -1, -1, -1})) {}
  ~Family() {
    parent_.signalAll(SIGKILL);
    parent_.waitFor(10s);
  }
  [[nodiscard]] pid_t pid() const { return parent_.pid(); }

 private:
  ChildProcess parent_;
};

std::vector<ProcessStack> eventuallyTwo(pid_t root, const std::vector<StackTool>& tools) {
  std::vector<ProcessStack> stacks;
  for (int look = 0; look < 1000 && stacks.size() < 2; ++look) {
    stacks = processStacks(root, tools, 10s, {});
    std::this_thread::sleep_for(10ms);
  }
  return stacks;
}

TEST(ProcessStacks, AProcessComesWithWhatItHasStarted) {
  const Family family;
  const auto stacks = eventuallyTwo(family.pid(), kTools);
  ASSERT_EQ(stacks.size(), 2U);
  EXPECT_EQ(stacks[0].pid, family.pid());
  EXPECT_EQ(stacks[0].command, "sh -c sleep 100 & wait");
  EXPECT_EQ(stacks[1].command, "sleep 100");
  for (const ProcessStack& one : stacks) {
    EXPECT_TRUE(one.state.starts_with("S (sleeping)") || one.state.starts_with("R (running)")) << one.state;
    EXPECT_EQ(one.tool, "echo");
    EXPECT_EQ(one.stack, "frames of " + std::to_string(one.pid) + "\n");
    EXPECT_EQ(one.problem, "");
  }
}

TEST(ProcessStacks, WhyThereIsNoneIsSaid) {
  const Family family;
  EXPECT_EQ(processStacks(family.pid(), {}, 10s, {})[0].problem, "neither py-spy nor gdb is in the image");
  const auto refused = processStacks(
      family.pid(),
      {{"gdb", {"sh", "-c", "echo first >&2; echo 'ptrace: Operation not permitted.' >&2; exit 1"}}}, 10s,
      {});
  EXPECT_EQ(refused[0].problem, "gdb: ptrace: Operation not permitted. (exit code 1)");
  const auto slow = processStacks(family.pid(), {{"gdb", {"sleep", "100"}}}, 50ms, {});
  EXPECT_TRUE(slow[0].problem.starts_with("gdb: ")) << slow[0].problem;
  EXPECT_TRUE(processStacks(0x7ffffff0, kTools, 10s, {}).empty()) << "no such process";
}

TEST(ProcessStacks, ThisProcessItselfIsNeverStopped) {
  const Family family;
  for (const ProcessStack& one : processStacks(::getpid(), kTools, 10s, {})) EXPECT_NE(one.pid, ::getpid());
}

struct StackRequestsTest : testing::Test {
  std::shared_ptr<MemoryObjectStore> store = std::make_shared<MemoryObjectStore>();
  StackReader reader{store, "job"};

  std::vector<StackReport> answers(std::size_t count) {
    std::vector<StackReport> all;
    for (int look = 0; look < 2000 && all.size() < count; ++look) {
      const auto read = reader.read({});
      if (read) all.insert(all.end(), read->begin(), read->end());
      std::this_thread::sleep_for(5ms);
    }
    return all;
  }
};

TEST_F(StackRequestsTest, WhoAsksIsAnswered) {
  const Family first, second;
  StackRequests requests(store, {"job", "worker_0", "10.0.0.3"}, kTools, 5ms);
  requests.begin({{4, first.pid()}, {5, second.pid()}});
  ASSERT_NE(requests.thread(), ::gettid());
  std::this_thread::sleep_for(100ms);  // it has looked
  ASSERT_TRUE(reader.ask({Rank(5), Rank(77)}, {}));
  const auto one = answers(1);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].rank, Rank(5));
  EXPECT_EQ(one[0].node, "worker_0");
  EXPECT_EQ(one[0].host, "10.0.0.3");
  ASSERT_FALSE(one[0].processes.empty());
  EXPECT_EQ(one[0].processes[0].pid, second.pid());
  EXPECT_EQ(one[0].processes[0].stack, "frames of " + std::to_string(second.pid()) + "\n");
  ASSERT_TRUE(reader.ask({}, {}));
  EXPECT_EQ(answers(2).size(), 2U);
  requests.end();
  ASSERT_TRUE(reader.ask({}, {}));
  std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(reader.read({})->empty()) << "the ranks have ended";
}

TEST_F(StackRequestsTest, WhatWasAskedBeforeIsOfAnotherRun) {
  ASSERT_TRUE(reader.ask({}, {}));
  const Family family;
  StackRequests requests(store, {"job", "main", "10.0.0.2"}, kTools, 5ms);
  requests.begin({{0, family.pid()}});
  std::this_thread::sleep_for(200ms);
  EXPECT_TRUE(reader.read({})->empty());
  ASSERT_TRUE(reader.ask({}, {}));
  EXPECT_EQ(answers(1).size(), 1U);
}

TEST_F(StackRequestsTest, ARequestOfAnybodyElseHarmsNobody) {
  const Family family;
  StackRequests requests(store, {"job", "main", "10.0.0.2"}, kTools, 5ms);
  requests.begin({{0, family.pid()}});
  std::this_thread::sleep_for(50ms);
  for (const char* text :
       {"", "[]", "{}", R"({"id": "../../escape", "ranks": []})", R"({"id": "a", "ranks": [1e300]})"}) {
    ASSERT_TRUE(store->put(layout::stackRequest("job"), text, {}));
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_EQ(store->list("job/lockstep/stacks/", {}, {})->size(), 1U) << "nothing but the request";
}

TEST(StackRequestsOpen, IsNobodyWhereItIsNotWanted) {
  EXPECT_FALSE(StackRequests::open({{"LOCKSTEP_STACKS", "0"}}, nullptr, {}));
  EXPECT_TRUE(StackRequests::open({}, nullptr, {}));
}

}  // namespace
}  // namespace lockstep::node
