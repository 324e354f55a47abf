// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace lockstep {

/// Writes a .lockstep file beside its target and renames it over that once it is whole: what is there under the name is
/// the former file or the new one. One object is in memory at a time. Let go without finish(), nothing is left of it.
/// Blocks on disk; one thread.
class RunFileWriter {
 public:
  [[nodiscard]] static Result<RunFileWriter> create(const std::filesystem::path& path);
  RunFileWriter(RunFileWriter&&) noexcept;
  RunFileWriter& operator=(RunFileWriter&&) noexcept;
  ~RunFileWriter();

  /// Each name once. InvalidArgument: it is too long, or the object larger than any reader takes.
  Result<void> add(const std::string& name, std::string_view bytes);
  [[nodiscard]] std::uint64_t bytes() const;  // of all objects so far
  [[nodiscard]] std::uint64_t objects() const;
  /// Nothing can be added any more.
  Result<void> finish();

 private:
  struct Parts;
  explicit RunFileWriter(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace lockstep
