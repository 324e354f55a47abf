// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>
#include <utility>

#include "base/error.h"

namespace lockstep::trainer {

/// Held while one process of a node fills a data folder and the others wait. Goes with the descriptor, so a
/// killed process leaves no lock behind.
class FolderLock {
 public:
  /// Makes the folder where it is missing; `name`: of the lock file in it. Blocks until nobody else holds it.
  static Result<FolderLock> take(const std::filesystem::path& directory, const std::string& name);
  FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace lockstep::trainer
