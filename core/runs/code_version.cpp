// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/code_version.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/captured_process.h"
#include "base/text/trimmed.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr auto kGitLimit = 5s;
constexpr std::size_t kShortHash = 12;

/// Variables that would lead git into another repository than the folder's are taken away.
Result<CapturedExit> git(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                         const std::stop_token& stop) {
  std::vector<std::string> command{"env",
                                   "-u",
                                   "GIT_DIR",
                                   "-u",
                                   "GIT_WORK_TREE",
                                   "-u",
                                   "GIT_INDEX_FILE",
                                   "LC_ALL=C",
                                   "git",
                                   "--no-optional-locks",
                                   "-c",
                                   "core.fsmonitor=false",
                                   "-c",
                                   "core.quotePath=false",
                                   "-C",
                                   folder.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return runCaptured(command, kGitLimit, stop);
}

bool isDone(const Result<CapturedExit>& ran) {
  return ran && ran->exit.ok();
}

std::string firstLine(const Result<CapturedExit>& ran) {
  if (!isDone(ran)) return {};
  return std::string(trimmed(std::string_view(ran->output).substr(0, ran->output.find('\n'))));
}

bool isHash(std::string_view text) {
  return text.size() >= 40 && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

/// Counts what `git status --porcelain -z` lists: entries that begin with "??" are not followed, all others differ.
void countChanges(std::string_view listed, CodeVersion& code) {
  bool isOldName = false;  // of a file that was renamed: an entry of its own
  while (!listed.empty()) {
    const std::size_t end = std::min(listed.find('\0'), listed.size());
    const std::string_view entry = listed.substr(0, end);
    listed.remove_prefix(std::min(end + 1, listed.size()));
    if (isOldName) {
      isOldName = false;
      continue;
    }
    if (entry.starts_with("??")) {
      ++code.untracked;
      continue;
    }
    code.isDirty = true;
    isOldName = entry.starts_with('R') || entry.starts_with('C');
  }
}

void readDifference(const std::filesystem::path& folder, CodeVersion& code, const std::stop_token& stop) {
  auto ran = git(folder, {"diff", "--no-ext-diff", "--no-textconv", "--no-color", "HEAD", "--"}, stop);
  code.isWhole = isDone(ran) && ran->output.size() <= kMaxDifferenceBytes;
  if (!isDone(ran)) return;
  code.difference = std::move(ran->output);
  if (code.isWhole) return;
  code.difference.resize(kMaxDifferenceBytes);
  code.difference.resize(code.difference.rfind('\n') + 1);
}

}  // namespace

CodeVersion codeVersionOf(const std::filesystem::path& folder, const std::stop_token& stop) {
  CodeVersion code;
  code.commit = firstLine(git(folder, {"rev-parse", "--verify", "--quiet", "HEAD"}, stop));
  if (!isHash(code.commit)) return {};
  code.branch = firstLine(git(folder, {"symbolic-ref", "--quiet", "--short", "HEAD"}, stop));
  const auto listed = git(folder, {"status", "--porcelain", "-z", "--untracked-files=normal"}, stop);
  if (isDone(listed))
    countChanges(listed->output, code);
  else
    code.isDirty = true;  // nobody knows better: the commit alone is no promise
  if (code.isDirty) readDifference(folder, code, stop);
  return code;
}

std::string shortText(const CodeVersion& code) {
  return code.commit.substr(0, kShortHash) + (code.isDirty ? "+" : "");
}

}  // namespace lockstep
