// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

/// What a line may be part of, judged by itself.
enum class LinePart : std::uint8_t {
  Plain,
  Traceback,  // "Traceback (most recent call last):"
  CrashDump,  // "Fatal Python error: …", "terminate called …", "Exception raised from …": frames follow
  Frame,      // indented, or "frame #3: …": goes with a traceback or dump before it, else it is plain
  Chaining,   // "During handling of the above exception, …": another traceback follows
  Blank,      // nothing but blanks
  NcclNews,   // what NCCL tells at its levels INFO, TRACE and VERSION; its warnings are plain
  Progress,   // a progress bar as tqdm draws it, or a line that was written over with carriage returns
};

/// Prefixes that launchers and loggers put before every line ("[rank3]: ", glog's "E1125 12:00:00.0 17 api.py:3] ") are
/// passed over. Costs the beginning of the line.
[[nodiscard]] LinePart partOf(std::string_view text);

/// What tells one progress bar from another: what stands before its numbers, "Epoch 3:". Of a line of Progress.
[[nodiscard]] std::string_view progressName(std::string_view text);

}  // namespace lockstep
