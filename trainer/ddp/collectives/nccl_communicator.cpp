// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/collectives/nccl_communicator.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;
using Mark = DeviceQueue::Mark;

class NcclCommunicator final : public Communicator {
 public:
  explicit NcclCommunicator(NcclSetup setup) : setup_(std::move(setup)) {}
  ~NcclCommunicator() override {
    guard_.request_stop();
    if (guard_.joinable()) guard_.join();
    if (comm_ != nullptr && !aborted_) setup_.library->destroy(comm_);
  }

  Result<void> connect() {
    const int result = setup_.library->commInitRank(&comm_, setup_.worldSize, setup_.job, setup_.rank);
    if (result != 0) return failed("cannot connect to the other ranks over NCCL", result);
    guard_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
    return {};
  }

  [[nodiscard]] const char* name() const override { return "nccl"; }
  [[nodiscard]] bool usesDeviceMemory() const override { return true; }
  [[nodiscard]] bool measuresWaiting() const override { return true; }

  Result<void> start(std::span<float> data) override {
    setup_.queue->afterCompute();
    if (!met_) {
      // The first numbers go alone: when their sum is there, all ranks have come.
      met_ = true;
      const auto first = data.first(std::min(data.size(), kFirstFloats));
      if (auto begun = allReduce(first); !begun) return begun;
      setup_.queue->set(Mark::Met);
      data = data.subspan(first.size());
    }
    return data.empty() ? Result<void>() : allReduce(data);
  }

  Result<void> finish() override {
    harvest();
    setup_.queue->set(Mark::ComputeReached);
    setup_.queue->set(Mark::Done);
    setup_.queue->computeAfter();
    met_ = false;
    return asyncError("cannot sum the gradients over all ranks");
  }

  Result<void> broadcast(std::span<float> data) override {
    if (aborted_) return gone("cannot hand rank 0's parameters to all ranks");
    setup_.queue->afterCompute();
    const int result = setup_.library->broadcast(data.data(), data.data(), data.size(), NcclLibrary::kFloat32,
                                                 0, comm_, setup_.queue->handle());
    began();
    if (result != 0) return failed("cannot hand rank 0's parameters to all ranks", result);
    setup_.queue->computeAfter();
    return asyncError("cannot hand rank 0's parameters to all ranks");
  }

 private:
  static constexpr std::size_t kFirstFloats = 32;

  Result<void> allReduce(std::span<float> data) {
    if (aborted_) return gone("cannot start to sum the gradients over all ranks");
    const int result = setup_.library->allReduce(data.data(), data.data(), data.size(), NcclLibrary::kFloat32,
                                                 NcclLibrary::kSum, comm_, setup_.queue->handle());
    began();
    return result == 0 ? Result<void>() : failed("cannot start to sum the gradients over all ranks", result);
  }

  [[nodiscard]] tl::unexpected<Error> failed(const std::string& what, int result) const {
    return failure(ErrorCode::Unavailable, what, "NCCL: " + setup_.library->errorText(result),
                   "look at the logs of the other ranks; NCCL_DEBUG=WARN makes NCCL say more");
  }

  // An abort frees the communicator: it must not be asked anything any more.
  [[nodiscard]] static tl::unexpected<Error> gone(const std::string& what) {
    return failure(ErrorCode::Unavailable, what, "NCCL: the communicator was aborted",
                   "look at the logs of the other ranks");
  }

  Result<void> asyncError(const std::string& what) {
    if (aborted_) return gone(what);
    int result = 0;
    const int asked = setup_.library->getAsyncError(comm_, &result);
    if (asked != 0) return failed(what, asked);
    if (result != 0 && result != NcclLibrary::kInProgress) return failed(what, result);
    return {};
  }

  // The step before is done by now, or its marks are left out: reading them never waits.
  void harvest() {
    const auto exposed = setup_.queue->msBetween(Mark::ComputeReached, Mark::Done);
    const auto waited = setup_.queue->msBetween(Mark::ComputeReached, Mark::Met);
    if (!exposed || !waited) return;
    const double all = std::max(0.0, *exposed);
    const double wait = std::clamp(*waited, 0.0, all);
    times_.waitMs += wait;
    times_.transferMs += all - wait;
  }

  void began() {
    const std::lock_guard lock(mutex_);
    if (setup_.queue->isIdle() || !busySince_) busySince_ = Steady::now();
  }

  // The host may hang in a wait for the GPU, which waits for a peer: only this thread can end that.
  void watch(const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kLook{100};
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      wake_.wait_for(lock, stop, kLook, [] { return false; });
      if (stop.stop_requested()) return;
      if (setup_.queue->isIdle()) busySince_.reset();
      auto broken = asyncError("cannot sum the gradients over all ranks");
      if (broken && busySince_ && Steady::now() - *busySince_ > setup_.timeout) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(setup_.timeout).count();
        broken = failure(ErrorCode::DeadlineExceeded, "cannot sum the gradients over all ranks",
                         fmt::format("the GPU has not finished a collective for {} s", seconds));
      }
      if (broken) continue;
      aborted_ = true;
      setup_.library->abort(comm_);
      if (setup_.onFailure) setup_.onFailure(broken.error());
      return;
    }
  }

  NcclSetup setup_;
  NcclLibrary::Comm comm_ = nullptr;
  bool met_ = false;
  std::atomic<bool> aborted_{false};
  std::mutex mutex_;  // guards busySince_
  std::condition_variable_any wake_;
  std::optional<Steady::time_point> busySince_;
  std::jthread guard_;
};

}  // namespace

Result<std::unique_ptr<Communicator>> makeNcclCommunicator(NcclSetup setup) {
  auto made = std::make_unique<NcclCommunicator>(std::move(setup));
  if (auto connected = made->connect(); !connected) return failure(connected.error());
  return made;
}

Result<void> checkNccl(const std::map<std::string, std::string>& environment) {
  const auto library = NcclLibrary::open(environment);
  if (buildHasDevices()) return library ? Result<void>() : failure(library.error());
  return failure(ErrorCode::FailedPrecondition, "cannot train over --backend nccl",
                 fmt::format("this build's LibTorch is for CPUs only{}{}", library ? "" : ", and ",
                             library ? "" : library.error().what),
                 "train with --backend gloo, or build against a LibTorch with CUDA");
}

}  // namespace lockstep::trainer
