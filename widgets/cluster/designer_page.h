// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QList>
#include <QWidget>

#include "base/status.h"
#include "widgets/cluster/editable_cluster.h"

class QAction;
class QFrame;
class QProgressBar;
class QSplitter;
class QToolBar;
class QToolButton;

namespace lockstep {

class ClusterForm;
class ElidedLabel;
class IssuesView;
class MessageBar;
class StateBadge;
class YamlEditor;

/// The cluster designer: form and train.yaml side by side as two views of one document, problems below. It
/// says what the user wants done with files and launches; whoever owns it does that and tells the outcome.
class DesignerPage : public QWidget {
  Q_OBJECT
 public:
  explicit DesignerPage(QWidget* parent = nullptr);

  [[nodiscard]] EditableCluster* cluster() const { return cluster_; }
  /// A document just opened or made (path empty: not saved yet). History and messages are gone.
  void setDocument(const QString& path, const QString& text);
  void setDocument(const QString& path, std::string bytes);
  [[nodiscard]] QString text() const;
  /// The present text now stands in this file.
  void setSaved(const QString& path);

  void showStatus(const Status& status);
  void showMessage(Severity severity, const QString& title, const QString& text = {});
  void showFileChangedOnDisk();
  /// A launch is under way: `done` of `total` requests (0: not known yet), and what it does right now.
  void setLaunching(bool isLaunching, int done = 0, int total = 0, const QString& doing = {});
  /// Why there can be no launch although the document is fine ("no profile"); empty: there can.
  void setLaunchObstacle(const QString& reason);

  /// For menus; each does what its button does. Also their shortcuts' home: they work anywhere on this page.
  [[nodiscard]] QList<QAction*> fileActions() const;  // new, open, save, save as
  [[nodiscard]] QList<QAction*> editActions() const;  // undo, redo
  [[nodiscard]] QAction* launchAction() const { return launch_; }

  [[nodiscard]] MessageBar* messageBar() const { return message_; }
  [[nodiscard]] ClusterForm* form() const { return form_; }
  [[nodiscard]] YamlEditor* editor() const { return editor_; }
  [[nodiscard]] IssuesView* problems() const { return problems_; }

  [[nodiscard]] QByteArray saveState() const;
  bool restoreState(const QByteArray& state);

 signals:
  void newRequested();
  void openRequested();
  void saveRequested();
  void saveAsRequested();
  void launchRequested();
  void cancelLaunchRequested();
  void reloadRequested();  // after showFileChangedOnDisk(): take what is on disk

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QAction* makeAction(const QString& icon, const QString& text, const QKeySequence& shortcut,
                      const QString& tip);
  void makeActions();
  QToolBar* makeToolBar();
  QWidget* makeProgress();
  QWidget* makeProblems();
  void connectViews();
  void undo();
  void redo();
  void refreshDocument();
  void refreshText();
  void refreshHistory();
  void refreshTitle();
  void refreshLaunch();
  void refreshProblems();
  void goToIssue(const Issue& issue);
  [[nodiscard]] QString launchObstacle() const;

  EditableCluster* cluster_;
  QAction *new_ = nullptr, *open_ = nullptr, *save_ = nullptr, *saveAs_ = nullptr;
  QAction *undo_ = nullptr, *redo_ = nullptr, *launch_ = nullptr;
  ElidedLabel* title_ = nullptr;
  StateBadge* badge_ = nullptr;
  MessageBar* message_ = nullptr;
  QFrame* progressPanel_ = nullptr;
  QProgressBar* progress_ = nullptr;
  ElidedLabel* doing_ = nullptr;
  ClusterForm* form_ = nullptr;
  YamlEditor* editor_ = nullptr;
  QSplitter* panes_ = nullptr;
  QSplitter* rows_ = nullptr;
  QToolButton* problemsButton_ = nullptr;
  IssuesView* problems_ = nullptr;
  QList<int> problemsSizes_;
  bool wantsProblems_ = true;  // shown when there are any
  bool isLaunching_ = false;
  QString obstacle_;
};

}  // namespace lockstep
