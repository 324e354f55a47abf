// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/journal/change_journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/time_text.h"
#include "base/user_dirs.h"
#include "setup/journal/exclusive_file.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr mode_t kOwnerOnly = 0600;

json toJson(const AppliedChange& change) {
  return {{"id", change.id},
          {"step", change.stepId},
          {"profile", change.profile},
          {"title", change.title},
          {"kind", change.kind},
          {"undo", change.undo},
          {"when", toRfc3339(change.when)},
          {"takenBack", change.isTakenBack}};
}

// Throws what nlohmann throws for members of another type.
AppliedChange changeOf(const json& entry) {
  AppliedChange change;
  change.id = entry.at("id").get<std::string>();
  change.stepId = entry.at("step").get<std::string>();
  change.profile = entry.value("profile", "");
  change.title = entry.value("title", "");
  change.kind = entry.at("kind").get<std::string>();
  change.undo = entry.value("undo", json::object());
  change.when = parseRfc3339(entry.value("when", "")).value_or(TimePoint{});
  change.isTakenBack = entry.value("takenBack", false);
  return change;
}

tl::unexpected<Error> unreadable(const std::filesystem::path& file, const std::string& cause) {
  return failure(ErrorCode::DataLoss, fmt::format("cannot read the list of changes '{}'", file.string()),
                 cause, "fix the file, or move it away: what it lists then has to be taken back by hand");
}

Result<std::vector<AppliedChange>> readChanges(const std::filesystem::path& file) {
  std::error_code ec;
  if (!std::filesystem::exists(file, ec) && !ec) return std::vector<AppliedChange>{};
  const auto text = readFile(file);
  if (!text) return failure(text.error());
  try {
    std::vector<AppliedChange> changes;
    const json document = json::parse(*text);  // outlives the loop over a part of it
    for (const json& entry : document.at("changes")) changes.push_back(changeOf(entry));
    return changes;
  } catch (const json::exception& error) {
    return unreadable(file, error.what());
  }
}

Result<void> writeChanges(const std::filesystem::path& file, const std::vector<AppliedChange>& changes) {
  json entries = json::array();
  for (const AppliedChange& change : changes) entries.push_back(toJson(change));
  const json document{{"version", 1}, {"changes", std::move(entries)}};
  return writeFileAtomically(file, document.dump(1, ' ', false, json::error_handler_t::replace) + "\n",
                             kOwnerOnly);
}

int numberIn(const std::string& id) {
  int number = 0;
  std::from_chars(id.data(), id.data() + id.size(), number);
  return number;
}

}  // namespace

ChangeJournal::ChangeJournal(std::filesystem::path file)
    : file_(file.empty() ? userDataDir() / "setup-changes.json" : std::move(file)) {}

// Without the lock: the file is replaced whole, so that what is read is one state of it.
Result<std::vector<AppliedChange>> ChangeJournal::changes() const {
  return readChanges(file_);
}

Result<std::vector<AppliedChange>> ChangeJournal::add(std::vector<AppliedChange> changes) {
  if (changes.empty()) return changes;
  auto done = whileAlone(file_, [&]() -> Result<void> {
    auto all = readChanges(file_);
    if (!all) return failure(all.error());
    int last = 0;  // ids are short numbers, because people type them: `fix --undo 12`
    for (const AppliedChange& change : *all) last = std::max(last, numberIn(change.id));
    for (AppliedChange& change : changes) {
      change.id = std::to_string(++last);
      all->push_back(change);
    }
    return writeChanges(file_, *all);
  });
  if (!done) return failure(done.error());
  return changes;
}

Result<void> ChangeJournal::markTakenBack(const std::string& id) {
  return whileAlone(file_, [&]() -> Result<void> {
    auto all = readChanges(file_);
    if (!all) return failure(all.error());
    const auto found =
        std::find_if(all->begin(), all->end(), [&](const AppliedChange& c) { return c.id == id; });
    if (found == all->end())
      return failure(ErrorCode::NotFound, fmt::format("there is no change '{}'", id),
                     fmt::format("'{}' lists {} of them", file_.string(), all->size()),
                     "lockstep fix --list shows them");
    found->isTakenBack = true;
    return writeChanges(file_, *all);
  });
}

}  // namespace lockstep
