// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/collectives/observed_communicator.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;

double milliseconds(Steady::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

class ObservedCommunicator final : public Communicator {
 public:
  ObservedCommunicator(std::unique_ptr<Communicator> inner, Progress& progress, ArrivalNotices* notices)
      : inner_(std::move(inner)),
        progress_(progress),
        notices_(inner_->measuresWaiting() ? nullptr : notices),
        left_(Steady::now()) {}
  [[nodiscard]] const char* name() const override { return inner_->name(); }
  [[nodiscard]] bool usesDeviceMemory() const override { return inner_->usesDeviceMemory(); }
  [[nodiscard]] bool measuresWaiting() const override {
    return notices_ != nullptr || inner_->measuresWaiting();
  }

  CommunicationTimes popTimes() override {
    settle();
    return Communicator::popTimes();
  }

  Result<void> start(std::span<float> data) override {
    bytes_ += static_cast<double>(data.size_bytes());
    return inner_->start(data);
  }
  Result<void> finish() override {
    return inCollective([&] { return inner_->finish(); });
  }
  Result<void> broadcast(std::span<float> data) override {
    return inCollective([&] { return inner_->broadcast(data); });
  }
  Result<void> barrier() override {
    return inCollective([&] { return inner_->barrier(); });
  }

 private:
  template <class Action>
  Result<void> inCollective(Action&& action) {
    settle();
    entered_ = Steady::now();
    progress_.addBusy(std::chrono::duration_cast<std::chrono::microseconds>(entered_ - left_).count());
    const long long collective = progress_.beginCollective();
    const RankPhase before = progress_.standing().phase;
    progress_.enter(RankPhase::Waiting);
    if (notices_ != nullptr) notices_->arrived(collective);
    auto done = action();
    left_ = Steady::now();
    const CommunicationTimes inner = inner_->popTimes();
    times_.waitMs += inner.waitMs;
    times_.transferMs += inner.transferMs;
    times_.bytes += std::exchange(bytes_, 0);
    if (notices_ != nullptr) unsettled_ = collective;
    if (done) progress_.enter(before);  // else the last words say that it was waiting
    return done;
  }

  // Splits what the last collective took, now that the notices may tell when the last rank had come.
  void settle() {
    if (!unsettled_) return;
    const auto met = notices_->allArrived(*std::exchange(unsettled_, std::nullopt));
    const double all = milliseconds(left_ - entered_);
    const double wait = met ? std::clamp(milliseconds(*met - entered_), 0.0, all) : 0;
    times_.waitMs += wait;
    times_.transferMs += all - wait;
  }

  std::unique_ptr<Communicator> inner_;
  Progress& progress_;
  ArrivalNotices* notices_;  // null: not needed
  Steady::time_point entered_, left_;
  std::optional<long long> unsettled_;  // the collective whose times are not split yet
  double bytes_ = 0;
};

}  // namespace

std::unique_ptr<Communicator> observed(std::unique_ptr<Communicator> inner, Progress& progress,
                                       ArrivalNotices* notices) {
  return std::make_unique<ObservedCommunicator>(std::move(inner), progress, notices);
}

}  // namespace lockstep::trainer
