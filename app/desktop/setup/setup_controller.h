// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/desktop/setup/setup_checks.h"
#include "app/desktop/setup/setup_exports.h"
#include "app/desktop/setup/setup_fixes.h"
#include "app/desktop/setup/setup_secrets.h"
#include "app/desktop/setup/tenancy_catalogue.h"
#include "app/desktop/support/background_task.h"
#include "app/desktop/window/profiles.h"
#include "launch/rehearsal_control.h"
#include "setup/step/setup_facts.h"

namespace lockstep {

class MainWindow;
class Settings;

/// Which profile is used, what its tenancy lacks, and the rehearsal region. UI thread; blocks nothing.
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
  [[nodiscard]] bool isSettled() const { return ready_ && checks_.isSettled() && !fixes_.isBusy(); }
  /// Where the pass phrases of encrypted keys come from. Before start().
  void setPassPhrases(std::shared_ptr<oci::PassPhraseSource> passPhrases) {
    passPhrases_ = std::move(passPhrases);
  }
  /// What the steps are checked for: the cluster in the designer.
  void setSpecSource(std::function<std::optional<ClusterSpec>()> spec) {
    checks_.setSpecSource(std::move(spec));
  }
  /// Nothing is written to disk, and nobody is asked for anything.
  void setReadOnly(bool isReadOnly);
  [[nodiscard]] SetupChecks& checks() { return checks_; }
  [[nodiscard]] SetupFixes& fixes() { return fixes_; }
  /// The facts that the designer's train.yaml does not say already.
  [[nodiscard]] SetupFacts newFacts(SetupFacts facts) const;
  [[nodiscard]] SetupExports& exports() { return exports_; }

 public slots:
  void checkAll() { checks_.checkAll(); }
  /// The page is looked at: checks it, unless that was done a moment ago for the same cluster.
  void look();
  void startRehearsal();

 signals:
  /// The profile is known, and its region, if it is one of ours, runs (or said why not).
  void ready();
  /// profiles() is another list, or the same one read again.
  void profileShown();
  /// Another profile stands in the settings.
  void profileChanged();
  /// Fields of the cluster that the user wants filled with what was found.
  void factsChosen(const std::map<std::string, std::string>& facts);

 private:
  [[nodiscard]] oci::ProfileQuery wanted() const;
  void read(bool startsRegion);
  void show(const ProfileList& list);
  void choose(const QString& profile);
  void runRegion(bool isFirstStart);
  void finishRegion(bool isFirstStart, const Result<RehearsalInfo>& region);
  void finish();
  void connectPage();
  void waive(const std::string& stepId, const QString& reason);
  void list(ResourceKind kind);
  void noteFixes(const std::vector<std::string>& stepIds);
  void adoptFacts();
  void offerFacts();

  MainWindow* window_;
  Settings* settings_;
  oci::ProfileQuery override_;
  ProfileList profiles_;
  std::shared_ptr<oci::PassPhraseSource> passPhrases_;
  bool ready_ = false;
  std::string lookedAt_;         // the train.yaml for which the page was checked last
  std::set<std::string> fixed_;  // steps of which something was just changed, until they are checked again
  std::vector<std::string> dueAfterRead_;  // steps to be checked once the profiles are read again
  SetupChecks checks_;
  SetupFixes fixes_;
  SetupExports exports_;
  TenancyCatalogue catalogue_;
  BackgroundTask readTask_, regionTask_;
  SetupSecrets secrets_;  // goes first: who waits for a secret must not keep the checks from ending
};

}  // namespace lockstep
