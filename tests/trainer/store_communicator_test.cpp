// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include "trainer/ddp/gloo_communicator.h"
#include "trainer/ddp/job_store.h"

namespace lockstep::trainer {
namespace {

// Many rounds, with ranks that come in any order, and rank 0 free to run ahead where it could.
TEST(StoreCommunicator, SumsAndBroadcastsAlikeOnAllRanks) {
  constexpr int kRanks = 3;
  const auto store = std::make_shared<JobStore>(c10::make_intrusive<c10d::HashStore>());
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < kRanks; ++rank) {
    ranks.emplace_back([&, rank] {
      JobPlace place;
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

}  // namespace
}  // namespace lockstep::trainer
