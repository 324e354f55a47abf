// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/stack_report.h"

#include <gtest/gtest.h>

#include "base/bounds.h"
#include "health/stack_reader.h"
#include "memory_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

StackReport report() {
  return {Rank(5),
          "worker_0",
          "10.0.0.3",
          TimePoint(1'700'000'000s),
          {{812, "python train.py", "S (sleeping), futex_wait_queue", "py-spy",
            "Thread 1\n    wait (a.py:3)\n", ""},
           {813, "python", "D", "", "", "neither py-spy nor gdb is in the image"}}};
}

TEST(StackReport, ComesBackAsItWas) {
  const auto back = parseStackReport(toJsonText(report()));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, report());
  const StackRequest request{"0123abcd", {Rank(3), Rank(7)}};
  EXPECT_EQ(parseStackRequest(toJsonText(request)).value(), request);
  EXPECT_EQ(parseStackRequest(toJsonText({"x", {}})).value(), (StackRequest{"x", {}}));
}

TEST(StackReport, IsBounded) {
  StackReport large = report();
  large.processes.assign(100, {1, "c", "s", "gdb", std::string(kMaxStackBytes + 10, '\x80'), ""});
  const std::string text = toJsonText(large);  // bytes that are no UTF-8 take three each
  const auto read = parseStackReport(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->processes.size(), kMaxProcessStacks);
  for (const auto& process : read->processes) EXPECT_LE(process.stack.size(), kMaxStackBytes);
}

TEST(StackReport, WhatIsNoneIsRefused) {
  for (const char* text :
       {"", "[]", "{}", R"({"rank": -1, "time": "2026-01-01T00:00:00Z"})",
        R"({"rank": 1e300, "time": "2026-01-01T00:00:00Z"})", R"({"rank": 1, "time": "now"})"})
    EXPECT_FALSE(parseStackReport(text)) << text;
  for (const char* text :
       {"", "{}", R"({"id": ""})", R"({"id": "a/b"})", R"({"id": "a", "ranks": ["x", -4]})"})
    EXPECT_FALSE(parseStackRequest(text)) << text;
  EXPECT_FALSE(isStackId(std::string(kMaxStackIdLength + 1, 'a')));
}

TEST(StackReader, TellsEachAnswerOnce) {
  const auto store = std::make_shared<MemoryObjectStore>();
  StackReader reader(store, "job");
  EXPECT_TRUE(reader.read({})->empty()) << "nobody was asked";
  EXPECT_EQ(reader.rankCount({}).value(), std::nullopt);
  ASSERT_TRUE(store->put(layout::runDescription("job"), R"({"worldSize": 6})", {}));
  EXPECT_EQ(reader.rankCount({}).value(), 6);
  ASSERT_TRUE(reader.ask({Rank(5)}, {}));
  const auto asked = parseStackRequest(*store->get(layout::stackRequest("job"), {}));
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->ranks, std::vector{Rank(5)});
  ASSERT_TRUE(store->put(layout::stackReport("job", asked->id, 5), toJsonText(report()), {}));
  ASSERT_TRUE(store->put(layout::stackReport("job", asked->id, 6), "no report", {}));
  EXPECT_EQ(reader.read({}).value(), std::vector{report()});
  EXPECT_TRUE(reader.read({})->empty());
  ASSERT_TRUE(reader.ask({}, {}));
  EXPECT_TRUE(reader.read({})->empty()) << "an answer to somebody else";
}

}  // namespace
}  // namespace lockstep
