// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace lockstep {

/// Writes beside the target, syncs, and renames over it: after any crash the file is either the old or the new one.
/// The mode is `mode` if given, else that of the file replaced, else 0644. A symbolic link is followed, not replaced,
/// also one to a file that is not there yet.
/// Blocks on disk.
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view bytes,
                                 std::optional<mode_t> mode = std::nullopt);

/// The same for what is too large to be had in one piece: `write` hands over piece after piece, and ends with the failure
/// that `put` or something else gave it. Then the target is as it was.
using PutBytes = std::function<Result<void>(std::string_view)>;
Result<void> writeFileInPieces(const std::filesystem::path& path,
                               const std::function<Result<void>(const PutBytes& put)>& write);

/// Writes a file that is not there yet, mode 0644, and syncs its bytes but not its name: for whoever renames
/// it to where it is to be seen and syncs that folder. Nothing is left after a failure. Blocks on disk.
Result<void> writeNewFile(const std::filesystem::path& path, std::string_view bytes);

/// What was renamed or linked into the folder survives a power cut from here on. Failing to loses no data.
void syncFolder(const std::filesystem::path& folder);

/// Writes all of `bytes` to a descriptor, and waits where a pipe is full; false leaves the cause in errno.
bool writeAll(int fd, std::string_view bytes);

/// Reads a whole file of at most `maxBytes`; a larger one is an error that names both sizes. Blocks on disk.
Result<std::string> readFile(const std::filesystem::path& path, std::uint64_t maxBytes = 1ULL << 30);

}  // namespace lockstep
