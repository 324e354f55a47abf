// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/rendezvous/gloo_communicator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

#include "trainer/ddp/rendezvous/job_store.h"

// PyTorch's wheels hold Gloo, but not its headers, and of what they were built with they say nothing.
#if defined(USE_C10D_GLOO) && __has_include(<gloo/rendezvous/store.h>)
#define LOCKSTEP_HAS_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#endif

namespace lockstep::trainer {
namespace {

#ifdef LOCKSTEP_HAS_GLOO
Error glooError(const std::string& what, const std::exception& error) {
  const std::string text = error.what();
  const bool late = text.find("imed out") != std::string::npos;
  return failure(late ? ErrorCode::DeadlineExceeded : ErrorCode::Unavailable, what,
                 text.substr(0, text.find('\n')))
      .value();
}

at::Tensor viewOf(std::span<float> data) {
  return at::from_blob(data.data(), {static_cast<std::int64_t>(data.size())}, at::kFloat);
}

class GlooCommunicator final : public Communicator {
 public:
  explicit GlooCommunicator(c10::intrusive_ptr<c10d::ProcessGroupGloo> group) : group_(std::move(group)) {}
  [[nodiscard]] const char* name() const override { return "gloo"; }

  Result<void> start(std::span<float> data) override {
    return guarded("cannot start to sum the gradients over all ranks", [&] {
      std::vector<at::Tensor> tensors{viewOf(data)};
      started_.push_back(group_->allreduce(tensors));
    });
  }

  Result<void> finish() override {
    auto done = guarded("cannot sum the gradients over all ranks", [&] {
      for (auto& work : started_) work->wait();
    });
    started_.clear();
    return done;
  }

  Result<void> broadcast(std::span<float> data) override {
    return guarded("cannot hand rank 0's parameters to all ranks", [&] {
      std::vector<at::Tensor> tensors{viewOf(data)};
      group_->broadcast(tensors)->wait();
    });
  }

 private:
  template <class Action>
  static Result<void> guarded(const char* what, Action&& action) {
    try {
      action();
      return {};
    } catch (const std::exception& error) {
      return failure(glooError(what, error));
    }
  }

  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
  std::vector<c10::intrusive_ptr<c10d::Work>> started_;
};

#endif

// Through the store of rank 0: slow, and enough for the few numbers of an evaluation.
class StoreCommunicator final : public Communicator {
 public:
  StoreCommunicator(std::shared_ptr<JobStore> store, int rank, int worldSize)
      : store_(std::move(store)), rank_(rank), worldSize_(worldSize) {}
  [[nodiscard]] const char* name() const override { return "store"; }

  Result<void> start(std::span<float> data) override {
    started_.push_back(data);
    return {};
  }
  Result<void> finish() override {
    for (const std::span<float> data : std::exchange(started_, {})) {
      auto done = guarded([&] {
        tell({reinterpret_cast<const char*>(data.data()), data.size_bytes()});
        std::vector<float> sum(data.size(), 0.0F), one(data.size());
        for (int rank = 0; rank < worldSize_; ++rank) {  // in rank order: the same bits everywhere
          hear(rank, one);
          for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
        }
        std::copy(sum.begin(), sum.end(), data.begin());
      });
      if (!done) return done;
    }
    return {};
  }
  Result<void> broadcast(std::span<float> data) override {
    return guarded([&] {
      if (rank_ != 0) {
        tell("here");
        hear(0, data);
        return;
      }
      tell({reinterpret_cast<const char*>(data.data()), data.size_bytes()});
      // Rank 0 does not run ahead: keys of earlier rounds are removed.
      for (int rank = 1; rank < worldSize_; ++rank) store_->get(key(rank, round_));
    });
  }

 private:
  template <class Action>
  Result<void> guarded(Action&& action) {
    try {
      ++round_;
      action();
      return {};
    } catch (const std::exception& error) {
      const std::string text = error.what();
      const bool late = text.find("imeout") != std::string::npos;
      return failure(late ? ErrorCode::DeadlineExceeded : ErrorCode::Unavailable,
                     "cannot sum over all ranks through the store of rank 0",
                     text.substr(0, text.find('\n')));
    }
  }
  [[nodiscard]] std::string key(int rank, long long round) const {
    return fmt::format("sum/{}/{}", rank, round);
  }
  void tell(const std::string& bytes) {
    store_->set(key(rank_, round_), bytes);
    // Whoever is in this round knows that rank 0 is done with the one before the last, and so that all are
    // done with the one before that.
    if (round_ > 3) store_->remove(key(rank_, round_ - 3));
  }
  void hear(int rank, std::span<float> data) {
    const std::string bytes = store_->get(key(rank, round_));
    if (bytes.size() != data.size_bytes())
      throw std::runtime_error("the ranks sum ranges of different sizes");
    std::memcpy(data.data(), bytes.data(), bytes.size());
  }

  std::shared_ptr<JobStore> store_;
  int rank_, worldSize_;
  long long round_ = 0;
  std::vector<std::span<float>> started_;
};

}  // namespace

std::unique_ptr<Communicator> makeStoreCommunicator(const RankContext& place, const Gathering& gathering) {
  return std::make_unique<StoreCommunicator>(gathering.store, place.rank, place.worldSize);
}

#ifndef LOCKSTEP_HAS_GLOO
Result<std::unique_ptr<Communicator>> makeGlooCommunicator(const RankContext&, const Gathering&,
                                                           const std::string&, std::chrono::milliseconds) {
  return failure(ErrorCode::FailedPrecondition, "cannot train over Gloo",
                 "this build found no headers of Gloo",
                 "train with --backend nccl, on one machine, or build with Gloo");
}

bool buildHasGloo() {
  return false;
}
#else
bool buildHasGloo() {
  return true;
}

Result<std::unique_ptr<Communicator>> makeGlooCommunicator(const RankContext& place,
                                                           const Gathering& gathering,
                                                           const std::string& interface,
                                                           std::chrono::milliseconds timeout) {
  try {
    auto options = c10d::ProcessGroupGloo::Options::create(timeout);
    options->devices.push_back(interface.empty()
                                   ? c10d::ProcessGroupGloo::createDeviceForHostname(gathering.ownAddress)
                                   : c10d::ProcessGroupGloo::createDeviceForInterface(interface));
    auto group = c10::make_intrusive<c10d::ProcessGroupGloo>(gathering.store->native(), place.rank,
                                                             place.worldSize, options);
    return std::make_unique<GlooCommunicator>(std::move(group));
  } catch (const std::exception& error) {
    return failure(
        glooError(fmt::format("rank {} cannot connect to the other ranks over Gloo", place.rank), error));
  }
}

#endif

}  // namespace lockstep::trainer
