// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <map>
#include <stop_token>
#include <string>

#include "app/desktop/designer/cluster_session.h"
#include "app/desktop/designer/designer_export.h"
#include "app/desktop/designer/designer_resources.h"
#include "app/desktop/designer/designer_templates.h"
#include "app/desktop/support/background_task.h"
#include "oci/signing/profile.h"
#include "plan/cost.h"
#include "runs/training_run.h"

namespace lockstep {

class DesignerPage;
class MainWindow;

/// The designer's file and its launches. UI thread; blocks nothing but in the file dialogs.
class DesignerController : public QObject {
  Q_OBJECT
 public:
  DesignerController(MainWindow* window, std::filesystem::path draftFolder, QObject* parent = nullptr);
  ~DesignerController() override;

  /// Shows what is to be worked on: `file` when it `isAsked` for; else the draft that a window left behind,
  /// else `file`, else the starter project, put into the user's data folder at first use. With `isReadOnly`
  /// nothing is written.
  void restore(const QString& file, bool isAsked, bool isReadOnly);
  void open(const QString& file);
  /// Launches what the designer shows with the profile that `query` yields.
  void launch();
  /// Puts what the set-up found into the fields of the cluster, as one undo step, and shows it.
  void useFacts(const std::map<std::string, std::string>& facts);
  void setProfileSource(std::function<oci::ProfileQuery()> query);
  /// Another profile is in use: the tenancy's things are listed anew.
  void profileChanged() { resources_.forget(); }
  /// Reads the user's prices.json, `file`, in the background; without one the built-in table stays.
  void loadPriceTable(const std::filesystem::path& file);
  [[nodiscard]] DesignerExport& exporter() { return export_; }
  [[nodiscard]] DesignerTemplates& templates() { return templates_; }

  [[nodiscard]] QString file() const { return session_.path(); }
  [[nodiscard]] bool isLoaded() const { return loaded_; }
  [[nodiscard]] bool isLaunching() const { return launchTask_.isRunning(); }
  Result<void> flushDraft();

 signals:
  /// The designer shows a document now.
  void loaded();
  /// A template stands in the designer, or somebody's file.
  void templateShown();
  void fileShown();
  /// Another file is worked on.
  void fileChanged();
  void launched(const lockstep::TrainingRun& run);
  /// The page says why; whoever knows a way out adds it there.
  void launchRefused(const lockstep::Error& error);
  void launchEnded(bool launched);

 private:
  void connectPage();
  void connectSession();
  void newCluster();
  void newFromTemplate(const QString& name);
  void showDifference();
  void refreshTitle();
  void chooseFile();
  void chooseFileNow();
  void openDropped(const QString& file);
  void save();
  void saveAs();
  void noteText();
  void openStarter();
  void showDocument(const QString& path, const std::string& text);
  void showDraft(const Draft& draft);
  void offerDraft();
  /// Does `go`, which replaces the document; with unsaved changes only after the user said what becomes of
  /// them.
  void leaveDocument(const std::function<void()>& go);
  void cancelLaunch();
  void finishLaunch(const Result<TrainingRun>& run);

  MainWindow* window_;
  DesignerPage* page_;
  ClusterSession session_;
  std::function<oci::ProfileQuery()> query_;
  DesignerExport export_;
  DesignerTemplates templates_;
  DesignerResources resources_;
  BackgroundTask launchTask_, starterTask_, differenceTask_, priceTask_;
  std::stop_source launchStop_;
  std::function<void()> afterSave_;
  QString fallbackFile_;
  bool isReadOnly_ = false;
  bool loaded_ = false;
};

}  // namespace lockstep
