// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/error.h"
#include "logs/store/log_snapshot.h"

namespace lockstep {

/// Text files that are there already, as one log: a single one as it stands, several merged by time. A file of 10 GB and
/// 100 million lines is read once, at the speed of the disk, and takes some 10 MB of memory; what is added to it later is
/// read alone. One owner thread; snapshots for all others.
class TextLog {
 public:
  enum class Change {
    None,
    Grown,     // lines were added at the end, or the last one became longer
    Replaced,  // another file has its name now, or it was cut: it was read anew
  };
  /// So much of all files has been read.
  using Progress = std::function<void(std::uint64_t bytes, std::uint64_t ofBytes)>;

  /// Reads nothing yet. NotFound, PermissionDenied, InvalidArgument (a folder, a pipe) name the file.
  [[nodiscard]] static Result<TextLog> open(const std::vector<std::filesystem::path>& files);
  TextLog(TextLog&& other) noexcept;
  TextLog& operator=(TextLog&& other) noexcept;
  ~TextLog();

  /// Reads what is new; `threads` beside this one. Stopped, it goes on at the next call, and what was read is there.
  /// Blocks on disk. `progress` is called in this thread, about 20 times a second.
  Result<Change> refresh(const std::stop_token& stop, int threads = 1, const Progress& progress = {});
  [[nodiscard]] std::shared_ptr<const LogSnapshot> snapshot() const;
  /// Bytes that the index takes.
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Parts;
  explicit TextLog(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace lockstep
