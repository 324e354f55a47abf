// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of the runs is made of.
#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/common/layout/tool_row.h"
#include "widgets/common/pickers/clear_button.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/runs/runs_model.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {

QWidget* RunsPage::makeToolRow() {
  auto* row = new ToolRow(this);
  auto* title = new PlainLabel(tr("Runs"), row);
  makeHeading(title);
  filter_ = new QLineEdit(row);
  filter_->setPlaceholderText(tr("Search: words, tag:…, state:failed, loss<0.3 …"));
  filter_->setAccessibleName(tr("Search the runs"));
  filter_->setToolTip(toolTipLines(
      {tr("Words are looked for in name, id, tags, group and note. All that is said has to hold."),
       QStringLiteral("name:  id:  tag:  group:  note:  state:  profile:  image:  commit:"),
       QStringLiteral("is:pinned  is:archived  is:live  is:dirty"),
       QStringLiteral("loss<0.3  nodes>=2  elapsed>1h  created>2026-11-01  cost>10  findings>0"),
       tr("A - before it stands for its opposite, and quotes keep words together.")}));
  addClearButton(filter_, tr("Clear the search"));
  filter_->setMinimumWidth(240);
  filter_->setMaximumWidth(420);
  connect(filter_, &QLineEdit::textChanged, this, &RunsPage::search);
  auto* find = new QAction(this);
  find->setShortcut(QKeySequence::Find);
  find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(find, &QAction::triggered, filter_, [this] { filter_->setFocus(Qt::ShortcutFocusReason); });
  row->addWidget(title);
  row->addStretch();
  row->addWidget(filter_, 1);
  row->addTool(open_);
  row->addButton(makeFilesButton());
  for (QAction* action : {remote_, compare_, relaunch_, cancel_, forget_, refresh_}) row->addTool(action);
  QWidget::addAction(find);
  return row;
}

// Runs that are in no list yet: to be looked at, or taken into this one.
QAbstractButton* RunsPage::makeFilesButton() {
  auto* button = new QToolButton(this);
  auto* menu = new QMenu(tr("F&iles"), button);
  menu->setIcon(themedIcon(QStringLiteral("add")));
  menu->setToolTipsVisible(true);
  menu->addActions({openFile_, openFolder_});
  menu->addSeparator();
  menu->addActions({importFile_, importFolder_});
  button->setText(menu->title());
  button->setIcon(menu->icon());
  button->setToolTip(tr("Open runs from files and folders, or take them into this list"));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setMenu(menu);
  return button;
}

QWidget* RunsPage::makeTable() {
  table_ = new QTreeView(this);
  table_->setModel(model_);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setRootIsDecorated(false);
  table_->setUniformRowHeights(true);
  table_->setAlternatingRowColors(true);
  table_->setAllColumnsShowFocus(true);
  table_->setSortingEnabled(true);
  table_->sortByColumn(RunsModel::kStarted, Qt::DescendingOrder);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  table_->addActions({open_, compare_, marks_, pin_, archive_, relaunch_, changedRelaunch_, cancel_, forget_,
                      showArchived_});
  table_->setAccessibleName(tr("Runs"));
  table_->setTextElideMode(Qt::ElideRight);
  const int widths[] = {165, 120, 70, 125, 65, 55, 110, 85, 85, 105};
  for (int column = 0; column < static_cast<int>(std::size(widths)); ++column) {
    table_->setColumnWidth(column, widths[column]);
  }
  table_->header()->setStretchLastSection(true);
  table_->header()->setStyleSheet(
      QStringLiteral("QHeaderView::section { padding: 4px 3px; }"));  // as the cells'
  connect(table_, &QTreeView::activated, open_, &QAction::trigger);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPage::updateActions);
  return table_;
}

QWidget* RunsPage::makeEmptyState() {
  auto* empty = new QWidget(this);
  auto* icon = new PlainLabel(empty);
  icon->setPixmap(
      themedIcon(QStringLiteral("runs"), IconColor::Muted).pixmap(QSize(56, 56), devicePixelRatioF()));
  auto* title = new PlainLabel(tr("No runs yet"), empty);
  makeHeading(title);
  auto* text =
      new PlainLabel(tr("A run appears here as soon as you launch a cluster, from this window or with\n"
                        "\"lockstep run train.yaml\". It goes on when you close the window."),
                     empty);
  text->setAlignment(Qt::AlignCenter);
  text->setWordWrap(true);
  auto* button = new QPushButton(tr("Open the cluster designer"), empty);
  makePrimary(button);
  connect(button, &QPushButton::clicked, this, &RunsPage::designerRequested);
  auto* remote = new QPushButton(tr("Find jobs of the tenancy …"), empty);
  connect(remote, &QPushButton::clicked, this, &RunsPage::remoteRequested);
  auto* file = new QPushButton(tr("Open a run file …"), empty);
  file->setToolTip(openFile_->toolTip());
  connect(file, &QPushButton::clicked, this, &RunsPage::openFileRequested);
  auto* layout = new QVBoxLayout(empty);
  layout->addStretch(2);
  layout->addWidget(icon, 0, Qt::AlignHCenter);
  layout->addWidget(title, 0, Qt::AlignHCenter);
  layout->addWidget(text);
  layout->addSpacing(10);
  layout->addWidget(button, 0, Qt::AlignHCenter);
  auto* others = new QHBoxLayout;  // beside each other: a small window has no room for three lines of buttons
  others->addStretch();
  others->addWidget(remote);
  others->addWidget(file);
  others->addStretch();
  layout->addLayout(others);
  layout->addStretch(3);
  return empty;
}

QWidget* RunsPage::makeUnknownState() {
  auto* unknown = new QWidget(this);
  auto* title = new PlainLabel(tr("The run history cannot be read"), unknown);
  makeHeading(title);
  auto* text = new PlainLabel(
      tr("Runs that were launched go on, and can be followed by the OCID of their job."), unknown);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignCenter);
  moveAside_ = new QPushButton(tr("Move it aside and begin a new one"), unknown);
  moveAside_->setToolTip(tr("The damaged file is kept under another name in its folder"));
  makePrimary(moveAside_);
  connect(moveAside_, &QPushButton::clicked, this, &RunsPage::moveAsideRequested);
  auto* layout = new QVBoxLayout(unknown);
  layout->addStretch(2);
  layout->addWidget(title, 0, Qt::AlignHCenter);
  layout->addWidget(text);
  layout->addSpacing(10);
  layout->addWidget(moveAside_, 0, Qt::AlignHCenter);
  layout->addStretch(3);
  return unknown;
}

}  // namespace lockstep
