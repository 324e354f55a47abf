// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/designer_export.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QUrl>

#include "base/user_dirs.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {

Result<ExportOutcome> exportText(const std::string& text, ExportTarget target,
                                 const std::filesystem::path& folder, bool overwrite) {
  const ClusterDocument document(text);
  PlanOptions options;
  options.draft = true;  // ids that are still placeholders stand in no exported command that runs here
  const auto plan = makePlan(document, options);
  if (!plan) return failure(plan.error());
  auto bundle = exportCluster(target, {document, *plan});
  if (!bundle) return failure(bundle.error());
  auto files = writeBundle(*bundle, folder, overwrite);
  if (!files) return failure(files.error());
  return ExportOutcome{*std::move(files), std::move(bundle->notes)};
}

DesignerExport::DesignerExport(DesignerPage* page, QObject* parent) : QObject(parent), page_(page) {
  page_->setExportTargets(exportTargets());
  connect(page_, &DesignerPage::exportRequested, this, &DesignerExport::chooseFolder);
}

void DesignerExport::chooseFolder(ExportTarget target) {
  const QString file = page_->cluster()->path();
  const QString near = !lastFolder_.isEmpty() ? lastFolder_
                       : file.isEmpty()       ? toQString(homeDir().string())
                                              : QFileInfo(file).absolutePath();
  const QString folder =
      QFileDialog::getExistingDirectory(page_, tr("Write the export into this folder"), near);
  if (!folder.isEmpty()) exportTo(target, folder, false);
}

void DesignerExport::exportTo(ExportTarget target, const QString& folder, bool overwrite) {
  lastFolder_ = folder;
  page_->messageBar()->clear();
  task_.start(
      [text = page_->cluster()->text(), target, path = std::filesystem::path(toStdString(folder)),
       overwrite](const std::stop_token&) { return exportText(text, target, path, overwrite); },
      [this, target, folder](const Result<ExportOutcome>& outcome) { tell(target, folder, outcome); });
}

void DesignerExport::tell(ExportTarget target, const QString& folder, const Result<ExportOutcome>& outcome) {
  if (!outcome) {
    if (outcome.error().code == ErrorCode::AlreadyExists) {
      offerOverwrite(target, folder, outcome.error());
    } else {
      page_->showError(outcome.error());
    }
    return emit finished(false);
  }
  QStringList notes;
  for (const std::string& note : outcome->notes) notes += toQString(note);
  page_->showMessage(Severity::Info,
                     tr("%Ln file(s) written to %1", "", static_cast<int>(outcome->files.size())).arg(folder),
                     notes.join(QLatin1Char('\n')));
  QPushButton* open = page_->messageBar()->addButton(tr("Open the folder"));
  connect(open, &QPushButton::clicked, this,
          [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
  emit finished(true);
}

void DesignerExport::offerOverwrite(ExportTarget target, const QString& folder, const Error& error) {
  page_->messageBar()->showError(error, Severity::Warning);
  QPushButton* overwrite = page_->messageBar()->addButton(tr("Overwrite"));
  connect(overwrite, &QPushButton::clicked, this, [this, target, folder] { exportTo(target, folder, true); });
}

}  // namespace lockstep
