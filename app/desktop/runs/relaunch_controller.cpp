// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/relaunch_controller.h"

#include "app/desktop/runs/launch_progress_text.h"
#include "app/desktop/window/main_window.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/runs/changes_dialog.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {

RelaunchController::RelaunchController(MainWindow* window, QObject* parent)
    : QObject(parent), window_(window) {
  const auto relaunchIt = [this](const RunId& id) { relaunch(id); };
  connect(window->runsPage(), &RunsPage::relaunchRequested, this, relaunchIt);
  connect(window->runPage(), &RunPage::relaunchRequested, this, relaunchIt);
  connect(window->runsPage(), &RunsPage::changedRelaunchRequested, this, &RelaunchController::askForChanges);
  connect(window->runPage(), &RunPage::changedRelaunchRequested, this, &RelaunchController::askForChanges);
  connect(&task_, &BackgroundTask::failed, this, [this](const Error& error) { finish(id_, failure(error)); });
}

void RelaunchController::relaunch(const RunId& id, const std::vector<LaunchChange>& changes) {
  if (isRunning()) return;
  id_ = id;
  setRunning(true);
  task_.run([this, id, changes, passPhrases = passPhrases_](const std::stop_token& stop,
                                                            const BackgroundTask::Post& post) {
    const auto progress = [this, &post](const LaunchProgress& p) {
      post([this, p] { window_->showNote(tr("Launching: %1").arg(launchProgressText(p))); });
    };
    const auto run = findRun(id.value);
    const auto done = run ? lockstep::relaunch(*run, changes, passPhrases, progress, stop)
                          : Result<Relaunched>(failure(run.error()));
    post([this, id, done] { finish(id, done); });
  });
}

void RelaunchController::askForChanges(const RunId& id) {
  if (isRunning()) return;
  findTask_.start([id](const std::stop_token&) { return findRun(id.value); },
                  [this, id](const Result<TrainingRun>& run) { ask(id, run); });
}

void RelaunchController::ask(const RunId& id, const Result<TrainingRun>& run) {
  if (!run) return showError(id, run.error());
  const auto plan = planRelaunch(*run, {});
  if (!plan) return showError(id, plan.error());
  auto* dialog = new ChangesDialog(*run, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, id, dialog] { relaunch(id, dialog->changes()); });
  dialog->open();
}

void RelaunchController::setRunning(bool isRunning) {
  window_->runPage()->setRelaunching(isRunning);
  window_->runsPage()->setRelaunching(isRunning);
}

void RelaunchController::showError(const RunId& id, const Error& error) {
  const bool isOpen = id == window_->runPage()->run().id && window_->page() == Page::Run;
  isOpen ? window_->runPage()->showError(error) : window_->runsPage()->showError(error);
}

void RelaunchController::finish(const RunId& id, const Result<Relaunched>& done) {
  setRunning(false);
  if (done) {
    emit launched(done->run);
    const QString file = toQString(done->run.trainFile);
    if (done->file == TrainFileNow::Changed)
      window_->runPage()->showMessage(tr("Launched from the text of then"),
                                      tr("“%1” has changed since; what it says now is not used.").arg(file));
    if (done->file == TrainFileNow::Gone)
      window_->runPage()->showMessage(tr("Launched from the text of then"),
                                      tr("“%1” is not there any more.").arg(file));
  } else {
    showError(id, done.error());
    emit failed();
  }
  emit ended();
}

}  // namespace lockstep
