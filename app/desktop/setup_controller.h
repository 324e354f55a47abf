// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <functional>
#include <map>
#include <memory>

#include "app/desktop/background_task.h"
#include "app/desktop/profiles.h"
#include "launch/rehearsal_control.h"
#include "setup/setup_step.h"

namespace lockstep {

class MainWindow;
class Settings;

/// Which profile is used, whether it works, and the rehearsal region. UI thread; blocks nothing.
class SetupController : public QObject {
  Q_OBJECT
 public:
  /// `override`: what the command line says; it is used but not remembered.
  SetupController(MainWindow* window, Settings* settings, oci::ProfileQuery override,
                  QObject* parent = nullptr);
  ~SetupController() override;

  /// Reads the profiles. With `startsRegion`, a machine without any profile and a profile of the rehearsal
  /// region get the region started. Answers with ready().
  void start(bool startsRegion);
  [[nodiscard]] const ProfileList& profiles() const { return profiles_; }
  [[nodiscard]] const oci::ProfileQuery& query() const { return profiles_.chosen; }
  [[nodiscard]] bool isReady() const { return ready_; }
  /// Whether no check is under way.
  [[nodiscard]] bool isSettled() const;
  /// Where the pass phrases of encrypted keys come from. Before start().
  void setPassPhrases(std::shared_ptr<oci::PassPhraseSource> passPhrases) {
    passPhrases_ = std::move(passPhrases);
  }
  /// Where the bucket check looks: the work dir of the cluster in the designer.
  void setWorkDirSource(std::function<std::string()> workDir) { workDir_ = std::move(workDir); }

 public slots:
  void checkAll();
  void startRehearsal();

 signals:
  /// The profile is known, and its region, if it is one of ours, runs (or said why not).
  void ready();
  /// Another profile stands in the settings.
  void profileChanged();

 private:
  [[nodiscard]] oci::ProfileQuery wanted() const;
  void read(bool startsRegion);
  void show(const ProfileList& list);
  void choose(const QString& profile);
  void runRegion(bool isFirstStart);
  void finishRegion(bool isFirstStart, const Result<RehearsalInfo>& region);
  void finish();
  void check(const std::string& stepId);
  void noteReport(const std::string& stepId, const StepReport& report);

  MainWindow* window_;
  Settings* settings_;
  oci::ProfileQuery override_;
  ProfileList profiles_;
  std::shared_ptr<oci::PassPhraseSource> passPhrases_;
  std::function<std::string()> workDir_;
  bool ready_ = false;
  QElapsedTimer checkTime_;
  BackgroundTask readTask_, regionTask_;
  std::map<std::string, std::unique_ptr<BackgroundTask>> checks_;
};

}  // namespace lockstep
