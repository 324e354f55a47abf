// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "oci/storage/object_storage_types.h"

namespace lockstep::oci {

/// A file that an object comes into in ranges, and that takes its name only when it is whole. One that is
/// kept lies beside it as "<file>.lockstep-part", with "<file>.lockstep-part.json" that says which object it
/// is of and how far each range has come; so the next one goes on from there, also after a power failure:
/// what is written down is on the disk. Thread-safe as far as no two threads write the same range.
class PartialDownload {
 public:
  struct Range {
    std::uint64_t first = 0, size = 0, got = 0;
  };

  /// `isKept`: goes on with what an earlier one has left of the same object (its etag and size say it), and
  /// leaves what there is when it goes unfinished; what is of another object, or not as it was left, is
  /// thrown away. Ranges are then as large as they were. FailedPrecondition: another process is at it.
  static Result<std::unique_ptr<PartialDownload>> open(const std::filesystem::path& file,
                                                       const ObjectHead& head, std::uint64_t rangeSize,
                                                       bool isKept);
  PartialDownload(const PartialDownload&) = delete;
  PartialDownload& operator=(const PartialDownload&) = delete;
  ~PartialDownload();

  [[nodiscard]] std::size_t count() const { return ranges_.size(); }
  [[nodiscard]] Range range(std::size_t index) const;
  /// Bytes that were there when it was opened.
  [[nodiscard]] std::uint64_t already() const { return already_; }
  [[nodiscard]] const std::filesystem::path& path() const { return partial_; }

  /// The next bytes of a range; returns how many of them belong to it.
  Result<std::size_t> write(std::size_t index, std::string_view bytes);
  /// Every range is there: moves the file to its place.
  Result<void> finish();
  /// Nothing of it is left, whether it is kept or not.
  void discard();

 private:
  PartialDownload(std::filesystem::path file, const ObjectHead& head, bool isKept);
  Result<void> openFile();
  Result<void> lockFile(bool& isGone);
  void layOut(std::uint64_t rangeSize);
  void resume();
  void note();

  const std::filesystem::path file_;
  const std::uint64_t size_;
  const std::string etag_;
  const bool isKept_;
  std::filesystem::path partial_, notes_;
  int fd_ = -1;
  bool isOver_ = false;  // finished or discarded
  std::uint64_t rangeSize_ = 1, already_ = 0;
  mutable std::mutex mutex_;  // guards the two below
  std::vector<Range> ranges_;
  std::uint64_t unnoted_ = 0;  // bytes since the last note
  std::mutex noteMutex_;       // one note at a time
};

}  // namespace lockstep::oci
