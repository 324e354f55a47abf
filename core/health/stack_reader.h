// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "health/stack_report.h"
#include "workdir/object_store.h"

namespace lockstep {

/// Asks the nodes of a run where in their code some ranks are, and reads what they answer. Nodes look for a request every
/// kStackInterval; those whose agent is another one, or an older one, never answer. Blocks on the store; one owner thread.
class StackReader {
 public:
  StackReader(std::shared_ptr<ObjectStore> store, std::string jobId);

  /// `ranks` empty: all. A request that is not answered yet is replaced.
  Result<void> ask(std::vector<Rank> ranks, const std::stop_token& stop);
  /// How many ranks the run has, as its main node has written; nullopt: it has not.
  Result<std::optional<int>> rankCount(const std::stop_token& stop);
  /// The answers that are new since the last call, by rank. What makes no sense is passed over.
  Result<std::vector<StackReport>> read(const std::stop_token& stop);

 private:
  std::shared_ptr<ObjectStore> store_;
  std::string jobId_;
  std::string id_;              // of the request; empty: there is none
  std::set<std::string> read_;  // names of objects
};

inline constexpr std::chrono::seconds kStackInterval{10};

}  // namespace lockstep
