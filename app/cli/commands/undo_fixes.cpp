// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/undo_fixes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "interrupt.h"
#include "output.h"
#include "setup/journal/change_journal.h"

namespace lockstep::cli {
namespace {

using Changes = std::vector<AppliedChange>;

Result<Changes> changesMeant(const std::string& id, const GlobalOptions& global) {
  auto all = ChangeJournal().changes();
  if (!all) return all;
  Changes meant;
  for (const AppliedChange& change : *all) {
    const bool isOfProfile = global.profile.empty() || global.profile == change.profile;
    if (id == "all" ? !change.isTakenBack && isOfProfile : change.id == id) meant.push_back(change);
  }
  if (meant.empty() && id != "all")
    return failure(ErrorCode::NotFound, fmt::format("there is no change '{}'", id),
                   fmt::format("{} changes are listed", all->size()), "lockstep fix --list shows them");
  if (!meant.empty() && meant.front().isTakenBack)
    return failure(ErrorCode::FailedPrecondition, fmt::format("change '{}' is taken back already", id));
  std::reverse(meant.begin(), meant.end());  // what was made later may stand on what was made before
  return meant;
}

Result<void> takeBack(const AppliedChange& change, const SetupOptions& options, GlobalOptions global,
                      const std::stop_token& stop) {
  global.profile = change.profile;
  auto target = setupTarget(options, global, stop);
  if (!target) return failure(target.error());
  const auto step =
      makeSetupStep(change.stepId, std::make_shared<const SetupContext>(std::move(target->setup)));
  if (step == nullptr)
    return failure(ErrorCode::InvalidArgument, fmt::format("cannot take back '{}'", change.title),
                   fmt::format("this version of Lockstep has no step '{}'", change.stepId));
  if (auto done = step->takeBack(change, stop); !done) return done;
  return ChangeJournal().markTakenBack(change.id);
}

}  // namespace

bool isConfirmed(const std::string& question, const std::string& nothingDone) {
  if (::isatty(STDIN_FILENO) != 1) {
    note(nothingDone + ": say --yes where nobody can be asked");
    return false;
  }
  askOnStderr(question + " [y/N] ");
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

int listChanges(bool json) {
  const auto changes = ChangeJournal().changes();
  if (!changes) return failed(changes.error());
  nlohmann::json document = nlohmann::json::array();
  Table table({"id", "when", "profile", "step", "what", ""});
  for (const AppliedChange& change : *changes) {
    document.push_back({{"id", change.id},
                        {"when", toRfc3339(change.when)},
                        {"profile", change.profile},
                        {"step", change.stepId},
                        {"title", change.title},
                        {"takenBack", change.isTakenBack}});
    table.add({change.id, toRfc3339(change.when), change.profile, change.stepId, change.title,
               change.isTakenBack ? "taken back" : ""});
  }
  if (json) {
    printJson(document);
  } else if (changes->empty()) {
    note("nothing was changed by a fix");
  } else {
    printText(table.text());
  }
  return kDone;
}

int undoChanges(const std::string& id, bool yes, const SetupOptions& options, const GlobalOptions& global) {
  const Interrupt interrupt;
  const auto changes = changesMeant(id, global);
  if (!changes) return failed(changes.error());
  if (changes->empty()) note("there is nothing to take back");
  for (const AppliedChange& change : *changes)
    printLine(fmt::format("{}: {} (step {})", change.id, change.title, change.stepId));
  if (!changes->empty() && !yes && !isConfirmed("take this back?", "nothing was taken back"))
    return kCancelled;
  int worst = kDone;  // one that cannot be taken back keeps none of the others
  for (const AppliedChange& change : *changes) {
    const auto done = takeBack(change, options, global, interrupt.token());
    if (done) {
      printLine(fmt::format("took back {}: {}", change.id, change.title));
    } else {
      worst = std::max(worst, failed(done.error()));
    }
    if (interrupt.happened()) return kCancelled;
  }
  return worst;
}

}  // namespace lockstep::cli
