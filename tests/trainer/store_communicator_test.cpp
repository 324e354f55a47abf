// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include "base/atomic_file.h"
#include "temp_dir.h"
#include "trainer/ddp/rendezvous/gloo_communicator.h"
#include "trainer/ddp/rendezvous/job_store.h"
#include "trainer/ddp/rendezvous/rank_agreements.h"

namespace lockstep::trainer {
namespace {

// Many rounds, with ranks that come in any order, and rank 0 free to run ahead where it could.
TEST(StoreCommunicator, SumsAndBroadcastsAlikeOnAllRanks) {
  constexpr int kRanks = 3;
  const auto store = std::make_shared<JobStore>(c10::make_intrusive<c10d::HashStore>());
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < kRanks; ++rank) {
    ranks.emplace_back([&, rank] {
      RankContext place;
      place.rank = rank;
      place.worldSize = kRanks;
      const auto communicator = makeStoreCommunicator(place, Gathering{store, {}, "", ""});
      for (int round = 0; round < 30; ++round) {
        std::vector<float> data{static_cast<float>(rank), 0.1F * static_cast<float>(rank), 1};
        ASSERT_TRUE(communicator->sum(data));
        ASSERT_EQ(data, (std::vector<float>{3, 0.0F + 0.1F + 0.2F, 3}));
        for (int again = 0; again < 3; ++again) {
          std::vector<float> told(2, static_cast<float>(rank + 10 * round));
          ASSERT_TRUE(communicator->broadcast(told));
          ASSERT_EQ(told, std::vector<float>(2, static_cast<float>(10 * round)));
        }
      }
    });
  }
}

class SharingMemory : public ::testing::Test {
 protected:
  Result<std::optional<SharedSegment>> share(int rank, std::chrono::milliseconds timeout) {
    RankContext place;
    place.rank = rank;
    place.worldSize = 2;
    const PeerIdentity own{0, "here", ::getpid(), "m"};
    return shareSegment(place, Gathering{store_, {own, {1, "here", ::getpid(), "m"}}, "", ""}, timeout);
  }
  std::shared_ptr<JobStore> store_ = std::make_shared<JobStore>(c10::make_intrusive<c10d::HashStore>());
};

TEST_F(SharingMemory, BothRanksHaveIt) {
  std::optional<SharedSegment> ofOther;
  {
    const std::jthread other([&] {
      auto shared = share(1, std::chrono::minutes(1));
      ASSERT_TRUE(shared && *shared);
      ofOther.emplace(std::move(**shared));
    });
    auto shared = share(0, std::chrono::minutes(1));
    ASSERT_TRUE(shared && *shared);
    *(*shared)->data() = std::byte{7};
  }
  ASSERT_TRUE(ofOther);
  EXPECT_EQ(*ofOther->data(), std::byte{7});
}

TEST_F(SharingMemory, ARankThatDoesNotComeIsATimeout) {
  const auto shared = share(0, std::chrono::milliseconds(300));
  ASSERT_FALSE(shared);
  EXPECT_EQ(shared.error().code, ErrorCode::DeadlineExceeded);
}

// Whoever reaches the store may have been quicker than rank 0.
TEST_F(SharingMemory, AFileOfTheUsersIsNotWrittenTo) {
  const TempDir dir;
  const auto file = dir.path() / "thesis";
  const std::string thesis(sharedSegmentBytes(2), 't');
  ASSERT_TRUE(writeFileAtomically(file, thesis));
  store_->set("segment", file.string());
  store_->add("segment/mapped", 1);  // as rank 0 would say
  const auto shared = share(1, std::chrono::minutes(1));
  ASSERT_TRUE(shared) << describe(shared.error());
  EXPECT_FALSE(shared->has_value()) << "they use the network";
  EXPECT_EQ(*readFile(file), thesis);
}

}  // namespace
}  // namespace lockstep::trainer
