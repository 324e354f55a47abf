// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/page/designer_tool_bar.h"

#include <QAction>
#include <QMenu>
#include <QToolButton>

#include "widgets/common/layout/elided_label.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr QMargins kMargins(8, 6, 8, 6);
constexpr int kGapBeforeLaunch = 6;

}  // namespace

QString titleOf(ExportTarget target) {
  switch (target) {
    case ExportTarget::TrainYaml:
      return DesignerToolBar::tr("train.yaml, complete");
    case ExportTarget::Compose:
      return DesignerToolBar::tr("Docker compose");
    case ExportTarget::Torchrun:
      return DesignerToolBar::tr("torchrun commands");
    case ExportTarget::Mpirun:
      return DesignerToolBar::tr("mpirun kit");
    case ExportTarget::Terraform:
      return DesignerToolBar::tr("Terraform prerequisites");
    case ExportTarget::Slurm:
      return DesignerToolBar::tr("Slurm batch script");
    case ExportTarget::Kubeflow:
      return DesignerToolBar::tr("Kubeflow job");
  }
  return {};
}

QString withShortcut(const QString& tip, const QAction& action) {
  return action.shortcut().isEmpty()
             ? tip
             : QStringLiteral("%1 (%2)").arg(tip, action.shortcut().toString(QKeySequence::NativeText));
}

DesignerToolBar::DesignerToolBar(QWidget* page)
    : ToolRow(page),
      page_(page),
      templates_(new QMenu(tr("New from &template"), this)),
      exports_(new QMenu(tr("&Export"), this)) {
  setMargins(kMargins);
  templates_->setToolTipsVisible(true);
  makeActions();
  addParts();
}

QAction* DesignerToolBar::make(const QString& icon, const QString& text, const QKeySequence& shortcut,
                               const QString& tip) {
  auto* action = new QAction(themedIcon(icon), text, page_);
  action->setShortcut(shortcut);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(plainToolTip(withShortcut(tip, *action)));
  page_->addAction(action);
  return action;
}

void DesignerToolBar::makeActions() {
  new_ = make(QStringLiteral("new"), tr("&New"), QKeySequence::New, tr("Start from the example"));
  open_ = make(QStringLiteral("open"), tr("&Open…"), QKeySequence::Open, tr("Open a train.yaml"));
  save_ = make(QStringLiteral("save"), tr("&Save"), QKeySequence::Save, tr("Save"));
  saveAs_ =
      make(QStringLiteral("save"), tr("Save &as…"), QKeySequence::SaveAs, tr("Save under another name"));
  undo_ = make(QStringLiteral("undo"), tr("&Undo"), QKeySequence::Undo, tr("Undo"));
  redo_ = make(QStringLiteral("redo"), tr("&Redo"), QKeySequence::Redo, tr("Redo"));
  launch_ = make(QStringLiteral("play"), tr("&Launch"), QKeySequence(Qt::CTRL | Qt::Key_Return), QString());
  launch_->setIcon(themedIcon(QStringLiteral("play"), IconColor::OnAccent));
}

void DesignerToolBar::addParts() {
  newButton_ = addTool(new_);
  addTool(open_);
  addTool(save_);
  exportButton_ = new QToolButton(this);
  exportButton_->setText(tr("Export"));
  exportButton_->setIcon(themedIcon(QStringLiteral("export")));
  exportButton_->setToolTip(tr("Write the cluster in another form"));
  exportButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  exportButton_->setAutoRaise(true);
  exportButton_->setFocusPolicy(Qt::TabFocus);
  exportButton_->setPopupMode(QToolButton::InstantPopup);
  exportButton_->setMenu(exports_);
  addButton(exportButton_);
  setOffered(exportButton_, false);
  addSeparator();
  for (QAction* action : {undo_, redo_}) addTool(action)->setToolButtonStyle(Qt::ToolButtonIconOnly);
  addSeparator();
  title_ = new ElidedLabel(this);
  title_->setElideMode(Qt::ElideMiddle);
  title_->setMuted(true);
  addWidget(title_, 1);
  badge_ = new StateBadge(this);
  addWidget(badge_);
  auto* gap = new QWidget(this);
  gap->setFixedWidth(kGapBeforeLaunch);
  addWidget(gap);
  makePrimary(addTool(launch_, Place::Stays));
}

void DesignerToolBar::setTemplates(const std::vector<TemplateChoice>& templates) {
  templates_->clear();
  for (const TemplateChoice& choice : templates) {
    QString title = choice.title;
    QAction* action = templates_->addAction(title.replace(QLatin1Char('&'), QLatin1String("&&")));
    action->setToolTip(plainToolTip(choice.summary));
    action->setStatusTip(choice.summary);
    connect(action, &QAction::triggered, this, [this, name = choice.name] { emit templateRequested(name); });
  }
  newButton_->setMenu(templates.empty() ? nullptr : templates_);
  newButton_->setPopupMode(templates.empty() ? QToolButton::DelayedPopup : QToolButton::MenuButtonPopup);
}

void DesignerToolBar::setExportTargets(const std::vector<ExportTarget>& targets) {
  exports_->clear();
  for (const ExportTarget target : targets)
    connect(exports_->addAction(tr("%1 …").arg(titleOf(target))), &QAction::triggered, this,
            [this, target] { emit exportRequested(target); });
  setOffered(exportButton_, !targets.empty());
}

void DesignerToolBar::setUndoTexts(const QString& undo, const QString& redo) {
  undo_->setEnabled(!undo.isEmpty());
  redo_->setEnabled(!redo.isEmpty());
  undo_->setToolTip(
      plainToolTip(withShortcut(undo.isEmpty() ? tr("Undo") : tr("Undo: %1").arg(undo), *undo_)));
  redo_->setToolTip(
      plainToolTip(withShortcut(redo.isEmpty() ? tr("Redo") : tr("Redo: %1").arg(redo), *redo_)));
}

}  // namespace lockstep
