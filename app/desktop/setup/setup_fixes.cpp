// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/setup/setup_fixes.h"

#include <QPushButton>
#include <algorithm>

#include "app/desktop/setup/setup_checks.h"
#include "setup/step/setup_facts.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/setup/setup_page.h"

namespace lockstep {

FixOutcome applyFix(const std::string& stepId, const std::string& profile, const ProposedFix& fix,
                    ChangeJournal& journal, const std::stop_token& stop) {
  FixOutcome outcome;
  auto made = fix.apply(stop);
  if (!made) {
    outcome.problem = made.error();
    return outcome;
  }
  for (AppliedChange& change : *made) {
    if (change.stepId.empty()) change.stepId = stepId;
    if (change.profile.empty()) change.profile = profile;
    if (change.when == TimePoint{}) change.when = SystemClock().now();
  }
  outcome.changes = *made;
  auto kept = journal.add(std::move(*made));
  if (!kept) {
    outcome.problem = kept.error();
  } else {
    outcome.changes = std::move(*kept);
  }
  return outcome;
}

namespace {

/// The fix as its step proposes it now; nothing when that is another one than the listed, or one that still
/// waits for something.
std::optional<ProposedFix> proposedNow(const FixOfStep& listed, const SetupContext::Setup& setup,
                                       const std::stop_token& stop) {
  const auto step = makeSetupStep(listed.stepId, std::make_shared<const SetupContext>(setup));
  if (!step) return std::nullopt;
  const StepReport report = step->check(stop);
  for (const ProposedFix& fix : report.fixes)
    if (fix.id == listed.fix.id && fix.title == listed.fix.title && fix.calls == listed.fix.calls &&
        fix.waitsFor.empty())
      return fix;
  return std::nullopt;
}

}  // namespace

SeriesOutcome applySeries(const std::vector<FixOfStep>& fixes, const SetupContext::Setup& setup,
                          ChangeJournal& journal, const SeriesProgress& progress,
                          const std::stop_token& stop) {
  SeriesOutcome outcome;
  for (const FixOfStep& one : fixes) {
    if (stop.stop_requested()) break;
    progress(outcome.done, one);
    const bool isSecond = !outcome.steps.empty() && outcome.steps.back() == one.stepId;
    const bool isLater = isSecond || !one.fix.waitsFor.empty();
    const auto fix = isLater ? proposedNow(one, setup, stop) : std::optional(one.fix);
    if (!fix || !fix->apply) continue;
    if (!isSecond) outcome.steps.push_back(one.stepId);
    FixOutcome made = applyFix(one.stepId, setup.query.profile, *fix, journal, stop);
    outcome.changes.insert(outcome.changes.end(), made.changes.begin(), made.changes.end());
    if ((outcome.problem = std::move(made.problem))) break;
    ++outcome.done;
  }
  return outcome;
}

Result<void> takeChangeBack(const AppliedChange& change, SetupContext::Setup setup, ChangeJournal& journal,
                            const std::stop_token& stop) {
  if (!change.profile.empty()) setup.query.profile = change.profile;
  const auto step = makeSetupStep(change.stepId, std::make_shared<const SetupContext>(std::move(setup)));
  if (!step) {
    return failure(ErrorCode::InvalidArgument, "cannot take back '" + change.title + "'",
                   "there is no step '" + change.stepId + "'",
                   "another version of Lockstep made this change");
  }
  if (const auto done = step->takeBack(change, stop); !done) return done;
  return journal.markTakenBack(change.id);
}

SetupFixes::SetupFixes(SetupPage* page, SetupChecks* checks, QObject* parent)
    : QObject(parent), page_(page), checks_(checks) {
  connect(page, &SetupPage::applyRequested, this, &SetupFixes::apply);
  connect(page, &SetupPage::applyAllRequested, this, &SetupFixes::applyAll);
  connect(page, &SetupPage::takeBackRequested, this, &SetupFixes::takeBack);
}

SetupFixes::~SetupFixes() = default;

void SetupFixes::refreshJournal() {
  journalTask_.start([](const std::stop_token&) { return ChangeJournal().changes(); },
                     [this](const Result<std::vector<AppliedChange>>& changes) {
                       if (!changes)
                         return page_->messageBar()->showError(changes.error(), Severity::Warning);
                       changes_ = *changes;
                       page_->setChanges(changes_);
                     });
}

void SetupFixes::apply(const std::string& stepId, const std::string& fixId) {
  const ProposedFix* fix = page_->stepsModel()->fix(stepId, fixId);
  if (isBusy() || !fix || !fix->apply) return;
  page_->messageBar()->clear();
  page_->setApplying(stepId, fixId);
  applyTask_.start(
      [stepId, fix = *fix, profile = checks_->query().profile](const std::stop_token& stop) {
        ChangeJournal journal;
        return applyFix(stepId, profile, fix, journal, stop);
      },
      [this, stepId, title = asSentence(fix->title)](const FixOutcome& outcome) {
        finishApply(stepId, title, outcome);
      });
}

void SetupFixes::finishApply(const std::string& stepId, const QString& title, const FixOutcome& outcome) {
  page_->setApplying({}, {});
  refreshJournal();
  if (outcome.problem) {
    page_->showError(*outcome.problem);
  } else {
    showDone(tr("Done: %1").arg(title), outcome.changes);
  }
  // Also after a failure: some of it may be done, and what was shown is not how things are any more.
  emit applied(stepId);
}

void SetupFixes::showDone(const QString& title, const std::vector<AppliedChange>& changes) {
  QStringList made;
  for (const AppliedChange& change : changes) made << asSentence(change.title);
  page_->messageBar()->showMessage(Severity::Info, title, made.join(QLatin1Char('\n')));
  QPushButton* list = page_->messageBar()->addButton(tr("Show the changes"));
  connect(list, &QPushButton::clicked, page_, &SetupPage::showChanges);
}

void SetupFixes::applyAll(const std::vector<FixOfStep>& fixes) {
  if (isBusy() || fixes.empty()) return;
  page_->messageBar()->clear();
  page_->setApplyingAll(tr("Applying …"));
  applyTask_.run([this, fixes, setup = checks_->contextSetup()](const std::stop_token& stop,
                                                                const BackgroundTask::Post& post) {
    ChangeJournal journal;
    const auto progress = [&](std::size_t done, const FixOfStep& doing) {
      const QString text = tr("%1 of %2: %3").arg(done + 1).arg(fixes.size()).arg(stepTitle(doing.stepId));
      post([this, text] { page_->setApplyingAll(text); });
    };
    SeriesOutcome outcome = applySeries(fixes, setup, journal, progress, stop);
    post([this, wanted = fixes.size(), outcome = std::move(outcome)] { finishApplyAll(wanted, outcome); });
  });
}

void SetupFixes::finishApplyAll(std::size_t wanted, const SeriesOutcome& outcome) {
  page_->setApplyingAll({});
  refreshJournal();
  const QString count = tr("%1 of %2 changes made").arg(outcome.done).arg(wanted);
  if (outcome.problem) {
    Error error = *outcome.problem;
    error.what += toStdString(QStringLiteral("; ") + count);
    page_->showError(error);
  } else {
    showDone(count, outcome.changes);
  }
  emit appliedAll(outcome.steps);
}

void SetupFixes::takeBack(const std::string& changeId) {
  const auto change = std::find_if(changes_.begin(), changes_.end(),
                                   [&](const AppliedChange& c) { return c.id == changeId; });
  if (isBusy() || change == changes_.end() || change->isTakenBack) return;
  page_->messageBar()->clear();
  page_->setTakingBack(changeId);
  takeBackTask_.start(
      [change = *change, setup = checks_->contextSetup()](const std::stop_token& stop) {
        ChangeJournal journal;
        return takeChangeBack(change, setup, journal, stop);
      },
      [this, change = *change](const Result<void>& done) { finishTakeBack(change, done); });
}

void SetupFixes::finishTakeBack(const AppliedChange& change, const Result<void>& done) {
  page_->setTakingBack({});
  refreshJournal();
  if (!done) {
    page_->showError(done.error());
  } else {
    page_->messageBar()->showMessage(Severity::Info, tr("Taken back: %1").arg(asSentence(change.title)));
    checks_->choose(withoutMade(checks_->choices(), change), {});
  }
  emit takenBack(change.stepId);
}

}  // namespace lockstep
