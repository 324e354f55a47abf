// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/setup/setup_exports.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileDialog>
#include <QPushButton>
#include <QUrl>

#include "app/desktop/setup/setup_checks.h"
#include "base/atomic_file.h"
#include "base/user_dirs.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/setup/setup_page.h"

namespace lockstep {
namespace {

constexpr mode_t kOwnerOnly = 0600;

bool isStatement(const QString& text) {
  for (const char* word : {"allow ", "define ", "endorse ", "admit ", "deny "})
    if (text.startsWith(QLatin1String(word), Qt::CaseInsensitive)) return true;
  return false;
}

/// What the policies' check says is missing, line by line as it would stand in a policy; when nothing is
/// missing, what is needed.
QStringList statementsIn(const StepReport& report) {
  QStringList missing, needed;
  const auto add = [](QStringList& to, const std::string& text) {
    const QString statement = toQString(text).trimmed();
    if (isStatement(statement) && !to.contains(statement)) to << statement;
  };
  for (const ReportTable& table : report.tables)
    for (const auto& row : table.rows)
      for (const ReportTable::Cell& cell : row) {
        if (table.columns.size() == 1) add(missing, cell.text);  // the table that is made for copying
        add(needed, cell.detail);
      }
  return missing.isEmpty() ? needed : missing;
}

}  // namespace

SetupExports::SetupExports(SetupPage* page, SetupChecks* checks, QObject* parent)
    : QObject(parent), page_(page), checks_(checks) {
  connect(page, &SetupPage::reportRequested, this, &SetupExports::chooseReportFile);
  connect(page, &SetupPage::fileWanted, this, &SetupExports::chooseFile);
  connect(page, &SetupPage::statementsRequested, this, &SetupExports::copyStatements);
}

SetupExports::~SetupExports() = default;

ReportDocument SetupExports::document() const {
  ReportDocument document;
  document.profile = checks_->query().profile;
  document.region = region_;
  document.checkedAt = checks_->checkedAt().value_or(SystemClock().now());
  const StepsModel* steps = page_->stepsModel();
  for (int row = 0; row < steps->rowCount(); ++row)
    document.steps.emplace_back(steps->step(row).id, steps->step(row).report);
  return document;
}

void SetupExports::chooseReportFile(bool asHtml) {
  const QString name = QStringLiteral("/lockstep-setup.") + (asHtml ? "html" : "txt");
  const QString file = QFileDialog::getSaveFileName(
      page_, tr("Write the report"), toQString(homeDir().string()) + name,
      asHtml ? tr("Web pages (*.html);;All files (*)") : tr("Text (*.txt);;All files (*)"));
  if (!file.isEmpty()) writeReport(file, asHtml);
}

void SetupExports::writeReport(const QString& file, bool asHtml) {
  task_.start(
      [document = document(), path = std::filesystem::path(toStdString(file)),
       asHtml](const std::stop_token&) {
        return writeFileAtomically(path, asHtml ? reportHtml(document) : reportText(document), kOwnerOnly);
      },
      [this, file](const Result<void>& done) {
        if (!done) {
          page_->showError(done.error());
        } else {
          page_->messageBar()->showMessage(
              Severity::Info, tr("The report is written"),
              tr("%1. Tokens, keys and the middle of OCIDs are left out of it.").arg(file));
          QPushButton* open = page_->messageBar()->addButton(tr("Open it"));
          connect(open, &QPushButton::clicked, this,
                  [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
        }
        emit finished(done.has_value());
      });
}

void SetupExports::chooseFile(const std::string& fieldId) {
  const QString file =
      QFileDialog::getOpenFileName(page_, tr("Choose a file"), toQString(homeDir().string()));
  if (!file.isEmpty()) page_->setField(fieldId, file);
}

void SetupExports::copyStatements() {
  const StepsModel* steps = page_->stepsModel();
  const int row = steps->rowOf("policies");
  const QStringList statements = row < 0 ? QStringList() : statementsIn(steps->step(row).report);
  if (statements.isEmpty()) {
    page_->messageBar()->showMessage(Severity::Info, tr("There are no statements to copy yet"),
                                     tr("Check the step “%1” first.").arg(stepTitle("policies")));
    return;
  }
  QApplication::clipboard()->setText(statements.join(QLatin1Char('\n')));
  page_->messageBar()->showMessage(
      Severity::Info, tr("%Ln statement(s) copied", "", static_cast<int>(statements.size())),
      tr("Paste them into a policy of the tenancy, or hand them to whoever administers it."));
}

}  // namespace lockstep
