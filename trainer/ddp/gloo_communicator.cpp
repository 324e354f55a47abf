// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/gloo_communicator.h"

#include <fmt/format.h>

#include <exception>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <vector>

#include "trainer/ddp/job_store.h"

namespace lockstep::trainer {
namespace {

Status glooStatus(const std::string& what, const std::exception& error) {
  const std::string text = error.what();
  const bool late = text.find("imed out") != std::string::npos;
  return failure(late ? StatusCode::DeadlineExceeded : StatusCode::Unavailable, what,
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
      return failure(glooStatus(what, error));
    }
  }

  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
  std::vector<c10::intrusive_ptr<c10d::Work>> started_;
};

}  // namespace

Result<std::unique_ptr<Communicator>> makeGlooCommunicator(const JobPlace& place, const Gathering& gathering,
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
        glooStatus(fmt::format("rank {} cannot connect to the other ranks over Gloo", place.rank), error));
  }
}

}  // namespace lockstep::trainer
