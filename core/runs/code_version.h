// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>

namespace lockstep {

/// Which code a run was launched with, as far as git knows it.
struct CodeVersion {
  std::string commit;    // the whole hash; empty: not known, or the folder is in no work tree of git
  std::string branch;    // empty: none is checked out
  bool isDirty = false;  // files that git follows differ from the commit
  int untracked = 0;     // files that git neither follows nor ignores; what is in them is not kept
  // `git diff` of what it follows against the commit, so never of ignored files; empty where nothing differs, and of a run
  // of a list (RunStore::difference() has it).
  std::string difference;
  bool isWhole = true;  // false: the difference was cut at a line, or is left out since it is much too long

  [[nodiscard]] bool isKnown() const { return !commit.empty(); }
};

/// Longer differences are cut.
inline constexpr std::size_t kMaxDifferenceBytes = std::size_t{256} << 10;

/// The version of the work tree that this folder is in, as it is now; of none where there is no git, no commit yet or git
/// takes longer than a few seconds. Asks git without locks, hooks, external difference tools and file system monitors.
/// Blocks on disk.
[[nodiscard]] CodeVersion codeVersionOf(const std::filesystem::path& folder, const std::stop_token& stop);

/// "1a2b3c4d5e6f", "1a2b3c4d5e6f+" of one that is dirty; empty: not known.
[[nodiscard]] std::string shortText(const CodeVersion& code);

}  // namespace lockstep
