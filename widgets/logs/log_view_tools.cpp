// SPDX-License-Identifier: GPL-3.0-or-later
// The tools, keys and layout of LogView.
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/layout/tool_row.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/filters/log_filter_bar.h"
#include "widgets/logs/filters/log_find_bar.h"
#include "widgets/logs/filters/log_go_bar.h"
#include "widgets/logs/log_actions.h"
#include "widgets/logs/log_matches.h"
#include "widgets/logs/log_navigation.h"
#include "widgets/logs/log_overview.h"
#include "widgets/logs/log_status.h"
#include "widgets/logs/log_view.h"

namespace lockstep {
namespace {

void makeTool(QToolButton* button, const char* name, const QString& text, const QString& toolTip) {
  button->setObjectName(QString::fromLatin1(name));
  button->setText(text);
  button->setToolTip(plainToolTip(toolTip));
  button->setAccessibleDescription(toolTip);
  button->setAutoRaise(true);
}

}  // namespace

void LogView::createTools() {
  follow_->setObjectName(QStringLiteral("follow"));
  makeTool(fold_, "fold", tr("Fold"),
           tr("Show one line for a traceback, for what NCCL tells in one go and for the updates of a "
              "progress bar"));
  fold_->setCheckable(true);
  fold_->setChecked(true);
  connect(fold_, &QToolButton::toggled, this, &LogView::setFolding);
  makeTool(colors_, "colors", tr("Colours"),
           tr("Mark words in every line, up to 9 in a colour of their own (Ctrl+Shift+H)"));
  connect(colors_, &QToolButton::clicked, this, &LogView::editHighlighters);
  makeTool(save_, "saveLines", tr("Save"), tr("Save shown lines…"));
  save_->setIcon(themedIcon(QStringLiteral("save")));
  save_->setAccessibleName(tr("Save shown lines…"));
  connect(save_, &QToolButton::clicked, this, [this] { emit saveRequested(model_->extract()); });
}

void LogView::createActions() {
  using enum LogAction::Where;
  const auto key = [](QKeyCombination keys) { return QKeySequence(keys); };
  QList<LogAction> actions{
      {tr("Copy lines"),
       QStringLiteral("copy"),
       Lines,
       {QKeySequence(QKeySequence::Copy)},
       [this] { table_->copySelection(); }},
      {tr("Copy text as it came"),
       {},
       Lines,
       {key(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
       [this] { table_->copyRaw(); }},
      {{}, {}, Lines, {}, {}},
      {tr("Find…"),
       QStringLiteral("search"),
       Pane,
       {QKeySequence(QKeySequence::Find)},
       [this] { openFind(); }},
      {tr("Next match"), {}, Pane, {key(Qt::Key_F3)}, [this] { findNext(); }},
      {tr("Previous match"), {}, Pane, {key(Qt::SHIFT | Qt::Key_F3)}, [this] { findPrevious(); }},
      {tr("Filter…"), {}, Lines, {key(Qt::Key_Slash)}, [this] { filter_->focusText(); }},
      {tr("Go to line or time…"), {}, Pane, {key(Qt::CTRL | Qt::Key_G)}, [this] { openGo(); }},
      {{}, {}, Lines, {}, {}},
      {tr("Mark or unmark"),
       {},
       Lines,
       {key(Qt::Key_M), key(Qt::CTRL | Qt::Key_M)},
       [this] { navigation_->toggleMarks(); }},
      {tr("Next mark"),
       {},
       Lines,
       {key(Qt::Key_F2), key(Qt::Key_BracketRight)},
       [this] { navigation_->goToMark(true); }},
      {tr("Previous mark"),
       {},
       Lines,
       {key(Qt::SHIFT | Qt::Key_F2), key(Qt::Key_BracketLeft)},
       [this] { navigation_->goToMark(false); }},
      {tr("Next error of this rank"), {}, Lines, {key(Qt::Key_E)}, [this] { navigation_->goToError(true); }},
      {tr("Previous error of this rank"),
       {},
       Lines,
       {key(Qt::SHIFT | Qt::Key_E)},
       [this] { navigation_->goToError(false); }},
      {{}, {}, Lines, {}, {}},
      {tr("Words in colours…"),
       {},
       Pane,
       {key(Qt::CTRL | Qt::SHIFT | Qt::Key_H)},
       [this] { editHighlighters(); }},
      {tr("Follow"), QStringLiteral("follow"), Lines, {key(Qt::Key_F)}, [this] { follow_->toggle(); }},
      {tr("Save shown lines…"),
       QStringLiteral("save"),
       Lines,
       {},
       [this] { emit saveRequested(model_->extract()); }},
      {tr("Save all lines…"), {}, Lines, {}, [this] { emit saveRequested(allLines()); }}};
  addLogActions(this, table_, actions);
  for (int number = 0; number < LogHighlighters::kMost; ++number) {
    auto* action = new QAction(this);
    action->setShortcut(key(Qt::CTRL | Qt::SHIFT | static_cast<Qt::Key>(Qt::Key_1 + number)));
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [this, number] { colorWord(number); });
    addAction(action);
  }
  addLogActions(this, matches_->table(),
                {{tr("Copy lines"),
                  QStringLiteral("copy"),
                  Lines,
                  {QKeySequence(QKeySequence::Copy)},
                  [this] { matches_->table()->copySelection(); }},
                 {tr("Save matches…"), QStringLiteral("save"), Lines, {}, [this] {
                    emit saveRequested(matches_->model()->extract());
                  }}});
}

void LogView::arrange() {
  auto* top = new ToolRow(this);
  top->addWidget(filter_, 1);
  top->addButton(follow_);
  top->addButton(fold_);
  top->addButton(colors_);
  top->addButton(save_);
  auto* log = new QWidget(panes_);
  auto* row = new QHBoxLayout(log);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(table_, 1);
  row->addWidget(new LogOverview(table_, matches_->model(), log));
  panes_->addWidget(log);
  panes_->addWidget(matches_);
  panes_->setChildrenCollapsible(false);
  panes_->setStretchFactor(0, 2);
  panes_->setStretchFactor(1, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(top);
  column->addWidget(filter_->chips());
  column->addWidget(findBar_);
  column->addWidget(goBar_);
  column->addWidget(panes_, 1);
  column->addWidget(status_);
  setFocusProxy(table_);
  setAccessibleRole(this, QAccessible::Pane);  // the table is focused, not what is around it
}

}  // namespace lockstep
