// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace lockstep::trainer {

/// A file that is too large to be made in memory, written piece by piece as `<path>.partial` and there under
/// its own name only when finish() has been called: whole and on the disk, or not at all. One writer at a
/// time.
class StreamedFile {
 public:
  static Result<StreamedFile> create(const std::filesystem::path& path);
  StreamedFile(StreamedFile&& other) noexcept;
  StreamedFile& operator=(StreamedFile&&) = delete;
  ~StreamedFile();  // takes an unfinished file away

  Result<void> append(std::string_view bytes);
  Result<void> finish();

 private:
  StreamedFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  [[nodiscard]] std::filesystem::path partial() const { return path_.string() + ".partial"; }
  [[nodiscard]] tl::unexpected<Error> broken(int reason) const;
  std::filesystem::path path_;
  int fd_;
};

}  // namespace lockstep::trainer
