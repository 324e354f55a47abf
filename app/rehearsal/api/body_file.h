// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace lockstep::rehearsal {

/// A file that takes the body of a large upload as it comes, and is removed again unless an operation keeps
/// it. One thread at a time.
class BodyFile {
 public:
  virtual ~BodyFile() = default;
  virtual Result<void> append(std::string_view bytes) = 0;
  /// All has come: bytes() and keep() from here on.
  virtual Result<void> finish() = 0;
  /// A mapping of the file, for as long as this object lives.
  [[nodiscard]] virtual std::string_view bytes() const = 0;
  /// Leaves the file to the caller, under this name.
  virtual std::string keep() = 0;
};

/// Makes such files. Thread-safe.
class BodyFiles {
 public:
  virtual ~BodyFiles() = default;
  virtual Result<std::shared_ptr<BodyFile>> begin() = 0;
};

}  // namespace lockstep::rehearsal
