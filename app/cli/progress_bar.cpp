// SPDX-License-Identifier: GPL-3.0-or-later
#include "progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/text/terminal_text.h"
#include "output.h"

namespace lockstep::cli {
namespace {

constexpr int kBarWidth = 30;
constexpr int kDefaultColumns = 80;
constexpr std::chrono::seconds kPlainInterval{10};

std::string percent(double share) {
  return fmt::format("{:3.0f}%", share * 100);
}

int terminalColumns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kDefaultColumns;
}

}  // namespace

std::string barText(std::optional<double> fraction, std::string_view text, int width) {
  std::string bar = onOneLine(text);
  if (fraction) {
    const double share = std::clamp(*fraction, 0.0, 1.0);
    const auto filled = static_cast<std::size_t>(share * kBarWidth);
    bar = fmt::format("[{}{}] {} {}", std::string(filled, '#'), std::string(kBarWidth - filled, '.'),
                      percent(share), bar);
  }
  std::size_t end = static_cast<std::size_t>(std::max(width, 0));
  if (bar.size() <= end) return bar;
  while (end > 0 && (static_cast<unsigned char>(bar[end]) & 0xC0U) == 0x80U) --end;  // whole characters
  bar.resize(end);
  return bar;
}

ProgressBar::ProgressBar(bool enabled) : enabled_(enabled), terminal_(stderrIsTerminal()) {}

void ProgressBar::show(std::optional<double> fraction, std::string_view text) {
  if (!enabled_) return;
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", barText(fraction, text, terminalColumns() - 1));
    std::fflush(stderr);
    shown_ = true;
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (text == lastText_ || (!lastText_.empty() && now - lastLine_ < kPlainInterval)) return;
  lastText_ = text;
  lastLine_ = now;
  note((fraction ? percent(std::clamp(*fraction, 0.0, 1.0)) + " " : "") + onOneLine(text));
}

void ProgressBar::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace lockstep::cli
