// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <stop_token>

#include "logs/store/line_blocks.h"
#include "logs/store/line_syntax.h"
#include "logs/store/log_bytes.h"

namespace lockstep {

/// Where the lines of a file begin, as far as it has been read. Bytes after the last LF are a line, too.
struct FileIndex {
  LineBlocks blocks;
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;          // that were read
  std::int64_t lastTime = kNoTime;  // the last one that a line says
};

/// Reads on up to `size`, in `threads` threads (at least one); stopped: not to the end, and what was read counts. Blocks on
/// disk. `progress` hears in this thread how many bytes the index has read.
void extendIndex(FileIndex& index, const LogBytes& bytes, LineSyntax syntax, std::uint64_t size, int threads,
                 const std::stop_token& stop, const std::function<void(std::uint64_t)>& progress = {});

}  // namespace lockstep
