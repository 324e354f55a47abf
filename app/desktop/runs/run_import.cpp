// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_import.h"

#include <unistd.h>

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <chrono>
#include <string_view>

#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "history/imported_runs.h"
#include "launch/run_services.h"
#include "portable/imports/import_run.h"
#include "portable/run_file.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/runs/file_bar.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
constexpr qsizetype kMostOddities = 6;  // that are said
constexpr std::string_view kFileForAWhile = ".importing-window-";

/// What a window has left there that was killed while it imported. No import takes a day.
void removeLeftovers() {
  std::error_code ec;
  for (const fs::directory_entry& entry : fs::directory_iterator(importedRunsFolder(), ec)) {
    // The writer's own temporary file has another dot before it.
    if (entry.path().filename().string().find(kFileForAWhile) > 1) continue;
    std::error_code ignored;
    const auto written = entry.last_write_time(ignored);
    if (!ignored && fs::file_time_type::clock::now() - written > std::chrono::hours(24))
      fs::remove(entry.path(), ignored);
  }
}

/// By way of a file, which is gone afterwards.
Result<TrainingRun> intoHistory(const ImportedRun& run, RunStore& store, const std::stop_token& stop) {
  if (const int reason = makePrivateFolder(importedRunsFolder()); reason != 0)
    return failure(errnoError("cannot make the folder '" + importedRunsFolder().string() + "'", reason));
  const fs::path file = importedRunsFolder() / (std::string(kFileForAWhile) + std::to_string(::getpid()));
  auto saved = saveImportedRun(run, file, stop);
  auto known = saved ? importRunFile(file, store, stop) : Result<TrainingRun>(failure(saved.error()));
  std::error_code ec;
  fs::remove(file, ec);
  return known;
}

}  // namespace

RunImport::RunImport(MainWindow* window, QObject* parent) : QObject(parent), window_(window) {
  RunsPage* page = window->runsPage();
  connect(page, &RunsPage::importFileRequested, this, &RunImport::chooseFile);
  connect(page, &RunsPage::importFolderRequested, this, &RunImport::chooseFolder);
  connect(page->fileBar(), &FileBar::cancelRequested, this, [this] { stop_.request_stop(); });
  connect(&task_, &BackgroundTask::failed, this, [this](const Error& error) { finish({{}, error}); });
}

RunImport::~RunImport() = default;

void RunImport::chooseFile() {
  const QString file = QFileDialog::getOpenFileName(
      window_, tr("Import runs from a file"), QDir::homePath(),
      tr("Runs of any kind (*.lockstep *.csv *tfevents*)") + QStringLiteral(";;") + tr("All files (*)"));
  if (!file.isEmpty()) take(file);
}

void RunImport::chooseFolder() {
  const QString folder = QFileDialog::getExistingDirectory(
      window_, tr("Import the runs of a folder of TensorBoard"), QDir::homePath());
  if (!folder.isEmpty()) take(folder);
}

void RunImport::take(const QString& path) {
  if (isRunning()) return;
  stop_ = std::stop_source();
  window_->runsPage()->fileBar()->begin(
      tr("Importing %1").arg(toShownLine(toStdString(QFileInfo(path).fileName()))));
  task_.run([this, path = toStdString(path), own = stop_](const std::stop_token& stop,
                                                          const BackgroundTask::Post& post) {
    auto asked = own;
    const std::stop_callback whenLetGo(stop, [&asked] { asked.request_stop(); });
    const Tell tell = [&](double share, const QString& details) {
      post([this, share, details] { window_->runsPage()->fileBar()->setProgress(share, details); });
    };
    const Taken taken = takeAll(path, tell, asked.get_token());
    post([this, taken] { finish(taken); });
  });
}

RunImport::Taken RunImport::takeAll(const std::string& path, const Tell& tell, const std::stop_token& stop) {
  Taken taken;
  removeLeftovers();
  auto store = openRunStore();
  if (!store) {
    taken.problem = store.error();
  } else if (namesRunFile(path)) {
    auto run = importRunFile(runFilePath(path), **store, stop);
    if (run)
      taken.runs.push_back({*std::move(run), true, 0, {}});
    else
      taken.problem = run.error();
  } else if (auto done = takeForeign(path, **store, tell, stop, taken); !done) {
    taken.problem = done.error();
  }
  return taken;
}

Result<void> RunImport::takeForeign(const std::string& path, RunStore& store, const Tell& tell,
                                    const std::stop_token& stop, Taken& taken) {
  const auto runs = readForeignRuns(
      path,
      [&, shown = -1.0](std::uint64_t read, std::uint64_t of) mutable {
        // Half of the work; each percent once.
        const double share = of == 0 ? 0 : 0.5 * static_cast<double>(read) / static_cast<double>(of);
        if (share - shown < 0.01) return;
        shown = share;
        tell(share, {});
      },
      stop);
  if (!runs) return failure(runs.error());
  for (const ImportedRun& one : *runs) {
    tell(0.5 + 0.5 * static_cast<double>(taken.runs.size()) / static_cast<double>(runs->size()),
         toShownLine(one.name));
    auto run = intoHistory(one, store, stop);
    if (!run) return failure(std::move(run.error()));
    taken.runs.push_back({*std::move(run), one.hasTimes, one.passedOver, one.otherSteps});
  }
  return {};
}

QStringList RunImport::oddities(const Come& one) {
  const QString name = toShownLine(one.run.name);
  QStringList texts;
  if (!one.hasTimes)
    texts << tr("%1: nothing says when it was recorded; its times only say what came first.").arg(name);
  if (one.passedOver > 0)
    texts << tr("%1: passed over, since they are no samples: %2")
                 .arg(name, QLocale().toString(static_cast<qulonglong>(one.passedOver)));
  for (const std::string& metric : one.otherSteps)
    texts << tr("%1: %2 is counted in other steps; it stands where it was recorded.")
                 .arg(name, toShownLine(metric));
  return texts;
}

void RunImport::finish(const Taken& taken) {
  window_->runsPage()->fileBar()->end();
  if (!taken.runs.empty()) showTaken(taken.runs);
  if (taken.problem) {
    Error problem = *taken.problem;
    if (problem.code == ErrorCode::Cancelled)
      problem.cause = toStdString(tr("you cancelled it; runs that came before stay in the list"));
    window_->runsPage()->showError(problem);
  }
  emit finished(!taken.problem);
}

void RunImport::showTaken(const std::vector<Come>& runs) {
  RunsPage* page = window_->runsPage();
  QStringList texts;
  for (const Come& one : runs) {
    page->updateRun(one.run);
    texts += oddities(one);
  }
  page->select(runs.front().run.id);
  if (texts.size() > kMostOddities) texts = texts.mid(0, kMostOddities) << QStringLiteral("…");
  page->showMessage(tr("Imported %Ln run(s)", nullptr, static_cast<int>(runs.size())),
                    texts.join(QLatin1Char('\n')));
  emit added();
}

}  // namespace lockstep
