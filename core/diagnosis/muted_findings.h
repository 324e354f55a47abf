// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"

namespace lockstep {

/// Findings that the user does not want to be told of for a while, of one run each (docs/formats/muted-findings.md). They go on
/// being looked for.
class MutedFindings {
 public:
  static constexpr std::size_t kMostBytes = 1 << 20;
  static constexpr std::size_t kMost = 4096;

  /// What anybody may have written: entries that are none are left out. DataLoss: no such document.
  static Result<MutedFindings> parse(std::string_view text);
  [[nodiscard]] std::string text() const;

  /// Of more than kMost the one that ends first is let go.
  void mute(const RunId& run, const std::string& key, TimePoint until);
  void unmute(const RunId& run, const std::string& key);
  /// Until when; absent: it is not muted.
  [[nodiscard]] std::optional<TimePoint> mutedUntil(const RunId& run, const std::string& key,
                                                    TimePoint now) const;
  /// Of one run, those that are muted at that time.
  [[nodiscard]] std::set<std::string> keysOf(const RunId& run, TimePoint now) const;
  void forgetOver(TimePoint now);

 private:
  std::map<std::pair<std::string, std::string>, TimePoint> until_;  // by run and key
};

/// Where this user's are: beside the preferences.
[[nodiscard]] std::filesystem::path mutedFindingsFile();
/// A file that is not there is an empty list. Blocks on disk.
[[nodiscard]] Result<MutedFindings> readMutedFindings(const std::filesystem::path& file);
/// Adds to what is there, or, without a time, takes it away; what is over is left out. Of two that write at the same moment
/// the last one counts. Blocks on disk.
Result<void> muteFinding(const std::filesystem::path& file, const RunId& run, const std::string& key,
                         std::optional<TimePoint> until, TimePoint now);

}  // namespace lockstep
