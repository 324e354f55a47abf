// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/support/background_task.h"
#include "setup/journal/change_journal.h"
#include "setup/steps/setup_steps.h"
#include "widgets/setup/fix_series_panel.h"

namespace lockstep {

class SetupChecks;
class SetupPage;

/// What became of a fix.
struct FixOutcome {
  std::vector<AppliedChange> changes;
  std::optional<Error> problem;  // the fix failed, or it is done and could not be written down
};
/// Applies a fix and writes its changes into the journal. Blocks on the network and on disk.
[[nodiscard]] FixOutcome applyFix(const std::string& stepId, const std::string& profile,
                                  const ProposedFix& fix, ChangeJournal& journal,
                                  const std::stop_token& stop);
/// What became of several.
struct SeriesOutcome {
  std::size_t done = 0;  // of those that were listed
  std::vector<AppliedChange> changes;
  std::vector<std::string> steps;  // of which something may be different now
  std::optional<Error> problem;    // of the one at which it ended
};
using SeriesProgress = std::function<void(std::size_t done, const FixOfStep& doing)>;
/// Applies them one after the other, up to the first that fails. A second fix of one step, and one that waits
/// for another, is what the step proposes by then: it is done only when that is what was listed. Blocks
/// likewise.
[[nodiscard]] SeriesOutcome applySeries(const std::vector<FixOfStep>& fixes, const SetupContext::Setup& setup,
                                        ChangeJournal& journal, const SeriesProgress& progress,
                                        const std::stop_token& stop);
/// Takes a change back with the profile that made it, else as `setup` says, and notes so in the journal.
/// Blocks likewise.
[[nodiscard]] Result<void> takeChangeBack(const AppliedChange& change, SetupContext::Setup setup,
                                          ChangeJournal& journal, const std::stop_token& stop);

/// Applies what the user has seen, lists what was changed, and takes it back. One at a time; UI thread.
class SetupFixes : public QObject {
  Q_OBJECT
 public:
  SetupFixes(SetupPage* page, SetupChecks* checks, QObject* parent = nullptr);
  ~SetupFixes() override;

  /// Reads the journal again: the command line writes into it, too.
  void refreshJournal();
  void apply(const std::string& stepId, const std::string& fixId);
  void applyAll(const std::vector<FixOfStep>& fixes);
  void takeBack(const std::string& changeId);
  [[nodiscard]] bool isBusy() const { return applyTask_.isRunning() || takeBackTask_.isRunning(); }

 signals:
  /// Something of the step was changed; it is to be checked again.
  void applied(const std::string& stepId);
  void appliedAll(const std::vector<std::string>& stepIds);
  void takenBack(const std::string& stepId);

 private:
  void finishApply(const std::string& stepId, const QString& title, const FixOutcome& outcome);
  void finishApplyAll(std::size_t wanted, const SeriesOutcome& outcome);
  void showDone(const QString& title, const std::vector<AppliedChange>& changes);
  void finishTakeBack(const AppliedChange& change, const Result<void>& done);

  SetupPage* page_;
  SetupChecks* checks_;
  std::vector<AppliedChange> changes_;
  BackgroundTask applyTask_, takeBackTask_, journalTask_;
};

}  // namespace lockstep
