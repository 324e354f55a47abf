// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_opener.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include "app/desktop/window/main_window.h"
#include "portable/run_file.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {

RunOpener::RunOpener(MainWindow* window, QObject* parent) : QObject(parent), window_(window) {
  connect(window->runsPage(), &RunsPage::openFileRequested, this, &RunOpener::chooseFile);
  connect(window->runsPage(), &RunsPage::openFolderRequested, this, &RunOpener::chooseFolder);
}

RunOpener::~RunOpener() = default;

void RunOpener::open(const QString& reference, bool isAsked) {
  oci::ProfileQuery query = profile_ ? profile_() : oci::ProfileQuery();
  query.passPhrases = passPhrases_;
  task_.start(
      [text = toStdString(reference), query](const std::stop_token& stop) { return find(text, query, stop); },
      [this, isAsked](const Result<Found>& found) {
        if (found) return tell(*found);
        if (isAsked) window_->runsPage()->showError(found.error());
        emit notFound(found.error());
      });
}

Result<RunOpener::Found> RunOpener::find(const std::string& reference, const oci::ProfileQuery& query,
                                         const std::stop_token& stop) {
  Found found;
  if (namesRunFile(reference)) {
    std::error_code ec;
    const auto written = std::filesystem::last_write_time(runFilePath(reference), ec);
    if (!ec) found.written = written;
  }
  auto run = findOrOpenRun(reference, query, stop);
  if (!run) return failure(std::move(run.error()));
  found.run = *std::move(run);
  return found;
}

// Under the name of the file that is shown another run may have been saved, or the same one later.
void RunOpener::tell(const Found& found) {
  const bool isShown = found.run.id == window_->runPage()->run().id;
  if (isShown && found.written && found.written != written_) window_->runPage()->setRun({});
  written_ = found.written;
  emit this->found(found.run);
}

void RunOpener::chooseFile() {
  const QString file = QFileDialog::getOpenFileName(
      window_, tr("Open the file of a run"), QDir::homePath(),
      tr("Runs in a file (*.lockstep)") + QStringLiteral(";;") + tr("All files (*)"));
  if (!file.isEmpty()) open(QFileInfo(file).absoluteFilePath(), true);
}

void RunOpener::chooseFolder() {
  const QString folder = QFileDialog::getExistingDirectory(
      window_, tr("Open the folder of a run in a work dir"), QDir::homePath());
  if (!folder.isEmpty()) open(folder, true);
}

}  // namespace lockstep
