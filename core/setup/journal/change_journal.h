// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "setup/step/applied_change.h"

namespace lockstep {

/// Everything that fixes have changed or created, newest last, in one file of mode 0600 that is replaced
/// whole (atomically) with each change. Holds no secret. Blocks on disk; one process at a time changes it,
/// another is waited for. Thread-safe.
class ChangeJournal {
 public:
  /// Default: "setup-changes.json" in the user's data folder.
  explicit ChangeJournal(std::filesystem::path file = {});

  [[nodiscard]] Result<std::vector<AppliedChange>> changes() const;
  /// Gives each change its id.
  Result<std::vector<AppliedChange>> add(std::vector<AppliedChange> changes);
  Result<void> markTakenBack(const std::string& id);

 private:
  std::filesystem::path file_;
};

}  // namespace lockstep
