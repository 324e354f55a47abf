// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"

namespace lockstep {

/// Work that was not saved into its file yet.
struct Draft {
  std::string path;  // the file it belongs to; empty: it has none yet
  std::string text;
  bool operator==(const Draft&) const = default;
};

/// Keeps the draft of each running window in a file of its own (0600): a crash or a closed window loses
/// nothing, and two windows do not overwrite each other's. The file's name says which window it is: machine,
/// start of the machine, process id and start of the process, since process ids come round again, and a home
/// folder can be that of several machines. Blocks on disk. Copies share their state and are thread-safe;
/// writes are numbered, so that one that comes late never undoes a newer one.
class DraftStore {
 public:
  explicit DraftStore(std::filesystem::path folder);

  Result<void> keep(const Draft& draft, std::uint64_t number) const;
  void drop(std::uint64_t number) const;
  /// This window's own draft if it has one, else the newest one whose window is gone. That becomes this
  /// window's own in the same step: nothing is lost when this one dies as well, and no other window gets it,
  /// too. Older ones stay for the next start; those of another machine are left to its windows.
  [[nodiscard]] std::optional<Draft> recover() const;

  [[nodiscard]] std::filesystem::path ownFile() const;

 private:
  std::filesystem::path folder_;
  struct Gate;
  std::shared_ptr<Gate> gate_;
};

}  // namespace lockstep
