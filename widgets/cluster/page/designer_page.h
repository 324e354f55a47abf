// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QList>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "base/error.h"
#include "export/export.h"
#include "plan/cost.h"
#include "widgets/cluster/document/editable_cluster.h"
#include "widgets/cluster/page/designer_tool_bar.h"
#include "widgets/common/pickers/resource_picker.h"

class QAction;
class QFrame;
class QProgressBar;
class QSplitter;
class QStackedWidget;

namespace lockstep {

class ClusterForm;
class ElidedLabel;
class FoldingSplitter;
class ClusterSummary;
class IssuesPanel;
class IssuesView;
class MessageBar;
class TextDifferenceView;
class YamlEditor;

/// What the set-up knows of the place in which a launch would go on.
struct LaunchReadiness {
  bool isRehearsal = false;   // on this machine, which lacks nothing that a tenancy has to have
  bool isChecked = true;      // every step has an answer
  QStringList missing;        // titles of the steps that something is missing for
  bool isFileBehind = false;  // the set-up found or made what the document does not say
  bool operator==(const LaunchReadiness&) const = default;
};

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

  void showError(const Error& error);
  void showMessage(Severity severity, const QString& title, const QString& text = {});
  void showFileChangedOnDisk();
  /// A launch is under way: `done` of `total` requests (0: not known yet), and what it does right now.
  void setLaunching(bool isLaunching, int done = 0, int total = 0, const QString& doing = {});
  /// A launch is a rehearsal, which puts its own ids in the place of those that are not there yet: they do
  /// not stand in its way.
  void setRehearsing(bool isRehearsing);
  /// Why there can be no launch although the document is fine ("no profile"); empty: there can.
  void setLaunchObstacle(const QString& reason);
  /// What the badge says of a document without errors; a launch may be tried all the same.
  void setReadiness(const LaunchReadiness& readiness);

  /// What the tenancy has of one kind: fields of that kind offer it. See resourcesWanted().
  void setResources(ResourceKind kind, const ResourceChoices& choices);
  /// The names of things by their id: fields with such an id show them.
  void setNames(const ResourceNames& names);
  /// What things cost; the table that the program carries with it until somebody says otherwise.
  void setPrices(const PriceTable& prices);
  /// The menu of "New".
  void setTemplates(const std::vector<TemplateChoice>& templates);
  /// The menu of "Export"; none: there is no such button.
  void setExportTargets(const std::vector<ExportTarget>& targets);
  /// Shows what differs between two texts in place of the YAML pane, until the user goes back.
  void showDifference(const QString& before, const QString& beforeName, const QString& after,
                      const QString& afterName);

  /// For menus; each does what its button does. Also their shortcuts' home: they work anywhere on this page.
  [[nodiscard]] QList<QAction*> fileActions() const;  // new, open, save, save as
  [[nodiscard]] QList<QAction*> editActions() const;  // undo, redo
  [[nodiscard]] QAction* launchAction() const { return bar_->launchAction(); }
  /// Menus of setTemplates() and setExportTargets(), for the menu bar, too.
  [[nodiscard]] QMenu* templateMenu() const { return bar_->templateMenu(); }
  [[nodiscard]] QMenu* exportMenu() const { return bar_->exportMenu(); }

  [[nodiscard]] MessageBar* messageBar() const { return message_; }
  [[nodiscard]] ClusterForm* form() const { return form_; }
  [[nodiscard]] YamlEditor* editor() const { return editor_; }
  [[nodiscard]] IssuesView* problems() const;
  [[nodiscard]] IssuesPanel* problemsPanel() const { return problems_; }
  [[nodiscard]] ClusterSummary* summary() const { return summary_; }
  [[nodiscard]] TextDifferenceView* difference() const { return difference_; }

  [[nodiscard]] QByteArray saveState() const;
  bool restoreState(const QByteArray& state);

 signals:
  void newRequested();
  void openRequested();
  void saveRequested();
  void saveAsRequested();
  void launchRequested();
  void cancelLaunchRequested();
  void reloadRequested();      // after showFileChangedOnDisk(): take what is on disk
  void differenceRequested();  // after showFileChangedOnDisk(): read the file and call showDifference()
  /// Start from this template; the document may have unsaved changes.
  void templateRequested(const QString& name);
  void exportRequested(lockstep::ExportTarget target);
  /// Somebody looks at a field whose choices are not known: list them with the profile in use and call
  /// setResources(), first with Loading. The document says for which compartment and log group.
  void resourcesWanted(lockstep::ResourceKind kind);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void connectActions();
  QWidget* makeProgress();
  QWidget* makeFormSide();
  QWidget* makeTextSide();
  void connectViews();
  void undo();
  void redo();
  void refreshDocument();
  void refreshText();
  void refreshHistory();
  void refreshTitle();
  void refreshLaunch();
  void showReadiness();
  void fitProblems(bool isListShown);
  void applyFix(const Issue& issue);
  void applyAllFixes();
  void goToIssue(const Issue& issue);
  [[nodiscard]] QString launchObstacle() const;
  [[nodiscard]] std::vector<const Issue*> errorsInTheWay() const;

  EditableCluster* cluster_;
  DesignerToolBar* bar_ = nullptr;
  MessageBar* message_ = nullptr;
  QFrame* progressPanel_ = nullptr;
  QProgressBar* progress_ = nullptr;
  ElidedLabel* doing_ = nullptr;
  ClusterForm* form_ = nullptr;
  YamlEditor* editor_ = nullptr;
  FoldingSplitter* panes_ = nullptr;
  QSplitter* rows_ = nullptr;
  ClusterSummary* summary_ = nullptr;
  QStackedWidget* texts_ = nullptr;
  TextDifferenceView* difference_ = nullptr;
  IssuesPanel* problems_ = nullptr;
  QList<int> problemsSizes_;
  bool isLaunching_ = false;
  bool isRehearsing_ = false;
  QString obstacle_;
  LaunchReadiness readiness_;
};

}  // namespace lockstep
