// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/zip_contents.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace lockstep::trainer {
namespace {

constexpr std::string_view kEntry = "PK\x01\x02", kEnd = "PK\x05\x06";
constexpr std::string_view kEnd64 = "PK\x06\x06", kLocator64 = "PK\x06\x07";
constexpr std::size_t kEntrySize = 46, kEndSize = 22, kEnd64Size = 56, kLocator64Size = 20;
constexpr std::uint64_t kInExtra = 0xFFFFFFFF;  // the number stands in the extra field, with 64 bits
constexpr std::uint64_t kExtra64 = 1;           // the part of the extra field where it does
constexpr std::uint64_t kLargestTimes = 8;

tl::unexpected<Error> broken(std::string why) {
  return failure(ErrorCode::DataLoss, "this is no zip file", std::move(why));
}

// The lowest byte first. `at` + `bytes` must lie within the text.
std::uint64_t numberAt(std::string_view text, std::size_t at, std::size_t bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i-- > 0;) number = number << 8U | static_cast<unsigned char>(text[at + i]);
  return number;
}

struct Directory {
  std::uint64_t entries = 0, size = 0, offset = 0;
};

// The end of the directory in its form for large files, which stands before the other where there is one.
std::optional<Directory> largeDirectory(std::string_view file, std::size_t end) {
  if (end < kLocator64Size || file.substr(end - kLocator64Size, 4) != kLocator64) return std::nullopt;
  const std::uint64_t at = numberAt(file, end - kLocator64Size + 8, 8);
  if (file.size() < kEnd64Size || at > file.size() - kEnd64Size) return std::nullopt;
  const std::string_view record = file.substr(static_cast<std::size_t>(at), kEnd64Size);
  if (!record.starts_with(kEnd64)) return std::nullopt;
  return Directory{numberAt(record, 32, 8), numberAt(record, 40, 8), numberAt(record, 48, 8)};
}

Result<Directory> findDirectory(std::string_view file) {
  if (file.size() < kEndSize) return broken("it ends too early");
  const std::size_t end = file.rfind(kEnd, file.size() - kEndSize);
  if (end == std::string_view::npos) return broken("it has no directory");
  const Directory small{numberAt(file, end + 10, 2), numberAt(file, end + 12, 4),
                        numberAt(file, end + 16, 4)};
  const Directory found = largeDirectory(file, end).value_or(small);
  if (found.offset > file.size() || found.size > file.size() - found.offset)
    return broken("its directory reaches out of the file");
  return found;
}

// The unpacked size of the extra field's part for large records, which begins with it.
std::uint64_t largeSize(std::string_view extra) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::size_t size = static_cast<std::size_t>(numberAt(extra, at + 2, 2));
    const bool isWhole = size <= extra.size() - at - 4;
    if (numberAt(extra, at, 2) == kExtra64 && isWhole && size >= 8) return numberAt(extra, at + 4, 8);
    at += 4 + std::min(size, extra.size() - at - 4);
  }
  return kInExtra;
}

std::uint64_t sumOf(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max()
                                                           : a + b;
}

}  // namespace

Result<std::uint64_t> zipContentBytes(std::string_view file) {
  const auto found = findDirectory(file);
  if (!found) return failure(found.error());
  std::string_view rest =
      file.substr(static_cast<std::size_t>(found->offset), static_cast<std::size_t>(found->size));
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < found->entries; ++i) {
    if (rest.size() < kEntrySize || !rest.starts_with(kEntry)) return broken("its directory has a gap");
    const auto name = static_cast<std::size_t>(numberAt(rest, 28, 2));
    const auto extra = static_cast<std::size_t>(numberAt(rest, 30, 2));
    const auto comment = static_cast<std::size_t>(numberAt(rest, 32, 2));
    if (rest.size() < kEntrySize + name + extra + comment) return broken("its directory ends too early");
    const std::uint64_t size = numberAt(rest, 24, 4);
    all = sumOf(all, size == kInExtra ? largeSize(rest.substr(kEntrySize + name, extra)) : size);
    rest.remove_prefix(kEntrySize + name + extra + comment);
  }
  return all;
}

Result<void> checkZipContents(std::string_view file) {
  const auto bytes = zipContentBytes(file);
  if (!bytes) return failure(bytes.error());
  if (*bytes / kLargestTimes <= file.size()) return {};
  return broken("its records are far larger than the file");
}

}  // namespace lockstep::trainer
