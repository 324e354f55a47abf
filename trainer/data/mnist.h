// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "trainer/data/memory_images.h"

namespace lockstep::trainer {

/// A grey image set and the size of its images.
struct IdxImages {
  ImageSet images;
  int height = 0, width = 0;
};

struct Mnist {
  IdxImages train, test;
};

/// Reads MNIST, or a set of its form (Fashion-MNIST, KMNIST), from `directory` or from `MNIST/raw` below it:
/// train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte
/// (idx format: big-endian magic 0x00000803 or 0x00000801, sizes, bytes). NotFound lists what is missing;
/// DataLoss names the file that is not whole or not of that form.
Result<Mnist> readMnist(const std::filesystem::path& directory);

/// The bytes of an idx file and, for messages, where they are from.
struct IdxFile {
  std::filesystem::path path;
  std::string bytes;
};
/// Images and the labels of the same number. DataLoss as above.
Result<IdxImages> idxImagesFrom(const IdxFile& images, const IdxFile& labels);

[[nodiscard]] bool hasMnistFiles(const std::filesystem::path& directory);

inline constexpr const char* kMnistTrainImages = "train-images-idx3-ubyte";
inline constexpr const char* kMnistTrainLabels = "train-labels-idx1-ubyte";
inline constexpr const char* kMnistTestImages = "t10k-images-idx3-ubyte";
inline constexpr const char* kMnistTestLabels = "t10k-labels-idx1-ubyte";

/// The bytes of an idx file with unsigned bytes.
[[nodiscard]] std::string idxBytes(const std::vector<std::uint32_t>& sizes, const std::string& values);

}  // namespace lockstep::trainer
