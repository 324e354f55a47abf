// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace lockstep {

/// An open file of lines. It is read with pread rather than mapped: whoever cuts a mapped file ends those who read it.
/// Reading: any thread. Appending: one.
class LogBytes {
 public:
  /// A file that somebody else writes.
  [[nodiscard]] static Result<std::shared_ptr<LogBytes>> open(const std::filesystem::path& path);
  /// Ours, made if need be (mode 0600), to append to.
  [[nodiscard]] static Result<std::shared_ptr<LogBytes>> openToAppend(const std::filesystem::path& path);
  /// In memory, without a name.
  [[nodiscard]] static Result<std::shared_ptr<LogBytes>> inMemory();
  LogBytes(const LogBytes&) = delete;
  LogBytes& operator=(const LogBytes&) = delete;
  ~LogBytes();

  /// Fills `into` from `offset` on; how many bytes there were: fewer at the end of the file, and where it cannot be read.
  std::size_t read(std::uint64_t offset, std::span<char> into) const;
  /// As many bytes as asked for and there.
  [[nodiscard]] std::string read(std::uint64_t offset, std::uint64_t count) const;
  [[nodiscard]] std::uint64_t size() const;
  /// All of it or, after a failure, nothing.
  Result<void> append(std::string_view bytes);
  Result<void> cutTo(std::uint64_t size);
  /// What was appended survives a power cut from here on, where the disk is well. Blocks on disk.
  void sync() const;
  /// The path leads to another file by now, or to none.
  [[nodiscard]] bool isReplaced() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  LogBytes(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
  int fd_;
  std::filesystem::path path_;
};

}  // namespace lockstep
