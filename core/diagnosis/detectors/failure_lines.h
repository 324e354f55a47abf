// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logs/log_line.h"

namespace lockstep {

/// What a rank printed when it failed first.
struct PrintedFailure {
  std::optional<Rank> rank;  // absent: a node agent's or launcher's own line
  std::string node;
  TimePoint time{};         // of the first line
  std::string line;         // what says why: "ValueError: …", "terminate called …"
  std::string place;        // the innermost frame of the script: "train.py:42"; may be empty
  bool isComplete = false;  // the line that says why has come
  bool onlyFollows =
      false;  // as far as the line tells, others failed before: a connection that they had closed, a signal
};

/// The first failure that each rank printed, from its lines as they come, in the order of a rank's times. Remembers a few hundred
/// bytes for each rank that failed and nothing of the lines. One owner.
class FailureLines {
 public:
  void add(std::span<const LogLine> lines);
  /// Of an attempt that is over.
  void forgetBefore(TimePoint time);
  /// The earliest that is a cause, else the earliest of all; nothing: none was printed.
  [[nodiscard]] std::optional<PrintedFailure> first() const;
  /// Those of all ranks but that one, by time.
  [[nodiscard]] std::vector<PrintedFailure> others(std::optional<Rank> cause) const;
  [[nodiscard]] bool hasLines() const { return hasLines_; }  // any at all

 private:
  static constexpr std::size_t kMostSources = 4096;
  using Source = std::pair<std::string, std::optional<Rank>>;

  void add(const LogLine& line);
  std::map<Source, PrintedFailure> failures_;
  bool hasLines_ = false;
};

/// Whether a line says that a peer or a launcher ended this process, rather than why the training failed.
[[nodiscard]] bool onlyFollows(std::string_view line);

}  // namespace lockstep
