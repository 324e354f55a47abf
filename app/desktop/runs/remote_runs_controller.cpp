// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/remote_runs_controller.h"

#include "app/desktop/window/main_window.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/runs/remote/remote_runs_dialog.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {

RemoteRunsController::RemoteRunsController(MainWindow* window, QObject* parent)
    : QObject(parent), window_(window) {
  connect(window->runsPage(), &RunsPage::remoteRequested, this, &RemoteRunsController::show);
}

RemoteRunsController::~RemoteRunsController() = default;

void RemoteRunsController::makeDialog() {
  dialog_ = new RemoteRunsDialog(window_);
  connect(dialog_, &RemoteRunsDialog::lookRequested, this, &RemoteRunsController::look);
  connect(dialog_, &RemoteRunsDialog::takeUpRequested, this, &RemoteRunsController::takeUp);
  connect(dialog_, &RemoteRunsDialog::openRequested, this, [this](const RunId& id) {
    dialog_->hide();
    emit openRequested(id);
  });
  connect(dialog_, &QDialog::rejected, &lookTask_, &BackgroundTask::cancel);
  connect(&lookTask_, &BackgroundTask::failed, dialog_, &RemoteRunsDialog::showError);
}

void RemoteRunsController::show() {
  if (dialog_ == nullptr) makeDialog();
  dialog_->show();
  dialog_->raise();
  dialog_->activateWindow();
  look();
}

oci::ProfileQuery RemoteRunsController::query() const {
  oci::ProfileQuery query = profile_ ? profile_() : oci::ProfileQuery();
  query.passPhrases = passPhrases_;
  return query;
}

void RemoteRunsController::look() {
  dialog_->setLooking(0, 0);
  lookTask_.run([this, query = query()](const std::stop_token& stop, const BackgroundTask::Post& post) {
    auto found = std::make_shared<Result<Found>>(find(query, post, this, stop));
    post([this, found] {
      if (*found)
        dialog_->setRuns(std::move((*found)->runs), std::move((*found)->known));
      else
        dialog_->showError(found->error());
    });
  });
}

// `self` is only named in what is posted, which is run while it lives.
Result<RemoteRunsController::Found> RemoteRunsController::find(const oci::ProfileQuery& query,
                                                               const BackgroundTask::Post& post,
                                                               RemoteRunsController* self,
                                                               const std::stop_token& stop) {
  auto store = openRunStore();
  if (!store) return failure(std::move(store.error()));
  auto services = RunServices::open(query, *store, RunServices::kOneLookAttempts);
  if (!services) return failure(std::move(services.error()));
  const QString place = QStringLiteral("%1 · %2").arg(toShownLine(services->profile().name),
                                                      toShownLine(services->profile().region));
  post([self, place] { self->dialog_->setPlace(place); });
  RemoteSearch search;
  search.onProgress = [&post, self](std::size_t done, std::size_t of) {
    post([self, done, of] { self->dialog_->setLooking(done, of); });
  };
  Found found;
  auto runs = remoteRuns(*services, std::move(search), stop);
  if (!runs) return failure(std::move(runs.error()));
  found.runs = *std::move(runs);
  const auto known = (*store)->all();
  if (!known) return failure(known.error());
  for (const TrainingRun& run : *known)
    if (!run.jobId.empty()) found.known.emplace(run.jobId.value, run.id);
  return found;
}

void RemoteRunsController::takeUp(const std::vector<JobId>& jobs, bool andOpen) {
  dialog_->setTakingUp(true);
  takeTask_.start([query = query(), jobs](const std::stop_token& stop) { return take(query, jobs, stop); },
                  [this, andOpen](const Taken& taken) { finishTaking(taken, andOpen); });
}

RemoteRunsController::Taken RemoteRunsController::take(const oci::ProfileQuery& query,
                                                       const std::vector<JobId>& jobs,
                                                       const std::stop_token& stop) {
  Taken taken;
  auto store = openRunStore();
  auto services = store ? RunServices::open(query, *store, RunServices::kOneLookAttempts)
                        : Result<RunServices>(failure(store.error()));
  if (!services) {
    taken.problem = services.error();
    return taken;
  }
  for (const JobId& job : jobs) {
    if (stop.stop_requested()) break;
    if (auto run = lockstep::takeUp(*services, **store, job, {}, stop))
      taken.runs.emplace_back(job, run->id);
    else
      taken.problem = run.error();
  }
  return taken;
}

void RemoteRunsController::finishTaking(const Taken& taken, bool andOpen) {
  dialog_->setTakingUp(false);
  for (const auto& [job, run] : taken.runs) dialog_->setKnown(job, run);
  if (taken.problem) dialog_->showError(*taken.problem);
  if (taken.runs.empty()) return;
  emit added();
  if (!andOpen) return;
  dialog_->hide();
  emit openRequested(taken.runs.front().second);
}

}  // namespace lockstep
