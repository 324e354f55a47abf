// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "trainer/data/memory_images.h"

namespace lockstep::trainer {

inline constexpr std::size_t kImageSide = 32;
inline constexpr std::size_t kImageChannels = 3;
inline constexpr std::size_t kImageBytes = kImageSide * kImageSide * kImageChannels;
inline constexpr std::size_t kRecordBytes =
    kImageBytes + 1;  // one label byte, then red, green and blue planes
inline constexpr int kClassCount = 10;
inline constexpr int kTrainFileCount = 5;

struct Cifar10 {
  ImageSet train, test;
  std::vector<std::string> classNames;  // kClassCount of them
};

/// Reads the binary version of CIFAR-10 from `directory`, or from `cifar-10-batches-bin` below it. The files
/// may hold any number of records. NotFound lists the missing files; DataLoss names a truncated file or a
/// label above 9.
Result<Cifar10> readCifar10(const std::filesystem::path& directory);

/// Whether the folder has any of the files that readCifar10 wants.
[[nodiscard]] bool hasCifar10Files(const std::filesystem::path& directory);

/// "data_batch_3.bin" for 3.
[[nodiscard]] std::string trainFileName(int number);
inline constexpr const char* kTestFileName = "test_batch.bin";
inline constexpr const char* kClassNamesFileName = "batches.meta.txt";

}  // namespace lockstep::trainer
