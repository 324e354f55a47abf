// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/mnist.h"

#include <fmt/format.h>

#include "base/atomic_file.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWord = 4;
constexpr std::uint64_t kMaxBytes = 8ULL << 30U;
constexpr std::uint32_t kLongestSide = 65'535;
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
  return failure(ErrorCode::NotFound, fmt::format("no complete MNIST data set in '{}'", folder.string()),
                 fmt::format("missing: {}", missing), kRemedy);
}

std::uint32_t wordAt(const std::string& bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < kWord; ++i) word = word << 8U | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

tl::unexpected<Error> broken(const fs::path& path, const std::string& cause) {
  return failure(ErrorCode::DataLoss, fmt::format("'{}' is not a whole idx file", path.string()), cause,
                 "download it again and unpack it with gunzip");
}

struct Idx {
  std::vector<std::uint32_t> sizes;
  std::string_view bytes;  // after the header, within those of the file
};

Result<Idx> readIdx(const IdxFile& file, std::uint32_t dimensions) {
  const std::size_t header = kWord * (1 + dimensions);
  if (file.bytes.size() < header) return broken(file.path, fmt::format("it has {} bytes", file.bytes.size()));
  if (const std::uint32_t magic = wordAt(file.bytes, 0); magic != (0x0800U | dimensions))
    return broken(file.path,
                  fmt::format("it begins with 0x{:08x} instead of 0x{:08x}", magic, 0x0800U | dimensions));
  Idx idx;
  idx.bytes = std::string_view(file.bytes).substr(header);
  std::uint64_t left = idx.bytes.size();  // of what the sizes so far ask for, divided by each of them
  for (std::uint32_t i = 1; i <= dimensions; ++i) {
    const std::uint32_t size = wordAt(file.bytes, i * kWord);
    if (size == 0) return broken(file.path, "its header says that it holds nothing");
    if (left % size != 0) left = 0;
    left /= size;
    idx.sizes.push_back(size);
  }
  if (left != 1)
    return broken(file.path, fmt::format("its {} bytes are not what its header says", file.bytes.size()));
  return idx;
}

Result<IdxImages> readPair(const fs::path& imagePath, const fs::path& labelPath) {
  auto images = readFile(imagePath, kMaxBytes);
  if (!images) return failure(images.error());
  auto labels = readFile(labelPath, kMaxBytes);
  if (!labels) return failure(labels.error());
  return idxImagesFrom({imagePath, std::move(*images)}, {labelPath, std::move(*labels)});
}

}  // namespace

bool hasMnistFiles(const fs::path& directory) {
  std::error_code ignored;
  const fs::path folder = folderWithFiles(directory);
  return fs::exists(folder / kMnistTrainImages, ignored) || fs::exists(folder / kMnistTestImages, ignored);
}

Result<IdxImages> idxImagesFrom(const IdxFile& imageFile, const IdxFile& labelFile) {
  const auto images = readIdx(imageFile, 3);
  if (!images) return failure(images.error());
  const auto labels = readIdx(labelFile, 1);
  if (!labels) return failure(labels.error());
  if (images->sizes[1] > kLongestSide || images->sizes[2] > kLongestSide)
    return broken(imageFile.path, fmt::format("it says that its images have {} x {} pixels", images->sizes[2],
                                              images->sizes[1]));
  if (images->sizes[0] != labels->sizes[0])
    return broken(labelFile.path,
                  fmt::format("it has {} labels for {} images", labels->sizes[0], images->sizes[0]));
  for (const char label : labels->bytes) {
    if (static_cast<unsigned char>(label) > 9)
      return broken(labelFile.path,
                    fmt::format("it has the label {}, above 9", static_cast<unsigned char>(label)));
  }
  IdxImages set;
  set.height = static_cast<int>(images->sizes[1]);
  set.width = static_cast<int>(images->sizes[2]);
  set.images.pixels.assign(images->bytes.begin(), images->bytes.end());
  set.images.labels.assign(labels->bytes.begin(), labels->bytes.end());
  return set;
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
