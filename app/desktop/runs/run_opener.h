// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/desktop/runs/run_access.h"
#include "app/desktop/support/background_task.h"

namespace lockstep {

class MainWindow;

/// Finds the run that somebody names or chooses, in the history, a .lockstep file or a folder. UI thread; blocks nothing but in
/// the file dialogs.
class RunOpener : public QObject {
  Q_OBJECT
 public:
  explicit RunOpener(MainWindow* window, QObject* parent = nullptr);
  ~RunOpener() override;

  void setPassPhrases(PassPhrases passPhrases) { passPhrases_ = std::move(passPhrases); }
  /// With which profile a run in a bucket is read; without it the usual one.
  void setProfileSource(std::function<oci::ProfileQuery()> profile) { profile_ = std::move(profile); }
  /// Answers with found() or notFound(). `isAsked`: by a user, who is told on the page of the runs that it is not there.
  void open(const QString& reference, bool isAsked);

 signals:
  /// What the page showed of another run under the same name is gone from it.
  void found(const lockstep::TrainingRun& run);
  void notFound(const lockstep::Error& error);

 private:
  /// `written`: of a run in a file, when that was.
  struct Found {
    TrainingRun run;
    std::optional<std::filesystem::file_time_type> written;
  };
  static Result<Found> find(const std::string& reference, const oci::ProfileQuery& query,
                            const std::stop_token& stop);
  void tell(const Found& found);
  void chooseFile();
  void chooseFolder();

  MainWindow* window_;
  BackgroundTask task_;
  PassPhrases passPhrases_;
  std::function<oci::ProfileQuery()> profile_;
  std::optional<std::filesystem::file_time_type> written_;  // the file whose run was found last
};

}  // namespace lockstep
