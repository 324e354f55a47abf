// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "logs/store/line_file.h"
#include "logs/store/log_snapshot.h"

namespace lockstep {

/// Of lines, ns since 1970, both included.
struct LineTimes {
  std::int64_t oldest = INT64_MAX, newest = INT64_MIN;

  void add(std::int64_t time) {
    oldest = std::min(oldest, time);
    newest = std::max(newest, time);
  }
};

/// The files in which a run's lines are kept, in the order of arrival: "000001.log" and so on, each an eighth of the limit.
/// What lies before all lines of a file goes into another one, so that what is oldest can go by itself.
/// Where there is no folder, or none that can be written, they are in memory. One owner thread.
class KeptFiles {
 public:
  explicit KeptFiles(std::uint64_t limit);
  KeptFiles(std::filesystem::path folder, std::uint64_t limit);
  KeptFiles(KeptFiles&& other) noexcept;
  KeptFiles& operator=(KeptFiles&& other) noexcept;
  ~KeptFiles();

  /// All lines that were there when the folder was opened; call once, before anything is appended.
  void readBack(const std::function<void(std::uint64_t file, std::uint64_t line, const LineParts&)>& visit);
  /// Whether readBack() has seen a line of this id. Cost: 16 bytes for each of them.
  [[nodiscard]] bool wasKept(std::string_view id) const;
  /// `text` is whole lines. Where the first of them is.
  LineId append(std::string_view text, const LineTimes& times);
  /// Removes the file whose lines are the oldest if there is more than the limit: its number.
  std::optional<std::uint64_t> dropSurplus();

  /// In the order of their ids.
  [[nodiscard]] std::vector<std::shared_ptr<const LineFile>> files() const;
  /// KeptLog's.
  [[nodiscard]] std::optional<TimePoint> wholeUntil() const;
  void noteWholeUntil(TimePoint time);
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  struct OneFile {
    std::shared_ptr<LogBytes> bytes;
    FileIndex index;
    std::uint64_t id = 0;
    LineTimes times{};
    std::shared_ptr<SeenRanks> ranks = std::make_shared<SeenRanks>();
  };
  struct KnownId {
    std::uint64_t hash = 0;
    std::uint64_t file : 24 = 0;
    std::uint64_t line : 40 = 0;
  };
  class Lock;

  [[nodiscard]] bool takeFolder();
  void openOldFiles();
  void openOld(const std::filesystem::path& path);
  void startFile();
  [[nodiscard]] bool needsFile(const LineTimes& times) const;
  [[nodiscard]] bool hasLineSince(TimePoint time) const;
  void readWholeUntil();
  void fallBack(Error why);
  [[nodiscard]] static std::shared_ptr<const LineFile> linesOf(const OneFile& file);

  std::filesystem::path folder_;  // empty: in memory
  std::uint64_t limit_;
  std::unique_ptr<Lock> lock_;
  std::deque<OneFile> files_;
  std::uint64_t nextName_ = 1;
  std::uint64_t nextId_ = 0;
  std::vector<KnownId> known_;  // by hash
  mutable BlockText looked_;    // where an id was looked up last
  std::optional<TimePoint> wholeUntil_, writtenUntil_;
  std::optional<Error> problem_;
};

}  // namespace lockstep
