// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "workdir/object_store.h"

namespace lockstep {

/// What every ObjectStore must do, whatever it stands on. The store must be empty.
class ObjectStoreConformance {
 public:
  explicit ObjectStoreConformance(ObjectStore& store) : store_(store) {}

  void checkAll() {
    emptyStoreIsEmpty();
    bytesComeBack();
    listingIsInByteOrder();
    prefixAndStartAfter();
    removedIsGone();
    oddNames();
    cancelled();
    putsAreAtomic();
    oneOfSeveralWritersWins();
    everyPutIsAnotherVersion();
  }

  void emptyStoreIsEmpty() {
    const auto all = store_.list("", "", {});
    ASSERT_TRUE(all) << describe(all.error());
    EXPECT_TRUE(all->empty());
    expectNotFound(store_.get("nothing", {}));
    expectNotFound(store_.remove("nothing", {}));
  }

  void bytesComeBack() {
    const std::string binary("\0\xff\r\n\x1a binary", 12);
    for (const std::string& bytes : {std::string(), std::string("text"), binary, std::string(300'000, 'x')}) {
      put("bytes", bytes);
      const auto back = store_.get("bytes", {});
      ASSERT_TRUE(back) << describe(back.error());
      EXPECT_EQ(*back, bytes);
    }
    clear();
  }

  void listingIsInByteOrder() {
    // '-' < '.' < '/' < '0' < 'B' < 'a' in bytes, whatever a locale or a folder walk thinks.
    const std::vector<std::string> names = {"a-1", "a.b", "a/x", "a/x-2",   "a/y/z",
                                            "a0",  "B",   "b",   "\xc3\xa9"};
    for (auto it = names.rbegin(); it != names.rend(); ++it) put(*it, *it);
    std::vector<std::string> sorted = names;
    std::sort(sorted.begin(), sorted.end());
    const auto found = store_.list("", "", {});
    ASSERT_TRUE(found) << describe(found.error());
    std::vector<std::string> got;
    for (const auto& object : *found) {
      got.push_back(object.name);
      EXPECT_EQ(object.size, object.name.size());
    }
    EXPECT_EQ(got, sorted);
    clear();
  }

  void prefixAndStartAfter() {
    for (const char* name : {"job/m/001", "job/m/002", "job/m/010", "job/n", "jobless", "other/x"})
      put(name, "1");
    EXPECT_EQ(names("job/m/", ""), (std::vector<std::string>{"job/m/001", "job/m/002", "job/m/010"}));
    EXPECT_EQ(names("job/m/", "job/m/001"), (std::vector<std::string>{"job/m/002", "job/m/010"}));
    EXPECT_EQ(names("job/m/", "job/m/0015"), (std::vector<std::string>{"job/m/002", "job/m/010"}));
    EXPECT_EQ(names("job/m/00", ""), (std::vector<std::string>{"job/m/001", "job/m/002"}));
    EXPECT_EQ(names("job", ""),
              (std::vector<std::string>{"job/m/001", "job/m/002", "job/m/010", "job/n", "jobless"}));
    EXPECT_EQ(names("job/m/", "job/m/010"), std::vector<std::string>{});
    EXPECT_EQ(names("none/", ""), std::vector<std::string>{});
    EXPECT_EQ(names("", "jobless"), std::vector<std::string>{"other/x"});
    clear();
  }

  void removedIsGone() {
    put("a/b", "1");
    const auto removed = store_.remove("a/b", {});
    ASSERT_TRUE(removed) << describe(removed.error());
    expectNotFound(store_.get("a/b", {}));
    expectNotFound(store_.remove("a/b", {}));
    EXPECT_TRUE(names("", "").empty());
  }

  void oddNames() {
    for (const std::string name :
         {"a b'c+\xc3\xa9%25.txt", "x&y=z?q#f", "folder/.hidden", "~tilde", "semi;colon:"}) {
      put(name, name);
      const auto back = store_.get(name, {});
      ASSERT_TRUE(back) << name << ": " << describe(back.error());
      EXPECT_EQ(*back, name);
      EXPECT_EQ(names(name, ""), std::vector<std::string>{name});
    }
    clear();
  }

  void cancelled() {
    std::stop_source source;
    source.request_stop();
    const auto put = store_.put("never", "1", source.get_token());
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code, ErrorCode::Cancelled) << describe(put.error());
    expectNotFound(store_.get("never", {}));
  }

  // A reader meets the old bytes or the new ones, never a mixture; a listing never meets something
  // unfinished.
  void putsAreAtomic() {
    put("hot", std::string(50'000, 'a'));
    std::atomic<bool> done{false};
    std::thread writer([&] {
      for (int i = 0; i < 30; ++i)
        EXPECT_TRUE(store_.put("hot", std::string(50'000, static_cast<char>('a' + i % 20)), {}));
      done = true;
    });
    do {
      const auto bytes = store_.get("hot", {});
      EXPECT_TRUE(bytes);
      if (!bytes) break;
      EXPECT_EQ(bytes->size(), 50'000U);
      EXPECT_EQ(std::count(bytes->begin(), bytes->end(), bytes->front()), 50'000);
      EXPECT_EQ(names("", ""), std::vector<std::string>{"hot"});
    } while (!done);
    writer.join();
    clear();
  }

  void oneOfSeveralWritersWins() {
    constexpr int kWriters = 4;
    std::atomic<int> won{0};
    std::atomic<int> winner{-1};
    std::vector<std::thread> writers;
    for (int i = 0; i < kWriters; ++i) {
      writers.emplace_back([&, i] {
        const auto done = store_.putNew("one/of", std::to_string(i), {});
        if (!done) {
          EXPECT_EQ(done.error().code, ErrorCode::AlreadyExists) << describe(done.error());
          return;
        }
        ++won;
        winner = i;
      });
    }
    for (auto& writer : writers) writer.join();
    EXPECT_EQ(won, 1);
    const auto stands = store_.get("one/of", {});
    ASSERT_TRUE(stands) << describe(stands.error());
    EXPECT_EQ(*stands, std::to_string(winner));
    EXPECT_EQ(names("", ""), std::vector<std::string>{"one/of"});
    clear();
    EXPECT_TRUE(store_.putNew("one/of", "again", {}));
    clear();
  }

  void everyPutIsAnotherVersion() {
    std::vector<std::string> seen;
    for (const char* bytes : {"1", "2", "2"}) {
      put("changing", bytes);
      const auto found = store_.list("changing", "", {});
      ASSERT_TRUE(found && found->size() == 1);
      EXPECT_FALSE(found->front().version.empty());
      EXPECT_EQ(std::count(seen.begin(), seen.end(), found->front().version), 0);
      const auto again = store_.list("changing", "", {});
      EXPECT_EQ(again->front().version, found->front().version);
      seen.push_back(found->front().version);
    }
    clear();
  }

 private:
  void put(const std::string& name, const std::string& bytes) {
    const auto done = store_.put(name, bytes, {});
    ASSERT_TRUE(done) << name << ": " << describe(done.error());
  }
  std::vector<std::string> names(const std::string& prefix, const std::string& after) {
    const auto found = store_.list(prefix, after, {});
    EXPECT_TRUE(found) << describe(found.error());
    std::vector<std::string> all;
    if (found) {
      for (const auto& object : *found) all.push_back(object.name);
    }
    return all;
  }
  void clear() {
    for (const std::string& name : names("", "")) EXPECT_TRUE(store_.remove(name, {}));
  }
  template <class T>
  static void expectNotFound(const Result<T>& result) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::NotFound) << describe(result.error());
  }

  ObjectStore& store_;
};

}  // namespace lockstep
