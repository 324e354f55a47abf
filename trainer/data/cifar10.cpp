// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/cifar10.h"

#include <fmt/format.h>

#include <sstream>

#include "base/atomic_file.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy =
    "download the binary version of CIFAR-10, or draw a data set with `lockstep-trainer make-data DIR` or "
    "--make-data N";

std::vector<std::string> wantedFiles() {
  std::vector<std::string> names;
  for (int i = 1; i <= kTrainFileCount; ++i) names.push_back(trainFileName(i));
  names.emplace_back(kTestFileName);
  return names;
}

fs::path folderWithFiles(const fs::path& directory) {
  const fs::path unpacked = directory / "cifar-10-batches-bin";
  std::error_code ignored;
  for (const std::string& name : wantedFiles()) {
    if (fs::exists(directory / name, ignored)) return directory;
  }
  return fs::is_directory(unpacked, ignored) ? unpacked : directory;
}

Result<void> checkAllThere(const fs::path& folder) {
  std::string missing;
  std::error_code ignored;
  for (const std::string& name : wantedFiles()) {
    if (!fs::exists(folder / name, ignored)) missing += (missing.empty() ? "" : ", ") + name;
  }
  if (missing.empty()) return {};
  return failure(ErrorCode::NotFound, fmt::format("no complete CIFAR-10 data set in '{}'", folder.string()),
                 fmt::format("missing: {}", missing), kRemedy);
}

void appendChannelLast(const std::uint8_t* planes, std::vector<std::uint8_t>& out) {
  constexpr std::size_t kPlane = kImageSide * kImageSide;
  const std::size_t start = out.size();
  out.resize(start + kImageBytes);
  std::uint8_t* to = out.data() + start;
  for (std::size_t i = 0; i < kPlane; ++i) {
    for (std::size_t channel = 0; channel < kImageChannels; ++channel) *to++ = planes[channel * kPlane + i];
  }
}

Result<void> appendFile(const fs::path& path, ImageSet& images) {
  const auto bytes = readFile(path);
  if (!bytes) return failure(bytes.error());
  if (bytes->empty() || bytes->size() % kRecordBytes != 0) {
    return failure(ErrorCode::DataLoss, fmt::format("'{}' is not a whole CIFAR-10 file", path.string()),
                   fmt::format("its {} bytes are not a multiple of {} (one label and 32 x 32 x 3 pixels)",
                               bytes->size(), kRecordBytes),
                   "download or draw it again");
  }
  const auto* record = reinterpret_cast<const std::uint8_t*>(bytes->data());
  const std::size_t count = bytes->size() / kRecordBytes;
  images.pixels.reserve(images.pixels.size() + count * kImageBytes);
  for (std::size_t i = 0; i < count; ++i, record += kRecordBytes) {
    if (*record >= kClassCount) {
      return failure(ErrorCode::DataLoss, fmt::format("'{}' is not a CIFAR-10 file", path.string()),
                     fmt::format("record {} has the label {}, above 9", i, static_cast<int>(*record)),
                     "download or draw it again");
    }
    images.labels.push_back(*record);
    appendChannelLast(record + 1, images.pixels);
  }
  return {};
}

std::vector<std::string> readClassNames(const fs::path& folder) {
  std::vector<std::string> names = {"plane", "car",  "bird",  "cat",  "deer",
                                    "dog",   "frog", "horse", "ship", "truck"};
  const auto text = readFile(folder / kClassNamesFileName, 1 << 16);  // optional: only names for people
  if (!text) return names;
  std::istringstream lines(*text);
  std::size_t i = 0;
  for (std::string line; i < names.size() && std::getline(lines, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) names[i++] = line;
  }
  return names;
}

}  // namespace

std::string trainFileName(int number) {
  return fmt::format("data_batch_{}.bin", number);
}

bool hasCifar10Files(const fs::path& directory) {
  const fs::path folder = folderWithFiles(directory);
  std::error_code ignored;
  for (const std::string& name : wantedFiles()) {
    if (fs::exists(folder / name, ignored)) return true;
  }
  return false;
}

Result<Cifar10> readCifar10(const fs::path& directory) {
  const fs::path folder = folderWithFiles(directory);
  if (auto there = checkAllThere(folder); !there) return failure(there.error());
  Cifar10 data;
  for (int i = 1; i <= kTrainFileCount; ++i) {
    if (auto read = appendFile(folder / trainFileName(i), data.train); !read) return failure(read.error());
  }
  if (auto read = appendFile(folder / kTestFileName, data.test); !read) return failure(read.error());
  data.classNames = readClassNames(folder);
  return data;
}

}  // namespace lockstep::trainer
