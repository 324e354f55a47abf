// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <filesystem>
#include <vector>

#include "app/desktop/support/background_task.h"
#include "export/export.h"

namespace lockstep {

class DesignerPage;

struct ExportOutcome {
  std::vector<std::filesystem::path> files;  // the one to read first is the first
  std::vector<std::string> notes;
};

/// From the text of a train.yaml to the files of one export below `folder`. Blocks on disk.
Result<ExportOutcome> exportText(const std::string& text, ExportTarget target,
                                 const std::filesystem::path& folder, bool overwrite);

/// File > Export: asks for the folder, writes in the background, and says what came of it beside the
/// document.
class DesignerExport : public QObject {
  Q_OBJECT
 public:
  explicit DesignerExport(DesignerPage* page, QObject* parent = nullptr);

  /// Writes what the designer shows below this folder.
  void exportTo(ExportTarget target, const QString& folder, bool overwrite);

 signals:
  void finished(bool done);

 private:
  void chooseFolder(ExportTarget target);
  void tell(ExportTarget target, const QString& folder, const Result<ExportOutcome>& outcome);
  void offerOverwrite(ExportTarget target, const QString& folder, const Error& error);

  DesignerPage* page_;
  BackgroundTask task_;
  QString lastFolder_;
};

}  // namespace lockstep
