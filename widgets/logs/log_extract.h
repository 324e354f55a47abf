// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

#include "base/error.h"
#include "logs/search/line_set.h"
#include "logs/store/log_reader.h"

namespace lockstep {

/// What there is to read of a line that was written over: its last update, after a sign that there was more.
[[nodiscard]] std::string visibleText(std::string_view text);
/// A line for a file or the clipboard: time, rank, node, text as shown.
[[nodiscard]] QString lineText(const LogLineView& line);

/// Lines that the user wants in a file, however many: they are read as they are written. Any thread.
struct LogExtract {
  std::shared_ptr<const LogSnapshot> log;  // null: there are no lines
  LineSet lines;

  /// Hands the lines over in pieces, as lineText() has them, each with its end. Blocks on disk. Ends with the failure of
  /// `put`; stopped: with Cancelled.
  Result<void> write(const std::function<Result<void>(std::string_view)>& put,
                     const std::stop_token& stop = {}) const;
  /// All of it at once.
  [[nodiscard]] QString text() const;
};

}  // namespace lockstep
