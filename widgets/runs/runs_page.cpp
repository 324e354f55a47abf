// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/runs_page.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTimer>
#include <QTreeView>

#include "base/clock.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/layout/tool_row.h"
#include "widgets/common/pickers/clear_button.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/runs/run_state_text.h"
#include "widgets/runs/runs_model.h"

namespace lockstep {
RunsPage::RunsPage(QWidget* parent)
    : QWidget(parent),
      model_(new RunsModel(this)),
      sorted_(new QSortFilterProxyModel(this)),
      statusBar_(new MessageBar(this)),
      questionBar_(new MessageBar(this)) {
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(RunsModel::kSortRole);
  sorted_->setFilterKeyColumn(-1);
  sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  createActions();

  auto* views = new QWidget(this);
  stack_ = new QStackedLayout(views);
  stack_->addWidget(makeEmptyState());
  stack_->addWidget(makeTable());
  stack_->addWidget(makeUnknownState());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(20, 16, 20, 16);
  layout->setSpacing(10);
  layout->addWidget(makeToolRow());
  layout->addWidget(statusBar_);
  layout->addWidget(questionBar_);
  layout->addWidget(views, 1);

  model_->setNow(SystemClock().now());
  auto* clock = new QTimer(this);
  connect(clock, &QTimer::timeout, this, [this] {
    if (isVisible()) model_->setNow(SystemClock().now());
  });
  clock->start(1000);
  showRightView();
  updateActions();
}

void RunsPage::createActions() {
  open_ = new QAction(themedIcon(QStringLiteral("open")), tr("&Open"), this);
  openFolder_ = new QAction(themedIcon(QStringLiteral("open")), tr("Open fol&der …"), this);
  relaunch_ = new QAction(themedIcon(QStringLiteral("play")), tr("Re&launch"), this);
  cancel_ = new QAction(themedIcon(QStringLiteral("stop")), tr("&Cancel run"), this);
  forget_ = new QAction(themedIcon(QStringLiteral("remove")), tr("&Forget"), this);
  refresh_ = new QAction(themedIcon(QStringLiteral("refresh")), tr("&Refresh"), this);
  open_->setToolTip(tr("Open the run's live page (Enter)"));
  openFolder_->setToolTip(
      tr("Open a run from its folder in a work dir, only to look at it; the folder can also be dropped on "
         "the window "
         "(Ctrl+Shift+O)"));
  openFolder_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
  relaunch_->setToolTip(
      tr("Launch the same again, from the text that the run was launched from (Ctrl+Shift+R)"));
  relaunch_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
  cancel_->setToolTip(tr("Ask every node of the run to end"));
  forget_->setToolTip(tr("Take the run off this list; nothing happens in the service (Del)"));
  refresh_->setToolTip(tr("Look at the runs again (F5)"));
  forget_->setShortcut(QKeySequence::Delete);
  refresh_->setShortcut(QKeySequence::Refresh);
  for (QAction* action : {open_, openFolder_, relaunch_, cancel_, forget_, refresh_}) {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
  }
  connect(open_, &QAction::triggered, this, [this] {
    if (const TrainingRun* run = selected()) emit openRequested(run->id);
  });
  connect(openFolder_, &QAction::triggered, this, &RunsPage::openFolderRequested);
  connect(relaunch_, &QAction::triggered, this, [this] {
    if (const TrainingRun* run = selected()) emit relaunchRequested(run->id);
  });
  connect(cancel_, &QAction::triggered, this, &RunsPage::askToCancel);
  connect(forget_, &QAction::triggered, this, &RunsPage::askToForget);
  connect(refresh_, &QAction::triggered, this, &RunsPage::refreshRequested);
}

QWidget* RunsPage::makeToolRow() {
  auto* row = new ToolRow(this);
  auto* title = new PlainLabel(tr("Runs"), row);
  makeHeading(title);
  filter_ = new QLineEdit(row);
  filter_->setPlaceholderText(tr("Filter by name, state, place …"));
  filter_->setAccessibleName(tr("Filter the runs"));
  addClearButton(filter_, tr("Clear the filter"));
  filter_->setMaximumWidth(280);
  connect(filter_, &QLineEdit::textChanged, sorted_, &QSortFilterProxyModel::setFilterFixedString);
  row->addWidget(title);
  row->addStretch();
  row->addWidget(filter_, 1);
  for (QAction* action : {open_, openFolder_, relaunch_, cancel_, forget_, refresh_}) row->addTool(action);
  return row;
}

QWidget* RunsPage::makeTable() {
  table_ = new QTreeView(this);
  table_->setModel(sorted_);
  table_->setRootIsDecorated(false);
  table_->setUniformRowHeights(true);
  table_->setAlternatingRowColors(true);
  table_->setAllColumnsShowFocus(true);
  table_->setSortingEnabled(true);
  table_->sortByColumn(RunsModel::kStarted, Qt::DescendingOrder);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  table_->addActions({open_, relaunch_, cancel_, forget_});
  table_->setAccessibleName(tr("Runs"));
  table_->setTextElideMode(Qt::ElideRight);
  const int widths[] = {230, 130, 150, 90, 70, 150};
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
  auto* layout = new QVBoxLayout(empty);
  layout->addStretch(2);
  layout->addWidget(icon, 0, Qt::AlignHCenter);
  layout->addWidget(title, 0, Qt::AlignHCenter);
  layout->addWidget(text);
  layout->addSpacing(10);
  layout->addWidget(button, 0, Qt::AlignHCenter);
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

void RunsPage::setHistoryUnknown(bool canMoveAside) {
  isKnown_ = false;
  moveAside_->setVisible(canMoveAside);
  showRightView();
}

void RunsPage::setRuns(std::vector<TrainingRun> runs) {
  isKnown_ = true;
  model_->setRuns(std::move(runs));
  showRightView();
  updateActions();
}

void RunsPage::updateRun(const TrainingRun& run) {
  model_->updateRun(run);
  showRightView();
  updateActions();
}

void RunsPage::showError(const Error& error) {
  statusBar_->showError(error);
}

void RunsPage::setRelaunching(bool isRelaunching) {
  isRelaunching_ = isRelaunching;
  updateActions();
}

void RunsPage::clearStatus() {
  statusBar_->clear();
}

void RunsPage::select(const RunId& id) {
  const auto row = model_->rowOf(id);
  if (row) table_->setCurrentIndex(sorted_->mapFromSource(model_->index(*row, 0)));
}

void RunsPage::showRightView() {
  const int whenEmpty = isKnown_ ? 0 : 2;
  stack_->setCurrentIndex(model_->rowCount() == 0 ? whenEmpty : 1);
  // The newest run is what Enter and the buttons are most likely about.
  if (selected()) return;
  table_->selectionModel()->setCurrentIndex(sorted_->index(0, 0),
                                            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

const TrainingRun* RunsPage::selected() const {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? nullptr : model_->run(sorted_->mapToSource(rows.first()).row());
}

void RunsPage::updateActions() {
  const TrainingRun* run = selected();
  open_->setEnabled(run);
  forget_->setEnabled(run);
  relaunch_->setEnabled(run && !isRelaunching_ && isRelaunchable(*run));
  cancel_->setEnabled(run && !isTerminal(stateOf(*run)) && !run->cancelRequested);
}

void RunsPage::askToCancel() {
  const TrainingRun* run = selected();
  if (!run) return;
  questionBar_->showMessage(
      Severity::Warning, tr("Cancel the run \"%1\"?").arg(toShownLine(run->name)),
      tr("All its nodes are asked to end. What was not saved in a checkpoint is lost."));
  auto* yes = questionBar_->addButton(tr("Cancel run"));
  auto* no = questionBar_->addButton(tr("Keep it running"));
  connect(yes, &QPushButton::clicked, this, [this, id = run->id] {
    questionBar_->clear();
    emit cancelRequested(id);
  });
  connect(no, &QPushButton::clicked, questionBar_, &MessageBar::clear);
  no->setFocus();
}

void RunsPage::askToForget() {
  const TrainingRun* run = selected();
  if (!run) return;
  const bool goesOn = !isTerminal(stateOf(*run));
  questionBar_->showMessage(
      Severity::Warning, tr("Forget the run \"%1\"?").arg(toShownLine(run->name)),
      goesOn ? tr("It has not ended: it continues in the service and may cost money, and this list will not "
                  "show it.")
             : tr("It is taken off this list. Its job, logs and metrics stay where they are."));
  auto* yes = questionBar_->addButton(tr("Forget"));
  auto* no = questionBar_->addButton(tr("Keep"));
  connect(yes, &QPushButton::clicked, this, [this, id = run->id] {
    questionBar_->clear();
    emit forgetRequested(id);
  });
  connect(no, &QPushButton::clicked, questionBar_, &MessageBar::clear);
  no->setFocus();
}

}  // namespace lockstep
