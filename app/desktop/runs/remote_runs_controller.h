// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/desktop/runs/run_access.h"
#include "app/desktop/support/background_task.h"
#include "launch/remote/remote_runs.h"
#include "oci/signing/profile.h"

namespace lockstep {

class MainWindow;
class RemoteRunsDialog;

/// Finds the jobs of the tenancy, and takes up those that are asked for. UI thread; blocks nothing.
class RemoteRunsController : public QObject {
  Q_OBJECT
 public:
  explicit RemoteRunsController(MainWindow* window, QObject* parent = nullptr);
  ~RemoteRunsController() override;

  /// With whose rights is looked.
  void setProfileSource(std::function<oci::ProfileQuery()> profile) { profile_ = std::move(profile); }
  void setPassPhrases(PassPhrases passPhrases) { passPhrases_ = std::move(passPhrases); }
  /// Shows the window of it, and looks.
  void show();

 signals:
  /// Runs stand in the history that did not.
  void added();
  /// The page of this run of the history is wanted.
  void openRequested(const lockstep::RunId& id);

 private:
  struct Found {
    RemoteRuns runs;
    std::map<std::string, RunId> known;  // runs of the history, by the OCID of their job
  };
  struct Taken {
    std::vector<std::pair<JobId, RunId>> runs;
    std::optional<Error> problem;  // why there are not more
  };
  static Result<Found> find(const oci::ProfileQuery& query, const BackgroundTask::Post& post,
                            RemoteRunsController* self, const std::stop_token& stop);
  static Taken take(const oci::ProfileQuery& query, const std::vector<JobId>& jobs,
                    const std::stop_token& stop);
  void makeDialog();
  void look();
  void takeUp(const std::vector<JobId>& jobs, bool andOpen);
  void finishTaking(const Taken& taken, bool andOpen);
  [[nodiscard]] oci::ProfileQuery query() const;

  MainWindow* window_;
  RemoteRunsDialog* dialog_ = nullptr;  // of the window, once it was wanted
  BackgroundTask lookTask_, takeTask_;
  std::function<oci::ProfileQuery()> profile_;
  PassPhrases passPhrases_;
};

}  // namespace lockstep
