// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QMainWindow>
#include <QString>

#include "base/error.h"
#include "base/issue.h"
#include "widgets/common/theme/theme.h"

class QActionGroup;
class QLabel;
class QDockWidget;
class QListWidget;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace lockstep {

class CallsPanel;
class ComparisonPage;
class DesignerPage;
class MessageBar;
class RunPage;
class RunsPage;
class SetupPage;

enum class Page { Setup, Clusters, Runs, Run, Comparison };
[[nodiscard]] QString nameOf(Page page);            // "setup", as on the command line and in the settings
[[nodiscard]] Page pageNamed(const QString& name);  // an unknown name: Clusters

/// The frame: sidebar, pages, menus and status bar. Holds the pages and tells what the user asks for; does
/// nothing itself.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);

  [[nodiscard]] SetupPage* setupPage() const { return setup_; }
  [[nodiscard]] DesignerPage* designerPage() const { return designer_; }
  [[nodiscard]] RunsPage* runsPage() const { return runs_; }
  [[nodiscard]] RunPage* runPage() const { return run_; }
  [[nodiscard]] ComparisonPage* comparisonPage() const { return comparison_; }
  [[nodiscard]] CallsPanel* callsPanel() const { return calls_; }

  void showPage(Page page);
  [[nodiscard]] Page page() const;
  /// A message that is about no page in particular, above whatever page is shown.
  MessageBar* banner() const { return banner_; }
  /// Who we are and where, permanently in the status bar.
  void setPlace(const QString& profile, const QString& region);
  /// The window's title: the file worked on, and whether something of it is not saved.
  void setDocumentTitle(const QString& name, bool isUnsaved);
  void showNote(const QString& text);  // in the status bar, for some seconds
  void setThemeMode(ThemeMode mode);

 signals:
  void firstPainted();
  void pageShown(lockstep::Page page);
  void themeChosen(lockstep::ThemeMode mode);
  void activityShown(bool isShown);
  /// The user wants to choose what to be told of, and how.
  void tellingRequested();
  void closing();
  /// A train.yaml was dropped on the window.
  void fileDropped(const QString& file);
  /// A .lockstep file was, or a folder, which may be that of a run.
  void runDropped(const QString& place);

 protected:
  bool event(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void createPages();
  void createSidebar();
  void createActivity();
  void createFileMenu();
  void addDesignerMenus(QMenu* menu);
  void createEditMenu();
  void createViewMenu();
  void createSetupMenu();
  void createHelpMenu();
  void createStatusBar();
  void showAbout();

  QListWidget* sidebar_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  MessageBar* banner_ = nullptr;
  SetupPage* setup_ = nullptr;
  DesignerPage* designer_ = nullptr;
  RunsPage* runs_ = nullptr;
  RunPage* run_ = nullptr;
  ComparisonPage* comparison_ = nullptr;
  CallsPanel* calls_ = nullptr;
  QDockWidget* activity_ = nullptr;
  QActionGroup* themes_ = nullptr;
  QLabel* place_ = nullptr;
  bool painted_ = false;
};

}  // namespace lockstep
