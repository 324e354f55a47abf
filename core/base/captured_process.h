// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/secret.h"

namespace lockstep {

struct CapturedExit {
  ProcessExit exit;
  std::string output;  // stdout
  std::string errors;  // stderr
};

inline constexpr std::size_t kMaxCapturedBytes = 1 << 20;

/// Runs a program to its end with our environment and gives back what it printed. `input` is what it reads
/// from its stdin (nothing: the end of a file); it touches no disk and no argv. What it leaves running in the
/// background may keep the streams open: only the program itself is waited for. DeadlineExceeded, Cancelled, or
/// ResourceExhausted, when it printed more than kMaxCapturedBytes on either stream: its process group was killed.
Result<CapturedExit> runCaptured(const std::vector<std::string>& command, std::chrono::milliseconds limit,
                                 const std::stop_token& stop, const Secret& input = {});

}  // namespace lockstep
