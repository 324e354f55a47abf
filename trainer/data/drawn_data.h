// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>

#include "base/error.h"
#include "trainer/data/data_kind.h"

namespace lockstep::trainer {

/// Draws ten classes of shapes and textures (disc, ring, bar, triangle, cross, stripes in three
/// directions, checkerboard, dots), in random colours, places and sizes and with noise, and writes them in
/// the form of the kind: CIFAR-10 binary files with `batches.meta.txt`, MNIST's idx files, or folders of PNG
/// pictures. For Text: lines of a small made-up language, in train.txt and val.txt. The same arguments give
/// the same bytes. Each file is written atomically; blocks on disk.
Result<void> writeDrawnData(DataKind kind, const std::filesystem::path& directory, int trainSamples,
                            int testSamples, std::uint64_t seed);
/// CIFAR-10.
Result<void> writeDrawnData(const std::filesystem::path& directory, int trainImages, int testImages,
                            std::uint64_t seed);

/// As writeDrawnData with testShareOf(trainSamples) for testing, unless the folder already has data of that
/// kind; several processes of one node may call it at once and all return when the data is there. True: drawn
/// now.
Result<bool> drawUnlessThere(DataKind kind, const std::filesystem::path& directory, int trainSamples,
                             std::uint64_t seed);

/// A fifth, and one at least.
[[nodiscard]] int testShareOf(int trainSamples);

}  // namespace lockstep::trainer
