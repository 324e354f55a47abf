// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "metrics/events/event_records.h"

struct stat;

namespace lockstep {

/// Which file it is, whatever it is called.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;

  auto operator<=>(const FileIdentity&) const = default;
};
[[nodiscard]] FileIdentity identityOf(const struct stat& info);
/// When it was written last.
[[nodiscard]] TimePoint changeOf(const struct stat& info);

/// Follows one event file while a training program writes it. A record that is not whole yet is read later. Between two
/// calls nothing is open. Symbolic links are followed, and pipes are never waited for. One thread at a time.
class EventFile {
 public:
  /// Reads nothing yet. NotFound, PermissionDenied; InvalidArgument: a folder, a pipe, a device. Blocks on disk.
  [[nodiscard]] static Result<EventFile> open(std::filesystem::path path);

  /// The scalars of what was appended since the last call, of at most `maxBytes` of the file. Blocks on disk; a file that is
  /// as long as it was is only asked for its length.
  ///
  /// Where another file has the name now, or the file was cut, or begins with other bytes, it is read from its beginning,
  /// and restarts() is one more: whoever has the scalars of before may get some of them again.
  ///
  /// NotFound: it is gone; what has been read of it stays, and it is read on should it come back. DataLoss and
  /// InvalidArgument as EventRecords::add, and then no more of this file is read. Others: it cannot be read now. Scalars are
  /// given first, where there are some; the next call says then what was wrong.
  Result<std::vector<EventScalar>> readNew(std::size_t maxBytes);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// How often it was begun again.
  [[nodiscard]] int restarts() const { return restarts_; }
  /// Bytes read in all, those of replaced files too.
  [[nodiscard]] std::uint64_t bytesRead() const { return bytesRead_; }
  /// EventRecords::skipped() of all that was read.
  [[nodiscard]] std::uint64_t skipped() const { return skippedBefore_ + records_.skipped(); }

 private:
  explicit EventFile(std::filesystem::path path) : path_(std::move(path)) {}
  [[nodiscard]] bool isUnchanged(const struct stat& info) const;
  [[nodiscard]] bool isAnother(int fd, const struct stat& info) const;
  void restart();
  Result<std::vector<EventScalar>> readFrom(int fd, std::size_t maxBytes);
  [[nodiscard]] tl::unexpected<Error> refusal(Error why) const;

  std::filesystem::path path_;
  EventRecords records_;
  FileIdentity identity_;
  std::uint64_t offset_ = 0;  // read so far
  std::string beginning_;     // its first bytes, at most 64
  int restarts_ = 0;
  std::uint64_t bytesRead_ = 0;
  std::uint64_t skippedBefore_ = 0;
};

}  // namespace lockstep
