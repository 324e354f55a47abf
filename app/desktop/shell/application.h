// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QApplication>
#include <QObject>
#include <QTimer>
#include <QTranslator>
#include <memory>

#include "app/desktop/activity/activity_feed.h"
#include "app/desktop/designer/designer_controller.h"
#include "app/desktop/designer/launch_advice.h"
#include "app/desktop/runs/remote_runs_controller.h"
#include "app/desktop/runs/runs_controller.h"
#include "app/desktop/setup/setup_controller.h"
#include "app/desktop/support/pass_phrase_desk.h"
#include "app/desktop/telling/telling_controller.h"
#include "app/desktop/window/main_window.h"
#include "app/desktop/window/options.h"
#include "app/desktop/window/settings.h"
#include "app/desktop/window/stall_watchdog.h"

namespace lockstep {

/// The composition root: makes settings, window and controllers, wires them, and brings back what was open.
/// Before the first picture it touches no file but the settings.
class Application : public QObject {
  Q_OBJECT
 public:
  Application(QApplication& application, DesktopOptions options);
  ~Application() override;

  /// Shows the window; everything else follows once it is painted.
  void start();

  [[nodiscard]] MainWindow& window() { return *window_; }
  [[nodiscard]] SetupController& setup() { return *setup_; }
  [[nodiscard]] DesignerController& designer() { return *designer_; }
  [[nodiscard]] RunsController& runs() { return *runs_; }
  /// Whether the page of a run is going to be opened by itself.
  [[nodiscard]] bool isRunDue() const { return runDue_; }
  [[nodiscard]] const DesktopOptions& options() const { return options_; }

 signals:
  /// The window stands on the screen and its contents are being brought back.
  void started();

 private:
  void loadTranslations();
  void chooseTheme(ThemeMode mode);
  void makeWindow();
  void connectAll();
  void connectActivity();
  void restoreWindow();
  void restoreContents();
  void continueWhenReady();
  void watchForStalls();
  void close();
  /// Everything that the next start needs is on disk a moment after it changed, not only when the window
  /// closes.
  void saveSettingsSoon();
  void saveSettings();
  void makeTelling();
  void chooseTelling();
  [[nodiscard]] QString fileToOpen() const;

  QApplication& application_;
  DesktopOptions options_;
  Settings settings_;
  QTranslator qtTexts_, plurals_, ownTexts_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<PassPhraseDesk> passPhrases_;
  std::unique_ptr<SetupController> setup_;
  std::unique_ptr<DesignerController> designer_;
  std::unique_ptr<LaunchAdvice> advice_;
  std::unique_ptr<RunsController> runs_;
  std::unique_ptr<RemoteRunsController> remoteRuns_;
  std::unique_ptr<TellingController> telling_;
  std::unique_ptr<ActivityFeed> activity_;
  std::unique_ptr<StallWatchdog> watchdog_;
  QTimer saveTimer_;
  bool restored_ = false;
  bool saveFailed_ = false;
  bool launchDue_ = false;
  bool runDue_ = false;
};

}  // namespace lockstep
