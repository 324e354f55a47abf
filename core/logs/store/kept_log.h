// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "logs/log_line.h"
#include "logs/store/log_snapshot.h"

namespace lockstep {

/// The lines of one run, kept on disk as they came from its LogSource: they are there again after a restart, and still when
/// the service has deleted them. In order of time; late lines find their place. In memory: 16 bytes a line.
///
/// The folder holds files of lines in the order of arrival (docs/formats/kept-lines.md), each line whole or not there,
/// whatever ends the program. It belongs to one KeptLog at a time; without a folder, where another one has it or where the
/// disk refuses, lines are kept in memory instead, and problem() says why. One owner thread; snapshots for all others.
class KeptLog {
 public:
  struct Limits {
    std::uint64_t bytes = 512ULL << 20;  // on disk; beyond it the oldest lines go, an eighth at a time
  };

  /// Keeps lines for as long as it lives.
  KeptLog();
  /// Reads what is in the folder, which is made if need be. Blocks on disk: some 200 MB/s.
  explicit KeptLog(std::filesystem::path folder, Limits limits);
  KeptLog(std::filesystem::path folder) : KeptLog(std::move(folder), Limits()) {}  // NOLINT
  KeptLog(KeptLog&& other) noexcept;
  KeptLog& operator=(KeptLog&& other) noexcept;
  ~KeptLog();

  /// Takes new lines in, in any order; those that were new. Lines that the folder had already when it was opened (by their
  /// id) are left out, so that a source may begin anew. Blocks on disk.
  std::vector<LogLine> add(std::vector<LogLine> lines);
  /// What is here now. Cost: one pointer for every 2,000 lines, and copies of what changed since the last one.
  [[nodiscard]] std::shared_ptr<const LogSnapshot> snapshot();
  /// All lines before that time are kept, or went because of the limit; nothing: not known, or none is kept. What was noted
  /// is still known when the folder is opened again.
  [[nodiscard]] std::optional<TimePoint> wholeUntil() const;
  /// Of a source that has brought all of them. Written to the disk behind the lines, once for each minute that it moves on.
  void noteWholeUntil(TimePoint time);
  /// Lines that went because of the limit.
  [[nodiscard]] std::uint64_t dropped() const;
  /// Why lines are not kept on disk; once said, it stays.
  [[nodiscard]] const std::optional<Error>& problem() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace lockstep
