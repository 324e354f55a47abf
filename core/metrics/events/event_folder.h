// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "metrics/events/event_file.h"
#include "metrics/events/event_search.h"

namespace lockstep {

/// What one event file said since it was read last.
struct FoundScalars {
  std::filesystem::path file;
  std::string run;         // as EventFilePlace has it; any bytes, since it is the name of a folder
  std::optional<int> pid;  // of the process that writes it, where its name says so (writerOf)
  std::vector<EventScalar> scalars;
};

/// Follows all event files that training programs write in some folders. What is no event file, or broken, costs one stat a
/// read until it is replaced; what cannot be read is passed over. One thread at a time.
class EventFolder {
 public:
  /// Files that were changed last before `since` are of an earlier run: they are left out until they grow, and are read from
  /// their beginning then. Looks at nothing yet. A folder need not be there yet.
  explicit EventFolder(std::vector<std::filesystem::path> folders, TimePoint since = {});

  /// Looks for new files (findEventFiles) and forgets those that are gone. At most 1,024 are followed, those that
  /// were changed last. Blocks on disk: up to 20,000 entries of folders are read.
  void look();

  /// The scalars that were appended to the files since the last call, in at most `maxBytes` of all of them together; those
  /// that had no turn are first at the next call. Those of a file that was replaced may come again. Blocks on disk: one stat
  /// for each file, and reading where its size is another one.
  [[nodiscard]] std::vector<FoundScalars> readNew(std::size_t maxBytes);

  /// How many are followed, those included that turned out to be no event files.
  [[nodiscard]] std::size_t files() const { return followed_.size(); }
  /// EventFile::skipped() of those that are followed.
  [[nodiscard]] std::uint64_t skipped() const;

 private:
  struct Followed {
    EventFile file;
    std::string run;
    std::optional<int> pid;
  };
  void addUnseen(std::vector<EventFilePlace>& places) const;
  void leaveOutOlder(std::vector<EventFilePlace>& places);
  void follow(const std::vector<EventFilePlace>& places);

  std::vector<std::filesystem::path> folders_;
  TimePoint since_;                           // a little before what was asked for: stamps of files are late
  std::map<std::string, Followed> followed_;  // by path
  std::map<std::string, std::uint64_t> older_;  // by path, with the size: of an earlier run
  std::string last_;                            // the path that was read last
};

}  // namespace lockstep
