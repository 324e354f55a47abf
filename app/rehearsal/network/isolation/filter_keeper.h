// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>

#include "base/error.h"

namespace lockstep::rehearsal {

/// Keeps the packet filter of the calling thread's network namespace equal to a file that holds a script for
/// nft (packet_filter.h), through libnftables, which is loaded when it is first needed. One thread of its
/// own, which takes no signals. What goes wrong later is written beside the file, with ".problem" at its end.
class FilterKeeper {
 public:
  /// Returns when the file's rules are in force. Unavailable: libnftables is not installed, or the kernel has
  /// no packet filter.
  static Result<std::unique_ptr<FilterKeeper>> start(const std::filesystem::path& file);
  virtual ~FilterKeeper() = default;  // ends the thread; the rules stay
};

/// Whether the rules that packet_filter.h writes can be loaded in the caller's network namespace.
Result<void> tryPacketFilter();

}  // namespace lockstep::rehearsal
