// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::cli {

/// The last line of a terminal on stderr that says how far something is. Not on a terminal: a plain line
/// whenever the text has changed and some seconds have gone by, so that a log file stays readable.
class ProgressBar {
 public:
  explicit ProgressBar(bool enabled);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Without a fraction, as long as nobody knows how much there is: the text alone.
  void show(std::optional<double> fraction, std::string_view text);
  /// Takes the bar away, before something else is printed.
  void clear();

 private:
  bool enabled_;
  bool terminal_;
  bool shown_ = false;
  std::string lastText_;
  std::chrono::steady_clock::time_point lastLine_{};
};

/// "[######......] 50% text" within `width` columns; without a fraction "text".
[[nodiscard]] std::string barText(std::optional<double> fraction, std::string_view text, int width);

}  // namespace lockstep::cli
