// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"

namespace lockstep {

// Where in their code the processes of a run are, asked for by whoever looks at it and answered by the agents of its nodes
// through the work dir (docs/formats/stacks.md).

/// layout::stackRequest.
struct StackRequest {
  std::string id;           // of letters, digits and '-', at most kMaxStackIdLength
  std::vector<Rank> ranks;  // empty: of all
  bool operator==(const StackRequest&) const = default;
};

/// One process of a rank: the rank itself, and what it has started, such as the workers that load its data.
struct ProcessStack {
  int pid = 0;
  std::string command;  // its program and arguments, cut to a line
  std::string state;    // of its main thread, as the kernel tells it: "S (sleeping), futex_wait_queue"
  std::string tool;     // that has read the stack: "py-spy", "gdb"; empty: none could
  std::string stack;    // of all its threads, as that tool prints it
  std::string problem;  // why there is no stack; empty: there is one
  bool operator==(const ProcessStack&) const = default;
};

/// layout::stackReport.
struct StackReport {
  Rank rank;
  std::string node, host;  // "worker_0", "10.0.0.3"
  TimePoint time{};        // by the node's clock
  std::vector<ProcessStack> processes;
  bool operator==(const StackReport&) const = default;
};

inline constexpr std::size_t kMaxStackIdLength = 40;
inline constexpr std::size_t kMaxProcessStacks = 32;           // of a rank
inline constexpr std::size_t kMaxStackBytes = 128 << 10;       // of a process; the rest is cut off
inline constexpr std::size_t kMaxStackReportBytes = 16 << 20;  // as JSON, where a byte may take six

[[nodiscard]] bool isStackId(std::string_view id);
[[nodiscard]] std::string toJsonText(const StackRequest& request);
[[nodiscard]] nlohmann::json toJson(const StackReport& report);
[[nodiscard]] std::string toJsonText(const StackReport& report);
// Of what anybody may have written. DataLoss: no such document.
[[nodiscard]] Result<StackRequest> parseStackRequest(std::string_view text);
[[nodiscard]] Result<StackReport> parseStackReport(std::string_view text);

}  // namespace lockstep
