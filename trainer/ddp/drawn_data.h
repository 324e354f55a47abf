// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>

#include "base/status.h"

namespace lockstep::trainer {

/// Draws ten classes of shapes and textures (disc, ring, bar, triangle, cross, stripes in three
/// directions, checkerboard, dots), in random colours, places and sizes and with noise, and writes them as
/// CIFAR-10 binary files with `batches.meta.txt`. The same arguments give the same bytes. Each file is
/// written atomically; blocks on disk.
Result<void> writeDrawnData(const std::filesystem::path& directory, int trainImages, int testImages,
                            std::uint64_t seed);

/// As writeDrawnData, unless the folder already has CIFAR-10 files; several processes of one node may call it
/// at once and all return when the data is there. True: drawn now.
Result<bool> drawUnlessThere(const std::filesystem::path& directory, int trainImages, std::uint64_t seed);

}  // namespace lockstep::trainer
