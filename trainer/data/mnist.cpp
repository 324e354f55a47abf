// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/mnist.h"

#include <fmt/format.h>

#include "base/atomic_file.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWord = 4;
constexpr const char* kRemedy =
    "download the four idx files and unpack them with gunzip, or draw a data set with `lockstep-trainer "
    "make-data "
    "DIR --kind mnist`";

fs::path folderWithFiles(const fs::path& directory) {
  const fs::path unpacked = directory / "MNIST" / "raw";
  std::error_code ignored;
  const bool here = fs::exists(directory / kMnistTrainImages, ignored);
  return !here && fs::is_directory(unpacked, ignored) ? unpacked : directory;
}

Result<void> checkAllThere(const fs::path& folder) {
  std::string missing;
  std::error_code ignored;
  for (const char* name : {kMnistTrainImages, kMnistTrainLabels, kMnistTestImages, kMnistTestLabels}) {
    if (!fs::exists(folder / name, ignored)) missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  if (missing.empty()) return {};
  return failure(StatusCode::NotFound, fmt::format("no complete MNIST data set in '{}'", folder.string()),
                 fmt::format("missing: {}", missing), kRemedy);
}

std::uint32_t wordAt(const std::string& bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < kWord; ++i) word = word << 8U | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

tl::unexpected<Status> broken(const fs::path& path, const std::string& cause) {
  return failure(StatusCode::DataLoss, fmt::format("'{}' is not a whole idx file", path.string()), cause,
                 "download it again and unpack it with gunzip");
}

struct Idx {
  std::vector<std::uint32_t> sizes;
  std::string bytes;  // after the header
};

Result<Idx> readIdx(const fs::path& path, std::uint32_t dimensions) {
  auto bytes = readFile(path, 8ULL << 30U);
  if (!bytes) return failure(bytes.error());
  const std::size_t header = kWord * (1 + dimensions);
  if (bytes->size() < header) return broken(path, fmt::format("it has {} bytes", bytes->size()));
  if (const std::uint32_t magic = wordAt(*bytes, 0); magic != (0x0800U | dimensions))
    return broken(path,
                  fmt::format("it begins with 0x{:08x} instead of 0x{:08x}", magic, 0x0800U | dimensions));
  Idx idx;
  std::uint64_t count = 1;
  for (std::uint32_t i = 1; i <= dimensions; ++i) {
    idx.sizes.push_back(wordAt(*bytes, i * kWord));
    count *= idx.sizes.back();
    if (count > bytes->size()) break;
  }
  if (count != bytes->size() - header || idx.sizes.size() != dimensions)
    return broken(path, fmt::format("its {} bytes are not what its header says", bytes->size()));
  idx.bytes = bytes->substr(header);
  return idx;
}

Result<IdxImages> readPair(const fs::path& imagePath, const fs::path& labelPath) {
  const auto images = readIdx(imagePath, 3);
  if (!images) return failure(images.error());
  const auto labels = readIdx(labelPath, 1);
  if (!labels) return failure(labels.error());
  if (images->sizes[0] != labels->sizes[0] || images->sizes[0] == 0)
    return broken(labelPath,
                  fmt::format("it has {} labels for {} images", labels->sizes[0], images->sizes[0]));
  for (const char label : labels->bytes) {
    if (static_cast<unsigned char>(label) > 9)
      return broken(labelPath,
                    fmt::format("it has the label {}, above 9", static_cast<unsigned char>(label)));
  }
  IdxImages set;
  set.height = static_cast<int>(images->sizes[1]);
  set.width = static_cast<int>(images->sizes[2]);
  set.images.pixels.assign(images->bytes.begin(), images->bytes.end());
  set.images.labels.assign(labels->bytes.begin(), labels->bytes.end());
  return set;
}

}  // namespace

bool hasMnistFiles(const fs::path& directory) {
  std::error_code ignored;
  const fs::path folder = folderWithFiles(directory);
  return fs::exists(folder / kMnistTrainImages, ignored) || fs::exists(folder / kMnistTestImages, ignored);
}

Result<Mnist> readMnist(const fs::path& directory) {
  const fs::path folder = folderWithFiles(directory);
  if (auto there = checkAllThere(folder); !there) return failure(there.error());
  auto train = readPair(folder / kMnistTrainImages, folder / kMnistTrainLabels);
  if (!train) return failure(train.error());
  auto test = readPair(folder / kMnistTestImages, folder / kMnistTestLabels);
  if (!test) return failure(test.error());
  if (train->height != test->height || train->width != test->width)
    return broken(folder / kMnistTestImages, "its images have another size than those for training");
  return Mnist{std::move(*train), std::move(*test)};
}

std::string idxBytes(const std::vector<std::uint32_t>& sizes, const std::string& values) {
  std::string bytes;
  const auto append = [&](std::uint32_t word) {
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes += static_cast<char>(word >> static_cast<unsigned>(shift));
  };
  append(0x0800U | static_cast<std::uint32_t>(sizes.size()));
  for (const std::uint32_t size : sizes) append(size);
  return bytes + values;
}

}  // namespace lockstep::trainer
