// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <numeric>

#include "base/atomic_file.h"
#include "temp_dir.h"
#include "trainer/ddp/base/exit_codes.h"
#include "trainer/ddp/base/rank_context.h"
#include "trainer/ddp/base/sockets.h"
#include "trainer/ddp/collectives/communicator.h"
#include "trainer/ddp/collectives/shared_memory_communicator.h"
#include "trainer/ddp/peers/peer_watch.h"
#include "trainer/ddp/peers/straggler.h"
#include "trainer/usage/machine_usage.h"

namespace lockstep::trainer {
namespace {

TEST(RankContext, IsAloneWithoutVariables) {
  const auto place = rankContextFrom({});
  ASSERT_TRUE(place);
  EXPECT_TRUE(place->alone());
}

TEST(RankContext, ReadsTorchrunsVariables) {
  const auto place = rankContextFrom({{"RANK", "3"},
                                      {"LOCAL_RANK", "1"},
                                      {"WORLD_SIZE", "4"},
                                      {"MASTER_ADDR", "10.0.0.7"},
                                      {"MASTER_PORT", "1234"}});
  ASSERT_TRUE(place);
  EXPECT_EQ(place->rank, 3);
  EXPECT_EQ(place->localRank, 1);
  EXPECT_EQ(place->worldSize, 4);
  EXPECT_EQ(place->masterAddress, "10.0.0.7");
  EXPECT_EQ(place->masterPort, 1234);
}

TEST(RankContext, NamesTheVariableThatIsWrong) {
  EXPECT_NE(rankContextFrom({{"RANK", "x"}}).error().what.find("RANK='x'"), std::string::npos);
  EXPECT_NE(rankContextFrom({{"WORLD_SIZE", "0"}}).error().what.find("WORLD_SIZE='0'"), std::string::npos);
  EXPECT_NE(rankContextFrom({{"RANK", "2"}, {"WORLD_SIZE", "2"}}).error().what.find("RANK=2"),
            std::string::npos);
  EXPECT_NE(rankContextFrom({{"WORLD_SIZE", "2"}}).error().what.find("MASTER_ADDR"), std::string::npos);
  EXPECT_FALSE(rankContextFrom({{"MASTER_PORT", "70000"}}));
}

TEST(LoneCommunicator, LeavesDataAsItIs) {
  const auto communicator = makeLoneCommunicator();
  std::vector<float> data{1, 2, 3};
  EXPECT_TRUE(communicator->sum(data));
  EXPECT_TRUE(communicator->barrier());
  EXPECT_EQ(data, (std::vector<float>{1, 2, 3}));
}

std::vector<std::unique_ptr<Communicator>> sharedCommunicators(int worldSize) {
  const std::size_t bytes = sharedSegmentBytes(worldSize);
  const auto root = SharedSegment::create(bytes);
  if (!root) throw std::runtime_error(describe(root.error()));
  std::vector<std::unique_ptr<Communicator>> all;
  for (int rank = 0; rank < worldSize; ++rank) {
    auto segment = SharedSegment::open(root->path(), ::getpid(), bytes);
    if (!segment) throw std::runtime_error(describe(segment.error()));
    all.push_back(
        makeSharedMemoryCommunicator(std::move(*segment), rank, worldSize, std::chrono::minutes(2)));
  }
  return all;
}

// Ranges below, at and above the size of a slot, again and again, with ranks that come in any order.
TEST(SharedMemoryCommunicator, SumsAlikeOnAllRanks) {
  constexpr int kRanks = 3;
  constexpr int kRounds = 40;
  auto communicators = sharedCommunicators(kRanks);
  const std::size_t sizes[] = {1, 1000, kSharedSlotFloats, kSharedSlotFloats * 2 + 17};
  std::vector<std::vector<float>> sums(kRanks);
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < kRanks; ++rank) {
    ranks.emplace_back([&, rank] {
      for (int round = 0; round < kRounds; ++round) {
        std::vector<float> data(sizes[round % 4], static_cast<float>((rank + 1) * (round + 1)));
        data.back() = 0.1F * static_cast<float>(rank);
        ASSERT_TRUE(communicators[static_cast<std::size_t>(rank)]->sum(data));
        if (data.size() > 1) {
          ASSERT_EQ(data.front(), static_cast<float>(6 * (round + 1)));
        }
        ASSERT_EQ(data.back(), 0.0F + 0.1F + 0.2F);
        sums[static_cast<std::size_t>(rank)].push_back(data.back());
      }
    });
  }
  ranks.clear();
  EXPECT_EQ(sums[0].size(), static_cast<std::size_t>(kRounds));
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0], sums[2]);
}

TEST(SharedMemoryCommunicator, BroadcastsRankZerosData) {
  auto communicators = sharedCommunicators(2);
  std::vector<float> zero{1, 2, 3}, one{9, 9, 9};
  {
    const std::jthread other([&] { EXPECT_TRUE(communicators[1]->broadcast(one)); });
    EXPECT_TRUE(communicators[0]->broadcast(zero));
  }
  EXPECT_EQ(one, (std::vector<float>{1, 2, 3}));
}

TEST(SharedMemoryCommunicator, ARankThatDoesNotComeIsATimeout) {
  auto segment = SharedSegment::create(sharedSegmentBytes(2));
  ASSERT_TRUE(segment);
  const auto communicator =
      makeSharedMemoryCommunicator(std::move(*segment), 0, 2, std::chrono::milliseconds(200));
  const auto waited = communicator->barrier();
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, ErrorCode::DeadlineExceeded);
}

TEST(SharedSegment, CannotBeOpenedOnceItsOwnerIsGone) {
  std::string path;
  {
    const auto segment = SharedSegment::create(4096);
    ASSERT_TRUE(segment);
    path = segment->path();
    EXPECT_TRUE(SharedSegment::open(path, ::getpid(), 4096));
  }
  EXPECT_FALSE(SharedSegment::open(path, ::getpid(), 4096));
  EXPECT_FALSE(SharedSegment::open("none", ::getpid(), 4096));
}

// The path comes over the network: it must not lead to a file of the user's, or to memory that can be cut
// short.
TEST(SharedSegment, IsNothingButMemoryOfItsOwner) {
  const TempDir dir;
  const std::string thesis(4096, 't');
  const auto file = dir.path() / "thesis";
  ASSERT_TRUE(writeFileAtomically(file, thesis));
  const auto refused = [](const std::string& path, int owner) {
    const auto opened = SharedSegment::open(path, owner, 4096);
    return !opened && !opened.error().cause.empty();
  };
  EXPECT_TRUE(refused(file.string(), ::getpid()));
  const int open = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_TRUE(refused(fmt::format("/proc/{}/fd/{}", ::getpid(), open), ::getpid()));
  ::close(open);
  EXPECT_EQ(*readFile(file), thesis);
  const int loose = ::memfd_create("loose", MFD_CLOEXEC);
  ASSERT_EQ(::ftruncate(loose, 4096), 0);
  EXPECT_TRUE(refused(fmt::format("/proc/{}/fd/{}", ::getpid(), loose), ::getpid())) << "it can be cut";
  ::close(loose);
  const auto segment = SharedSegment::create(4096);
  ASSERT_TRUE(segment) << describe(segment.error());
  EXPECT_TRUE(SharedSegment::open(segment->path(), ::getpid(), 4096));
  EXPECT_TRUE(refused(segment->path(), ::getppid()));
  EXPECT_TRUE(refused(segment->path() + "/../0", ::getpid()));
  EXPECT_FALSE(SharedSegment::open(segment->path(), ::getpid(), 8192));
}

TEST(MachineUsage, ReadsThisProcess) {
  MachineUsage usage(0, {});
  volatile double sink = 0;
  for (int i = 0; i < 20'000'000; ++i) sink = sink + i;
  const Usage read = usage.read();
  ASSERT_TRUE(read.process.cpuPercent && read.process.memoryBytes);
  EXPECT_GT(*read.process.cpuPercent, 0);
  EXPECT_GT(*read.process.memoryBytes, 1e6);
  EXPECT_TRUE(read.node.memoryPercent);
  EXPECT_GT(peakResidentMiB(), 1);
  EXPECT_GE(usableCores(), 1);
}

class LossBox {
 public:
  std::function<void(const PeerWatch::Loss&)> handler() {
    return [this](const PeerWatch::Loss& loss) {
      const std::lock_guard lock(mutex_);
      losses_.push_back(loss);
      came_.notify_all();
    };
  }
  std::optional<PeerWatch::Loss> wait(std::chrono::seconds limit = std::chrono::seconds(30)) {
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, limit, [this] { return !losses_.empty(); });
    return losses_.empty() ? std::nullopt : std::optional(losses_.front());
  }
  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return losses_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<PeerWatch::Loss> losses_;
};

PeerWatch::Setup setupOf(int rank, LossBox& box,
                         std::chrono::milliseconds silence = std::chrono::minutes(2)) {
  PeerWatch::Setup setup;
  setup.rank = rank;
  setup.worldSize = 3;
  setup.token = "t";
  setup.silenceLimit = silence;
  setup.onLoss = box.handler();
  return setup;
}

TEST(PeerWatch, TellsEveryoneWhoIsGone) {
  LossBox zero, one, two;
  auto host = PeerWatch::host(setupOf(0, zero));
  ASSERT_TRUE(host);
  auto first = PeerWatch::attach(setupOf(1, one), "127.0.0.1", (*host)->port());
  auto second = PeerWatch::attach(setupOf(2, two), "127.0.0.1", (*host)->port());
  ASSERT_TRUE(first && second);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  second->reset();  // its connection closes without a word, as when the process is killed
  for (LossBox* box : {&zero, &one}) {
    const auto loss = box->wait();
    ASSERT_TRUE(loss);
    EXPECT_EQ(loss->rank, 2);
    EXPECT_EQ(loss->kind, PeerWatch::Kind::Closed);
  }
}

TEST(PeerWatch, PassesOnWhatAFailedRankSaid) {
  LossBox zero, one, two;
  auto host = PeerWatch::host(setupOf(0, zero));
  auto first = PeerWatch::attach(setupOf(1, one), "127.0.0.1", (*host)->port());
  auto second = PeerWatch::attach(setupOf(2, two), "127.0.0.1", (*host)->port());
  ASSERT_TRUE(first && second);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  (*first)->leave(PeerWatch::Kind::Failed, "disk full\nat step 7");
  const auto loss = two.wait();
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->rank, 1);
  EXPECT_EQ(loss->kind, PeerWatch::Kind::Failed);
  EXPECT_EQ(loss->text, "disk full at step 7");
  EXPECT_EQ(one.count(), 0U);
}

TEST(PeerWatch, AGoodbyeIsNoLossAndAStrangerNoRank) {
  LossBox zero, one, two;
  auto host = PeerWatch::host(setupOf(0, zero));
  auto first = PeerWatch::attach(setupOf(1, one), "127.0.0.1", (*host)->port());
  auto wrong = setupOf(2, two);
  wrong.token = "other";
  auto stranger = PeerWatch::attach(wrong, "127.0.0.1", (*host)->port());
  ASSERT_TRUE(first && stranger);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  stranger->reset();
  (*first)->leave(std::nullopt, {});
  first->reset();
  EXPECT_FALSE(zero.wait(std::chrono::seconds(1)));
}

TEST(PeerWatch, FindsARankThatDoesNotAnswer) {
  LossBox zero;
  auto host = PeerWatch::host(setupOf(0, zero, std::chrono::milliseconds(500)));
  ASSERT_TRUE(host);
  auto frozen =
      connectUntil("127.0.0.1", (*host)->port(), std::chrono::steady_clock::now() + std::chrono::seconds(10));
  ASSERT_TRUE(frozen);
  const std::string hello = "hello 1 t\n";
  ASSERT_EQ(::write(frozen->fd, hello.data(), hello.size()), static_cast<ssize_t>(hello.size()));
  const auto loss = zero.wait();
  ::close(frozen->fd);
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->rank, 1);
  EXPECT_EQ(loss->kind, PeerWatch::Kind::Silent);
}

TEST(Sockets, AnUnknownHostFailsAtOnceAndASilentPortAtTheDeadline) {
  // No name of a host has spaces, so this fails at once without a network, too, where others may come to be known later.
  const auto unknown =
      connectUntil("no such host", 1, std::chrono::steady_clock::now() + std::chrono::minutes(5));
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().code, ErrorCode::DeadlineExceeded);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  const auto silent = connectUntil("127.0.0.1", 1, deadline);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, ErrorCode::DeadlineExceeded);
  EXPECT_EQ(silent.error().cause, "Connection refused");
}

TEST(Progress, TravelsAsText) {
  const Standing standing{RankPhase::Backward, 17, 34, 123456, 5};
  const auto back = decodeStanding(encode(standing));
  ASSERT_TRUE(back);
  EXPECT_EQ(describe(*back), "at step 17 (backward)");
  EXPECT_EQ(back->collectives, 34);
  EXPECT_EQ(back->busyMicros, 123456);
  EXPECT_EQ(back->segments, 5);
  EXPECT_EQ(describe(Standing{RankPhase::Joining, -1}), "while joining");
  for (const char* bad : {"", "1 2 3", "1 2 3 4", "99 1 1 1 1", "x 1 1 1 1", "-1 1 1 1 1"})
    EXPECT_FALSE(decodeStanding(bad)) << bad;
}

PeerStanding standingOf(int rank, long long collectives, double busySeconds) {
  return {rank, {RankPhase::Forward, collectives, collectives, static_cast<long long>(busySeconds * 1e6)}};
}

TEST(Stragglers, AreThoseWithTheFewestCollectives) {
  EXPECT_TRUE(stragglersAmong({}).empty());
  EXPECT_TRUE(stragglersAmong({standingOf(0, 7, 1), standingOf(1, 7, 1)}).empty());
  const auto behind = stragglersAmong({standingOf(0, 7, 1), standingOf(1, 6, 1), standingOf(2, 7, 1)});
  ASSERT_EQ(behind.size(), 1U);
  EXPECT_EQ(behind[0].rank, 1);
}

TEST(StragglerRule, NamesTheRankThatIsBusyLongerThanTheOthers) {
  const StragglerRule::Time begin{};
  const auto at = [&](int seconds) { return begin + std::chrono::seconds(seconds); };
  StragglerRule rule;
  EXPECT_FALSE(rule.add({standingOf(0, 0, 0), standingOf(1, 0, 0), standingOf(2, 0, 0)}, at(0)));
  EXPECT_FALSE(rule.add({standingOf(0, 99, 1), standingOf(1, 99, 3.9), standingOf(2, 99, 1)}, at(4)))
      << "too early";
  const auto slow = rule.add({standingOf(0, 100, 1), standingOf(1, 100, 5), standingOf(2, 100, 1)}, at(6));
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->rank, 1);
  EXPECT_DOUBLE_EQ(slow->busyMs, 50);
  EXPECT_DOUBLE_EQ(slow->othersMs, 10);
  EXPECT_FALSE(rule.add({standingOf(0, 200, 2), standingOf(1, 200, 10), standingOf(2, 200, 2)}, at(12)))
      << "told a moment ago";
  EXPECT_TRUE(rule.add({standingOf(0, 300, 3), standingOf(1, 300, 70), standingOf(2, 300, 3)}, at(80)));
}

TEST(StragglerRule, SmallOrShortDifferencesAreNone) {
  const StragglerRule::Time begin{};
  StragglerRule rule;
  rule.add({standingOf(0, 0, 0), standingOf(1, 0, 0)}, begin);
  EXPECT_FALSE(rule.add({standingOf(0, 100, 4), standingOf(1, 100, 5)}, begin + std::chrono::seconds(6)));
  EXPECT_FALSE(rule.add({standingOf(0, 200, 4.1), standingOf(1, 200, 5.3)}, begin + std::chrono::seconds(12)))
      << "thrice as busy, but they lose next to nothing by it";
  EXPECT_FALSE(rule.add({standingOf(0, 202, 4.1), standingOf(1, 202, 11)}, begin + std::chrono::seconds(19)))
      << "two collectives tell nothing";
}

TEST(ExitCodes, FollowFromTheFaultAndFromWhatTheRankWasDoing) {
  const auto status = [](ErrorCode code) { return failure(code, "x").value(); };
  EXPECT_EQ(exitCodeFor(status(ErrorCode::AlreadyExists), RankPhase::Joining), kExitRankTwice);
  EXPECT_EQ(exitCodeFor(status(ErrorCode::DataLoss), RankPhase::Joining), kExitVersionsDiffer);
  EXPECT_EQ(exitCodeFor(status(ErrorCode::DataLoss), RankPhase::LoadingData), kExitBadData);
  EXPECT_EQ(exitCodeFor(status(ErrorCode::DataLoss), RankPhase::Preparing), kExitBadCheckpoint);
  EXPECT_EQ(exitCodeFor(status(ErrorCode::DataLoss), RankPhase::Optimizer), kExitDiverged);
  EXPECT_EQ(exitCodeFor(status(ErrorCode::ResourceExhausted), RankPhase::Saving), kExitOutOfDisk);
  EXPECT_EQ(exitCodeFor(status(ErrorCode::FailedPrecondition), RankPhase::Optimizer), kExitLossNotFinite);
  EXPECT_EQ(exitCodeFor(status(ErrorCode::DeadlineExceeded), RankPhase::Waiting), kExitTimedOut);
  EXPECT_EQ(exitCodeFor(computingError("a step", std::bad_alloc()), RankPhase::Forward), kExitOutOfMemory);
  EXPECT_EQ(exitCodeFor(
                computingError("a step", std::runtime_error(
                                             "[enforce fail] DefaultCPUAllocator: can't allocate memory: you "
                                             "tried to allocate 7 bytes\nframe #0")),
                RankPhase::Forward),
            kExitOutOfMemory);
  EXPECT_EQ(exitCodeFor(computingError("a step", std::runtime_error("shapes")), RankPhase::Forward),
            kExitFailed);
}

}  // namespace
}  // namespace lockstep::trainer
