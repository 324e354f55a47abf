// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "http/http_client.h"

namespace lockstep::oci {

/// A file open for reading, shared by the slices of it; closed with the last. Thread-safe.
class OpenFile {
 public:
  static Result<std::shared_ptr<OpenFile>> open(const std::filesystem::path& path);
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Whether size or time of change are other ones than when it was opened.
  [[nodiscard]] bool hasChanged() const;
  Result<std::size_t> read(std::uint64_t offset, char* to, std::size_t max) const;

 private:
  OpenFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::filesystem::path path_;
  int fd_;
  std::uint64_t size_ = 0;
  std::int64_t changed_ = 0;  // nanoseconds
};

/// `size` bytes of a file from `offset`, as a body.
class FileSlice final : public BodySource {
 public:
  FileSlice(std::shared_ptr<OpenFile> file, std::uint64_t offset, std::uint64_t size)
      : file_(std::move(file)), offset_(offset), size_(size) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  Result<std::size_t> read(std::uint64_t offset, char* to, std::size_t max) override;
  /// base64; reads the slice once.
  Result<std::string> md5();

 private:
  const std::shared_ptr<OpenFile> file_;
  const std::uint64_t offset_, size_;
};

}  // namespace lockstep::oci
