// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/runs_page.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QTreeView>
#include <algorithm>

#include "base/clock.h"
#include "runs/search/run_query.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/runs/file_bar.h"
#include "widgets/runs/marks_dialog.h"
#include "widgets/runs/run_state_text.h"
#include "widgets/runs/runs_model.h"

namespace lockstep {
namespace {

constexpr std::size_t kMostSelected = 20;  // that a comparison has room for

}  // namespace

RunsPage::RunsPage(QWidget* parent)
    : QWidget(parent),
      model_(new RunsModel(this)),
      statusBar_(new MessageBar(this)),
      questionBar_(new MessageBar(this)),
      fileBar_(new FileBar(this)) {
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
  mistake_ = new PlainLabel(this);
  mistake_->setWordWrap(true);
  mistake_->setAccessibleName(tr("What is wrong with the search"));
  mistake_->hide();
  layout->addWidget(mistake_);
  layout->addWidget(fileBar_);
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
  openFile_ = new QAction(themedIcon(QStringLiteral("open")), tr("Open run f&ile …"), this);
  openFolder_ = new QAction(themedIcon(QStringLiteral("open")), tr("Open fol&der …"), this);
  importFile_ = new QAction(tr("I&mport a file (.lockstep, .csv, TensorBoard) …"), this);
  importFolder_ = new QAction(tr("Import a folder of &TensorBoard …"), this);
  remote_ = new QAction(themedIcon(QStringLiteral("search")), tr("&Tenancy …"), this);
  relaunch_ = new QAction(themedIcon(QStringLiteral("play")), tr("Re&launch"), this);
  changedRelaunch_ = new QAction(tr("Relaunch with c&hanges …"), this);
  cancel_ = new QAction(themedIcon(QStringLiteral("stop")), tr("&Cancel run"), this);
  forget_ = new QAction(themedIcon(QStringLiteral("remove")), tr("&Forget"), this);
  refresh_ = new QAction(themedIcon(QStringLiteral("refresh")), tr("&Refresh"), this);
  compare_ = new QAction(themedIcon(QStringLiteral("clusters")), tr("Co&mpare"), this);
  marks_ = new QAction(themedIcon(QStringLiteral("new")), tr("&Tags and note …"), this);
  pin_ = new QAction(tr("&Pin"), this);
  archive_ = new QAction(tr("&Archive"), this);
  showArchived_ = new QAction(tr("Show arc&hived runs"), this);
  open_->setToolTip(tr("Open the run's live page (Enter)"));
  openFile_->setToolTip(tr(
      "Open a run that was saved into a .lockstep file, only to look at it; the file can also be dropped on "
      "the window (Ctrl+Alt+O)"));
  openFile_->setShortcut(QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O));
  importFile_->setToolTip(
      tr("Copy the runs of a file into this list: a .lockstep file, a table of Weights & Biases, Lightning "
         "or others, "
         "an event file of TensorBoard (Ctrl+Shift+I)"));
  importFile_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I));
  importFolder_->setToolTip(tr("Copy the runs that TensorBoard shows of a folder into this list"));
  openFolder_->setToolTip(
      tr("Open a run from its folder in a work dir, only to look at it; the folder can also be dropped on "
         "the window "
         "(Ctrl+Shift+O)"));
  openFolder_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
  remote_->setToolTip(
      tr("Find the jobs of the tenancy, whoever launched them, and take them up (Ctrl+Shift+F)"));
  remote_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
  relaunch_->setToolTip(
      tr("Launch the same again, from the text that the run was launched from (Ctrl+Shift+R)"));
  relaunch_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
  changedRelaunch_->setToolTip(
      tr("Launch the run again with other arguments, variables or values (Ctrl+Alt+R)"));
  changedRelaunch_->setShortcut(QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_R));
  cancel_->setToolTip(tr("Ask every node of the run to end"));
  forget_->setToolTip(tr("Take the run off this list; nothing happens in the service (Del)"));
  refresh_->setToolTip(tr("Look at the runs again (F5)"));
  forget_->setShortcut(QKeySequence::Delete);
  refresh_->setShortcut(QKeySequence::Refresh);
  compare_->setToolTip(
      tr("Lay the selected runs beside each other: curves, results and differences (Ctrl+M)"));
  compare_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_M));
  marks_->setToolTip(tr("Tags, group and note of the run (F2)"));
  marks_->setShortcut(QKeySequence(Qt::Key_F2));
  pin_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_D));
  archive_->setToolTip(tr("Take the selected runs out of the list; a search for is:archived finds them"));
  archive_->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_Delete));
  pin_->setCheckable(true);
  showArchived_->setCheckable(true);
  for (QAction* action :
       {open_, openFile_, openFolder_, importFile_, importFolder_, remote_, relaunch_, changedRelaunch_,
        cancel_, forget_, refresh_, compare_, marks_, pin_, archive_, showArchived_}) {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
  }
  connectActions();
}

void RunsPage::connectActions() {
  connect(open_, &QAction::triggered, this, [this] {
    if (const RunSummary* run = selected()) emit openRequested(run->id);
  });
  connect(openFile_, &QAction::triggered, this, &RunsPage::openFileRequested);
  connect(openFolder_, &QAction::triggered, this, &RunsPage::openFolderRequested);
  connect(importFile_, &QAction::triggered, this, &RunsPage::importFileRequested);
  connect(importFolder_, &QAction::triggered, this, &RunsPage::importFolderRequested);
  connect(fileBar_, &FileBar::runningChanged, this, [this](bool isRunning) {
    for (QAction* action : {importFile_, importFolder_}) action->setEnabled(!isRunning);
  });
  connect(remote_, &QAction::triggered, this, &RunsPage::remoteRequested);
  connect(relaunch_, &QAction::triggered, this, [this] {
    if (const RunSummary* run = selected()) emit relaunchRequested(run->id);
  });
  connect(changedRelaunch_, &QAction::triggered, this, [this] {
    if (const RunSummary* run = selected()) emit changedRelaunchRequested(run->id);
  });
  connect(cancel_, &QAction::triggered, this, &RunsPage::askToCancel);
  connect(forget_, &QAction::triggered, this, &RunsPage::askToForget);
  connect(refresh_, &QAction::triggered, this, &RunsPage::refreshRequested);
  connect(marks_, &QAction::triggered, this, &RunsPage::editMarks);
  connect(pin_, &QAction::triggered, this, &RunsPage::togglePinned);
  connect(archive_, &QAction::triggered, this, &RunsPage::toggleArchived);
  connect(showArchived_, &QAction::toggled, this, &RunsPage::search);
  connect(compare_, &QAction::triggered, this, [this] {
    std::vector<RunId> ids;
    for (const RunSummary* run : allSelected()) ids.push_back(run->id);
    emit compareRequested(ids);
  });
}

void RunsPage::setHistoryUnknown(bool canMoveAside) {
  isKnown_ = false;
  moveAside_->setVisible(canMoveAside);
  showRightView();
}

void RunsPage::setRuns(std::vector<RunSummary> runs) {
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

void RunsPage::updateFindings(const RunId& id, const RunFindings& findings) {
  model_->setFindings(id, findings);
  showRightView();
  updateActions();
}

void RunsPage::showError(const Error& error) {
  statusBar_->showError(error);
}

void RunsPage::showMessage(const QString& title, const QString& text) {
  statusBar_->showMessage(Severity::Info, title, text);
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
  if (row) table_->setCurrentIndex(model_->index(*row, 0));
}

void RunsPage::showRightView() {
  const int whenEmpty = isKnown_ ? 0 : 2;
  stack_->setCurrentIndex(model_->runCount() == 0 ? whenEmpty : 1);
  // The newest run is what Enter and the buttons are most likely about.
  if (selected()) return;
  table_->selectionModel()->setCurrentIndex(model_->index(0, 0),
                                            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

const RunSummary* RunsPage::selected() const {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  if (rows.isEmpty()) return nullptr;
  // Of several the one that the keyboard is on.
  const QModelIndex current = table_->currentIndex();
  const bool isChosen = rows.contains(current.siblingAtColumn(0));
  return model_->run(isChosen ? current.row() : rows.first().row());
}

std::vector<const RunSummary*> RunsPage::allSelected() const {
  QModelIndexList rows = table_->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end(),
            [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
  std::vector<const RunSummary*> runs;
  for (const QModelIndex& row : rows)
    if (const RunSummary* run = model_->run(row.row())) runs.push_back(run);
  return runs;
}

void RunsPage::updateActions() {
  const RunSummary* run = selected();
  const std::size_t count = allSelected().size();
  open_->setEnabled(run);
  forget_->setEnabled(run && count == 1);
  for (QAction* action : {relaunch_, changedRelaunch_})
    action->setEnabled(run && count == 1 && !isRelaunching_ && isRelaunchable(*run));
  cancel_->setEnabled(run && count == 1 && !isTerminal(run->state) && !run->cancelRequested);
  compare_->setEnabled(count >= 2 && count <= kMostSelected);
  marks_->setEnabled(run && count == 1);
  pin_->setEnabled(run);
  pin_->setChecked(run && run->marks.isPinned);
  archive_->setEnabled(run && isTerminal(run->state));
  archive_->setText(run && run->marks.isArchived ? tr("Take out of the &archive") : tr("&Archive"));
}

void RunsPage::search() {
  const auto query = parseRunQuery(filter_->text().toStdString(), SystemClock().now());
  mistake_->setVisible(!query);
  if (!query) {  // half a word is typed: what was found before stays
    mistake_->setText(tr("%1: %2").arg(toQString(query.error().where), toQString(query.error().cause)));
    return;
  }
  model_->setQuery(*query, showArchived_->isChecked());
  showRightView();
  updateActions();
}

void RunsPage::editMarks() {
  const RunSummary* run = selected();
  if (!run) return;
  auto* dialog = new MarksDialog(toShownLine(run->name), run->marks, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this,
          [this, dialog, id = run->id] { emit marksChanged(id, dialog->marks()); });
  dialog->open();
}

void RunsPage::togglePinned() {
  const RunSummary* chosen = selected();
  if (!chosen) return;
  const bool isPinned = !chosen->marks.isPinned;
  for (const RunSummary* run : allSelected()) {
    RunMarks marks = run->marks;
    marks.isPinned = isPinned;
    emit marksChanged(run->id, marks);
  }
}

void RunsPage::toggleArchived() {
  const RunSummary* chosen = selected();
  if (!chosen) return;
  const bool isArchived = !chosen->marks.isArchived;
  for (const RunSummary* run : allSelected()) {
    if (!isTerminal(run->state)) continue;
    RunMarks marks = run->marks;
    marks.isArchived = isArchived;
    emit marksChanged(run->id, marks);
  }
}

void RunsPage::askToCancel() {
  const RunSummary* run = selected();
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
  const RunSummary* run = selected();
  if (!run) return;
  const bool goesOn = !isTerminal(run->state), isImported = run->backend == kFileBackend;
  questionBar_->showMessage(
      Severity::Warning, tr("Forget the run \"%1\"?").arg(toShownLine(run->name)),
      goesOn ? tr("It has not ended: it continues in the service and may cost money, and this list will not "
                  "show it.")
      : isImported
          ? tr("It is taken off this list, and the copy of its file that this machine has is removed.")
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
