// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/ids.h"
#include "workdir/object_store.h"

namespace lockstep::node {

/// The step that the training is at, told by the node of rank 0 to those whose own ranks do not say it: most scripts print
/// on rank 0 alone (docs/formats/work-dir.md). One thread; blocks on the store, every few seconds at most.
class RunStep {
 public:
  static constexpr std::chrono::seconds kInterval{5};

  RunStep(std::shared_ptr<ObjectStore> store, std::string name,
          std::chrono::milliseconds interval = kInterval)
      : store_(std::move(store)), name_(std::move(name)), interval_(interval) {}

  /// A put that fails is tried again with the next one.
  void tell(Step step, const std::stop_token& stop);
  /// The last that was read; nullopt: nobody has said.
  std::optional<Step> read(const std::stop_token& stop);

 private:
  bool isDue();

  std::shared_ptr<ObjectStore> store_;
  std::string name_;
  std::chrono::milliseconds interval_;
  std::chrono::steady_clock::time_point last_{};
  std::optional<Step> told_, read_;
};

}  // namespace lockstep::node
