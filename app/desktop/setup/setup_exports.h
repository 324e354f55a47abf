// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>

#include "app/desktop/support/background_task.h"
#include "setup/journal/report_document.h"

namespace lockstep {

class SetupChecks;
class SetupPage;

/// What goes out of the set-up page: reports, policy statements, and a file that a choice names. UI thread;
/// blocks nothing but in the file dialogs.
class SetupExports : public QObject {
  Q_OBJECT
 public:
  SetupExports(SetupPage* page, SetupChecks* checks, QObject* parent = nullptr);
  ~SetupExports() override;

  void setRegion(const std::string& region) { region_ = region; }
  /// Writes the report to this file.
  void writeReport(const QString& file, bool asHtml);

 signals:
  void finished(bool done);

 private:
  void chooseReportFile(bool asHtml);
  void chooseFile(const std::string& fieldId);
  void copyStatements();
  [[nodiscard]] ReportDocument document() const;

  SetupPage* page_;
  SetupChecks* checks_;
  std::string region_;
  BackgroundTask task_;
};

}  // namespace lockstep
