// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "health/stack_report.h"

namespace lockstep::node {

/// A program that attaches to a process and prints the stacks of its threads.
struct StackTool {
  std::string name;
  std::vector<std::string> command;  // "{pid}" stands for the process
  bool onlyPython = false;
};

/// py-spy, which knows the frames of Python, then gdb. Each is used where it is in the image.
[[nodiscard]] std::vector<StackTool> stackTools();

/// Of a process and all that it has started, the process first, at most kMaxProcessStacks; never of this one, which may be the
/// root. Each of them stands still for the moment in which a tool reads it. Blocks for `limit` at most for each process.
[[nodiscard]] std::vector<ProcessStack> processStacks(pid_t root, const std::vector<StackTool>& tools,
                                                      std::chrono::milliseconds limit,
                                                      const std::stop_token& stop);

}  // namespace lockstep::node
