// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "logs/log_source.h"
#include "portable/run_file.h"
#include "portable/run_file_writer.h"

namespace lockstep {

/// Puts lines into a .lockstep file, as kept lines are written (docs/formats/kept-lines.md), many to an object. `to`
/// outlives it.
class LineChunks {
 public:
  explicit LineChunks(RunFileWriter& to) : to_(to) {}
  Result<void> add(const LogLine& line);
  /// Writes what is left.
  Result<void> finish();

 private:
  RunFileWriter& to_;
  std::string text_;
  std::uint64_t next_ = 0;
};

/// The lines of one such object; what is no line is passed over.
[[nodiscard]] std::vector<LogLine> linesIn(std::string_view text);

/// The lines of a .lockstep file, in the order in which they were saved; some 4 MiB of them a poll. Blocks on disk.
class RunFileLines final : public LogSource {
 public:
  explicit RunFileLines(std::shared_ptr<const RunFile> file) : file_(std::move(file)) {}
  Result<std::vector<LogLine>> poll(const std::stop_token& stop) override;
  [[nodiscard]] bool isBehind() const override { return !isListed_ || next_ < names_.size(); }

 private:
  std::shared_ptr<const RunFile> file_;
  bool isListed_ = false;
  std::vector<std::string> names_;
  std::size_t next_ = 0;
};

}  // namespace lockstep
