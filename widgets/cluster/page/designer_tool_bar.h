// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QString>
#include <vector>

#include "export/export.h"
#include "widgets/common/layout/tool_row.h"

class QAction;
class QMenu;
class QToolButton;

namespace lockstep {

class ElidedLabel;
class StateBadge;

/// A starter project as the menu of "New" offers it.
struct TemplateChoice {
  QString name;     // "pytorch-cpp": what templateRequested() says
  QString title;    // "PyTorch in C++"
  QString summary;  // one sentence
};

/// The actions of the designer and the bar that shows them. The actions belong to `page`, where their
/// shortcuts work. Launch is always in sight.
class DesignerToolBar : public ToolRow {
  Q_OBJECT
 public:
  explicit DesignerToolBar(QWidget* page);

  void setTemplates(const std::vector<TemplateChoice>& templates);
  void setExportTargets(const std::vector<ExportTarget>& targets);
  void setUndoTexts(const QString& undo, const QString& redo);  // empty: nothing to undo or redo

  [[nodiscard]] QAction* newAction() const { return new_; }
  [[nodiscard]] QAction* openAction() const { return open_; }
  [[nodiscard]] QAction* saveAction() const { return save_; }
  [[nodiscard]] QAction* saveAsAction() const { return saveAs_; }
  [[nodiscard]] QAction* undoAction() const { return undo_; }
  [[nodiscard]] QAction* redoAction() const { return redo_; }
  [[nodiscard]] QAction* launchAction() const { return launch_; }
  /// Menus of templates and of export targets, also for the menu bar; empty until they are set.
  [[nodiscard]] QMenu* templateMenu() const { return templates_; }
  [[nodiscard]] QMenu* exportMenu() const { return exports_; }
  [[nodiscard]] ElidedLabel* title() const { return title_; }
  [[nodiscard]] StateBadge* badge() const { return badge_; }

 signals:
  void templateRequested(const QString& name);
  void exportRequested(lockstep::ExportTarget target);

 private:
  QAction* make(const QString& icon, const QString& text, const QKeySequence& shortcut, const QString& tip);
  void makeActions();
  void addParts();

  QWidget* page_;
  QAction *new_ = nullptr, *open_ = nullptr, *save_ = nullptr, *saveAs_ = nullptr;
  QAction *undo_ = nullptr, *redo_ = nullptr, *launch_ = nullptr;
  QMenu* templates_ = nullptr;
  QMenu* exports_ = nullptr;
  QToolButton* newButton_ = nullptr;
  QToolButton* exportButton_ = nullptr;
  ElidedLabel* title_ = nullptr;
  StateBadge* badge_ = nullptr;
};

/// "Docker compose": what people call a target.
[[nodiscard]] QString titleOf(ExportTarget target);
/// `tip`, and the shortcut of the action behind it.
[[nodiscard]] QString withShortcut(const QString& tip, const QAction& action);

}  // namespace lockstep
