// SPDX-License-Identifier: GPL-3.0-or-later
// The NCCL communicator against a fake library whose ranks are threads; the library is chosen as users choose
// theirs, by NCCL_LIBRARY.
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "trainer/ddp/collectives/nccl_communicator.h"

namespace lockstep::trainer {
namespace {

std::map<std::string, std::string> fakeLibrary() {
  return {{"NCCL_LIBRARY", LOCKSTEP_FAKE_NCCL}};
}

// A queue that writes down in which order it was used. Work on it is done at once, unless it is made to hang.
class RecordingQueue final : public DeviceQueue {
 public:
  struct Record {
    std::string order;
    std::atomic<bool> hangs{false};
  };
  explicit RecordingQueue(std::shared_ptr<Record> record) : record_(std::move(record)) {}
  [[nodiscard]] void* handle() const override { return nullptr; }
  void afterCompute() override { record_->order += "a"; }
  void computeAfter() override { record_->order += "c"; }
  [[nodiscard]] bool isIdle() const override { return !record_->hangs; }
  void set(Mark mark) override { record_->order += mark == Mark::Met ? "m" : mark == Mark::Done ? "d" : "r"; }
  [[nodiscard]] std::optional<double> msBetween(Mark, Mark to) const override {
    return to == Mark::Met ? 3.0 : 5.0;
  }

 private:
  std::shared_ptr<Record> record_;
};

struct Rank {
  std::unique_ptr<Communicator> communicator;
  std::shared_ptr<RecordingQueue::Record> record = std::make_shared<RecordingQueue::Record>();
  std::atomic<bool> failed{false};
  Error failure;
};

class Nccl : public ::testing::Test {
 protected:
  void connect(std::size_t worldSize, std::chrono::milliseconds timeout = std::chrono::minutes(1)) {
    const auto library = NcclLibrary::open(fakeLibrary());
    ASSERT_TRUE(library) << describe(library.error());
    NcclJobId job;
    ASSERT_EQ((*library)->getUniqueId(&job), 0);
    for (std::size_t i = 0; i < worldSize; ++i) ranks_.push_back(std::make_unique<Rank>());
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < worldSize; ++i) {
      threads.emplace_back([&, i] {
        Rank& rank = *ranks_[i];
        auto made = makeNcclCommunicator({*library, std::make_unique<RecordingQueue>(rank.record), job,
                                          static_cast<int>(i), static_cast<int>(worldSize), timeout,
                                          [&rank](const Error& error) {
                                            rank.failure = error;
                                            rank.failed = true;
                                          }});
        ASSERT_TRUE(made) << describe(made.error());
        rank.communicator = std::move(*made);
      });
    }
  }
  template <class Action>
  void onAll(Action action) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < ranks_.size(); ++i)
      threads.emplace_back([&, i] { action(*ranks_[i]->communicator, i); });
  }

  std::vector<std::unique_ptr<Rank>> ranks_;
};

TEST_F(Nccl, SumsBucketsOverAllRanks) {
  connect(3);
  onAll([](Communicator& communicator, std::size_t rank) {
    std::vector<float> data(1000), small{1, 2};
    std::iota(data.begin(), data.end(), static_cast<float>(rank));
    ASSERT_TRUE(communicator.start(data));
    ASSERT_TRUE(communicator.start(small));
    ASSERT_TRUE(communicator.finish());
    for (std::size_t i = 0; i < data.size(); ++i) ASSERT_EQ(data[i], 3.0F * static_cast<float>(i) + 3.0F);
    ASSERT_EQ(small, (std::vector<float>{3, 6}));
  });
  EXPECT_STREQ(ranks_[0]->communicator->name(), "nccl");
  EXPECT_TRUE(ranks_[0]->communicator->usesDeviceMemory());
}

TEST_F(Nccl, BroadcastsRankZerosData) {
  connect(2);
  onAll([](Communicator& communicator, std::size_t rank) {
    std::vector<float> data(7, static_cast<float>(rank + 4));
    ASSERT_TRUE(communicator.broadcast(data));
    ASSERT_EQ(data, std::vector<float>(7, 4.0F));
  });
}

// Sums wait for the gradients that were computed before them, and what is computed next waits for the sums;
// the first numbers go alone, so that the mark after them is when all ranks had come.
TEST_F(Nccl, OrdersTheQueuesWithoutTheHost) {
  connect(2);
  onAll([](Communicator& communicator, std::size_t) {
    std::vector<float> first(100), second(100);
    ASSERT_TRUE(communicator.start(first));
    ASSERT_TRUE(communicator.start(second));
    ASSERT_TRUE(communicator.finish());
  });
  EXPECT_EQ(ranks_[0]->record->order, "amardc");
  const CommunicationTimes times = ranks_[0]->communicator->popTimes();
  EXPECT_DOUBLE_EQ(times.waitMs, 3.0);
  EXPECT_DOUBLE_EQ(times.transferMs, 2.0);
}

TEST_F(Nccl, AQueueThatHangsIsReportedFromAnotherThread) {
  connect(2, std::chrono::milliseconds(300));
  ranks_[0]->record->hangs = true;
  onAll([](Communicator& communicator, std::size_t) {
    std::vector<float> data(10);
    ASSERT_TRUE(communicator.start(data));
  });
  for (int i = 0; i < 1200 && !ranks_[0]->failed; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_TRUE(ranks_[0]->failed);
  EXPECT_EQ(ranks_[0]->failure.code, ErrorCode::DeadlineExceeded);
  // The abort of one rank breaks the job of the other, which hears of it as an error.
  for (int i = 0; i < 1200 && !ranks_[1]->failed; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_TRUE(ranks_[1]->failed);
  EXPECT_EQ(ranks_[1]->failure.code, ErrorCode::Unavailable);
  EXPECT_NE(ranks_[1]->failure.cause.find("remote process exited"), std::string::npos);
  // NCCL has freed what was aborted; whoever goes on is told so.
  onAll([](Communicator& communicator, std::size_t) {
    std::vector<float> data(10);
    const auto started = communicator.start(data);
    ASSERT_FALSE(started);
    EXPECT_NE(started.error().cause.find("aborted"), std::string::npos);
    EXPECT_FALSE(communicator.broadcast(data));
    EXPECT_FALSE(communicator.finish());
  });
}

TEST(NcclLibrary, SaysItsVersion) {
  const auto library = NcclLibrary::open(fakeLibrary());
  ASSERT_TRUE(library) << describe(library.error());
  EXPECT_EQ((*library)->version(), "2.28.9");
}

TEST(NcclLibrary, IsNamedWhenItCannotBeLoaded) {
  const auto missing = NcclLibrary::open({{"NCCL_LIBRARY", "/nowhere/libnccl.so.2"}});
  ASSERT_FALSE(missing);
  EXPECT_NE(describe(missing.error()).find("/nowhere/libnccl.so.2"), std::string::npos);
  const auto other = NcclLibrary::open({{"NCCL_LIBRARY", "libc.so.6"}});
  ASSERT_FALSE(other);
  EXPECT_NE(describe(other.error()).find("ncclGetVersion"), std::string::npos);
}

TEST(NcclLibrary, IsRefusedInABuildForCpus) {
  if (buildHasDevices()) GTEST_SKIP() << "this build has CUDA";
  const auto usable = checkNccl(fakeLibrary());
  ASSERT_FALSE(usable);
  EXPECT_NE(describe(usable.error()).find("LibTorch is for CPUs only"), std::string::npos);
  const auto neither = checkNccl({{"NCCL_LIBRARY", "/nowhere/libnccl.so.2"}});
  EXPECT_NE(describe(neither.error()).find("no NCCL is there"), std::string::npos);
  EXPECT_FALSE(makeDeviceQueue(0));
}

}  // namespace
}  // namespace lockstep::trainer
