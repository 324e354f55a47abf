// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "workdir/object_store.h"

namespace lockstep {

/// Whether a reference names a file of a run: "….lockstep", as a path or as file:// URI, be it there or not, or any file
/// that begins as one does. Blocks on disk.
[[nodiscard]] bool namesRunFile(const std::string& reference);
/// The path that such a reference stands for, made absolute.
[[nodiscard]] std::filesystem::path runFilePath(const std::string& reference);

/// A .lockstep file, opened for reading (docs/formats/run-file.md): named objects. Anybody may have made the file: nothing
/// of its SQL is run, its schema has to be ours letter by letter, and sizes are bounded before they are believed. What
/// happens to the file afterwards is not seen. Blocks on disk; thread-safe.
class RunFile {
 public:
  /// NotFound, PermissionDenied, InvalidArgument (no run file at all), DataLoss (cut, damaged or altered),
  /// FailedPrecondition (written by a newer Lockstep).
  [[nodiscard]] static Result<std::shared_ptr<RunFile>> open(const std::filesystem::path& path);
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;
  ~RunFile();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// NotFound when there is none of that name; DataLoss: the file is damaged there.
  Result<std::string> get(const std::string& name, const std::stop_token& stop) const;
  /// As ObjectStore::list().
  Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& startAfter,
                                       const std::stop_token& stop) const;

 private:
  struct Parts;
  RunFile(std::filesystem::path path, std::unique_ptr<Parts> parts);
  [[nodiscard]] Error damaged(const std::string& cause) const;

  std::filesystem::path path_;
  mutable std::mutex mutex_;
  std::unique_ptr<Parts> parts_;
};

/// The objects of a file below `inside` as a store in which they lie below `folder`: RunFile's "work-dir/x" is
/// "<folder>/x". Read only: puts are refused with FailedPrecondition.
[[nodiscard]] std::shared_ptr<ObjectStore> storeIn(std::shared_ptr<const RunFile> file, std::string inside,
                                                   std::string folder);

}  // namespace lockstep
