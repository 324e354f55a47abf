// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/detectors/failure_lines.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "logs/text/line_part.h"

namespace lockstep {
namespace {

constexpr std::size_t kLongestLine = 300;

/// What survivors print when a peer is gone or their launcher ends them (Gloo, NCCL, torchrun, mpirun, our trainer).
constexpr std::array<std::string_view, 24> kFollowing{"Connection reset by peer",
                                                      "Connection closed by peer",
                                                      "Connection closed by remote peer",
                                                      "Broken pipe",
                                                      "Socket closed",
                                                      "remote process exited",
                                                      "ncclRemoteError",
                                                      "ncclSystemError",
                                                      "NCCL communicator was aborted",
                                                      "Watchdog caught collective operation timeout",
                                                      "collective operation timeout",
                                                      "monitoredBarrier",
                                                      "DistBackendError",
                                                      "ChildFailedError",
                                                      "SignalException",
                                                      "received signal: 15",
                                                      "Received Signals.SIGTERM",
                                                      "Signal 15",
                                                      "SIGTERM",
                                                      "Sending process",
                                                      "HorovodInternalError",
                                                      "HostsUpdatedInterrupt",
                                                      "its process ended without a word",
                                                      "another rank"};
/// Words in which a process ends without a traceback.
constexpr std::array<std::string_view, 8> kEndings{
    "terminate called", "Segmentation fault",  "Aborted", "Bus error", "Fatal Python error",
    "out of memory",    "was ended by signal", "Killed"};

bool hasAny(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(
      words, [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// `  File "/code/train.py", line 42, in step` -> "train.py:42"; of frames of libraries nothing.
std::string placeIn(std::string_view frame) {
  const auto file = frame.find("File \"");
  if (file == std::string_view::npos) return {};
  const std::string_view path = frame.substr(file + 6, frame.find('"', file + 6) - file - 6);
  if (path.find("site-packages") != std::string_view::npos ||
      path.find("/lib/python") != std::string_view::npos || path.starts_with('<'))
    return {};
  const auto line = frame.find("line ", file);
  if (line == std::string_view::npos) return {};
  const std::string_view number =
      frame.substr(line + 5, frame.find_first_not_of("0123456789", line + 5) - line - 5);
  return std::string(path.substr(path.rfind('/') + 1)) + ':' + std::string(number);
}

std::string shortened(std::string_view text) {
  if (text.size() <= kLongestLine) return std::string(text);
  std::size_t end = kLongestLine;  // not within a character
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "…";
}

bool isFailure(const LogLine& line, LinePart part) {
  if (part == LinePart::Traceback || part == LinePart::CrashDump) return true;
  return line.level == LogLevel::Error || hasAny(line.text, kEndings);
}

void finish(PrintedFailure& failure, std::string_view text) {
  failure.line = shortened(text);
  failure.isComplete = true;
  failure.onlyFollows = onlyFollows(text);
}

}  // namespace

bool onlyFollows(std::string_view line) {
  return hasAny(line, kFollowing);
}

void FailureLines::add(std::span<const LogLine> lines) {
  hasLines_ = hasLines_ || !lines.empty();
  for (const LogLine& line : lines) add(line);
}

void FailureLines::add(const LogLine& line) {
  const LinePart part = partOf(line.text);
  const auto known = failures_.find({line.node, line.rank});
  // Lines of the past may come after newer ones: the earliest counts.
  const bool isEarlier = known != failures_.end() && line.time < known->second.time;
  if (known == failures_.end() || isEarlier) {
    if (!isFailure(line, part) || failures_.size() >= kMostSources) return;
    PrintedFailure failure{line.rank, line.node, line.time, {}, {}, false, false};
    if (part == LinePart::Traceback)
      failure.line = shortened(line.text);  // until the line that says why
    else
      finish(failure, line.text);
    failures_.insert_or_assign(Source{line.node, line.rank}, std::move(failure));
    return;
  }
  PrintedFailure& failure = known->second;
  const bool isWorse =
      failure.isComplete && failure.onlyFollows && isFailure(line, part) && !onlyFollows(line.text);
  if (isWorse && line.time == failure.time) return finish(failure, line.text);  // two lines of one end
  if (failure.isComplete) return;
  if (part == LinePart::Frame) {
    if (std::string place = placeIn(line.text); !place.empty()) failure.place = std::move(place);
  } else if (part != LinePart::Blank && part != LinePart::Traceback && part != LinePart::Chaining) {
    finish(failure, line.text);
  }
}

void FailureLines::forgetBefore(TimePoint time) {
  std::erase_if(failures_, [time](const auto& one) { return one.second.time < time; });
}

std::optional<PrintedFailure> FailureLines::first() const {
  const PrintedFailure* first = nullptr;
  const auto place = [](const PrintedFailure& one) {
    return std::tuple(one.onlyFollows, !one.rank, one.time);
  };
  for (const auto& [source, failure] : failures_)
    if (first == nullptr || place(failure) < place(*first)) first = &failure;
  return first == nullptr ? std::nullopt : std::optional(*first);
}

std::vector<PrintedFailure> FailureLines::others(std::optional<Rank> cause) const {
  std::vector<PrintedFailure> others;
  for (const auto& [source, failure] : failures_)
    if (failure.rank && failure.rank != cause) others.push_back(failure);
  std::ranges::stable_sort(others, {}, &PrintedFailure::time);
  return others;
}

}  // namespace lockstep
