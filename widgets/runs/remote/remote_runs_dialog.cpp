// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/remote/remote_runs_dialog.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "widgets/common/issues/message_bar.h"
#include "widgets/common/layout/elided_combo.h"
#include "widgets/common/layout/flow_layout.h"
#include "widgets/common/pickers/clear_button.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/runs/remote/remote_runs_filter.h"
#include "widgets/runs/remote/remote_runs_model.h"

namespace lockstep {
namespace {

/// What there is to choose of, with all of it first; what was chosen stays so.
void fill(QComboBox* combo, const QString& all, const std::map<QString, QString>& idsByName) {
  const QString before = combo->currentData().toString();
  const QSignalBlocker quiet(combo);
  combo->clear();
  combo->addItem(all, QString());
  for (const auto& [name, id] : idsByName) combo->addItem(name, id);
  combo->setCurrentIndex(std::max(0, combo->findData(before)));
  combo->setEnabled(!idsByName.empty());
}

ElidedCombo* combo(const QString& name, QWidget* parent) {
  auto* made = new ElidedCombo(parent);
  made->setAccessibleName(name);
  made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  return made;
}

}  // namespace

RemoteRunsDialog::RemoteRunsDialog(QWidget* parent)
    : QDialog(parent),
      model_(new RemoteRunsModel(this)),
      filter_(new RemoteRunsFilter(this)),
      place_(new PlainLabel(this)),
      messages_(new MessageBar(this)),
      progress_(new QProgressBar(this)),
      count_(new PlainLabel(this)) {
  setWindowTitle(tr("Jobs of the tenancy"));
  filter_->setSourceModel(model_);
  makeCaption(place_);
  makeCaption(count_);
  count_->setWordWrap(true);
  progress_->setTextVisible(false);
  progress_->setMaximumHeight(6);
  progress_->setAccessibleName(tr("Compartments that were looked into"));
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(place_);
  layout->addWidget(makeFilters());
  layout->addWidget(messages_);
  layout->addWidget(makeTable(), 1);
  layout->addWidget(progress_);
  layout->addWidget(count_);
  layout->addWidget(makeButtons());
  resize(1000, 560);
  fillPlaces();
  updateButtons();
}

QWidget* RemoteRunsDialog::makeFilters() {
  auto* row = new QWidget(this);
  search_ = new QLineEdit(row);
  search_->setPlaceholderText(tr("Filter by name, state, OCID …"));
  search_->setAccessibleName(tr("Filter the jobs"));
  search_->setMinimumWidth(240);
  search_->setMaxLength(200);
  addClearButton(search_, tr("Clear the filter"));
  compartments_ = combo(tr("Compartment"), row);
  projects_ = combo(tr("Project"), row);
  states_ = combo(tr("State"), row);
  states_->addItem(tr("Running and ended"));
  states_->addItem(tr("Only running"));
  auto* layout = new FlowLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  for (QWidget* part : {static_cast<QWidget*>(search_), static_cast<QWidget*>(compartments_),
                        static_cast<QWidget*>(projects_), static_cast<QWidget*>(states_)})
    layout->addWidget(part);
  connect(search_, &QLineEdit::textChanged, filter_, &RemoteRunsFilter::setText);
  connect(compartments_, &QComboBox::currentIndexChanged, this,
          [this] { filter_->setCompartment(compartments_->currentData().toString()); });
  connect(projects_, &QComboBox::currentIndexChanged, this,
          [this] { filter_->setProject(projects_->currentData().toString()); });
  connect(states_, &QComboBox::currentIndexChanged, this,
          [this](int index) { filter_->setOnlyRunning(index == 1); });
  return row;
}

QWidget* RemoteRunsDialog::makeTable() {
  table_ = new QTreeView(this);
  table_->setModel(filter_);
  table_->setUniformRowHeights(true);
  table_->setAlternatingRowColors(true);
  table_->setAllColumnsShowFocus(true);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setSortingEnabled(true);
  table_->sortByColumn(RemoteRunsModel::kStarted, Qt::DescendingOrder);
  table_->setAccessibleName(tr("Jobs of the tenancy"));
  table_->setTextElideMode(Qt::ElideRight);
  const int widths[] = {230, 120, 140, 80, 140, 120};
  for (int column = 0; column < static_cast<int>(std::size(widths)); ++column)
    table_->setColumnWidth(column, widths[column]);
  table_->header()->setStretchLastSection(true);
  table_->header()->setStyleSheet(QStringLiteral("QHeaderView::section { padding: 4px 3px; }"));
  connect(table_, &QTreeView::activated, this, &RemoteRunsDialog::openCurrent);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &RemoteRunsDialog::updateButtons);
  for (auto change : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(filter_, change, this, &RemoteRunsDialog::updateCount);
  connect(filter_, &QAbstractItemModel::modelReset, this, &RemoteRunsDialog::updateCount);
  return table_;
}

QWidget* RemoteRunsDialog::makeButtons() {
  auto* row = new QWidget(this);
  look_ = new QPushButton(themedIcon(QStringLiteral("refresh")), tr("&Look again"), row);
  takeUpRunning_ = new QPushButton(row);
  takeUp_ = new QPushButton(tr("&Take up"), row);
  open_ = new QPushButton(tr("&Open"), row);
  auto* close = new QPushButton(tr("Close"), row);
  takeUpRunning_->setToolTip(
      tr("All jobs that are running and do not stand among the runs of this computer"));
  takeUp_->setToolTip(
      tr("The chosen jobs stand among the runs of this computer then: their logs and metrics can be "
         "followed, and they can be cancelled where the policies allow it"));
  open_->setToolTip(tr("The page of the chosen job, which is taken up first where it is new here (Enter)"));
  for (QPushButton* button : {look_, takeUpRunning_, takeUp_, open_, close}) button->setAutoDefault(false);
  makePrimary(open_);
  auto* layout = new FlowLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  for (QPushButton* button : {look_, takeUpRunning_, takeUp_, open_, close}) layout->addWidget(button);
  connect(look_, &QPushButton::clicked, this, &RemoteRunsDialog::lookRequested);
  connect(takeUpRunning_, &QPushButton::clicked, this, [this] { takeUp(newOnes(true)); });
  connect(takeUp_, &QPushButton::clicked, this, [this] { takeUp(chosen()); });
  connect(open_, &QPushButton::clicked, this, &RemoteRunsDialog::openCurrent);
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  return row;
}

void RemoteRunsDialog::setPlace(const QString& place) {
  place_->setText(place);
}

void RemoteRunsDialog::setLooking(std::size_t done, std::size_t of) {
  if (!isLooking_) messages_->clear();
  isLooking_ = true;
  progress_->setRange(0, static_cast<int>(of));
  progress_->setValue(static_cast<int>(done));
  updateCount();
  updateButtons();
}

void RemoteRunsDialog::setRuns(RemoteRuns runs, std::map<std::string, RunId> known) {
  isLooking_ = false;
  forbidden_ = runs.forbidden.size();
  model_->setNow(SystemClock().now());
  model_->setRuns(std::move(runs.runs), std::move(known));
  fillPlaces();
  filter_->setCompartment(compartments_->currentData().toString());
  filter_->setProject(projects_->currentData().toString());
  if (filter_->rowCount() > 0) table_->setCurrentIndex(filter_->index(0, 0));
  updateCount();
  updateButtons();
}

void RemoteRunsDialog::setKnown(const JobId& job, const RunId& run) {
  model_->setKnown(job, run);
  updateButtons();
}

void RemoteRunsDialog::setTakingUp(bool isTakingUp) {
  isTakingUp_ = isTakingUp;
  updateButtons();
}

void RemoteRunsDialog::showError(const Error& error) {
  isLooking_ = false;
  messages_->showError(error);
  updateCount();
  updateButtons();
}

void RemoteRunsDialog::fillPlaces() {
  std::map<QString, QString> compartments, projects;
  for (const RemoteRun& run : model_->runs()) {
    const QString path = run.compartment.empty() ? tr("(tenancy)") : toShownLine(run.compartment);
    compartments[path] = toQString(run.compartmentId);
    if (!run.projectId.empty())
      projects[toShownLine(run.project.empty() ? run.projectId : run.project)] = toQString(run.projectId);
  }
  fill(compartments_, tr("All compartments"), compartments);
  fill(projects_, tr("All projects"), projects);
}

void RemoteRunsDialog::updateCount() {
  progress_->setVisible(isLooking_);
  if (isLooking_) {
    count_->setText(
        progress_->maximum() == 0
            ? tr("Looking for compartments …")
            : tr("%1 of %2 compartments looked into").arg(progress_->value()).arg(progress_->maximum()));
    return;
  }
  QString text = tr("%Ln job(s)", nullptr, filter_->rowCount());
  if (filter_->rowCount() < model_->rowCount())
    text = tr("%1 of %2 jobs").arg(filter_->rowCount()).arg(model_->rowCount());
  if (forbidden_ > 0)
    text +=
        QStringLiteral(" · ") + tr("%Ln compartment(s) not looked into: the job runs there may not be read",
                                   nullptr, static_cast<int>(forbidden_));
  count_->setText(text);
}

void RemoteRunsDialog::updateButtons() {
  const bool isFree = !isLooking_ && !isTakingUp_;
  const int running = static_cast<int>(newOnes(true).size());
  look_->setEnabled(isFree);
  takeUpRunning_->setText(running == 0 ? tr("Take up all &running")
                                       : tr("Take up all &running (%1)").arg(running));
  takeUpRunning_->setEnabled(isFree && running > 0);
  takeUp_->setEnabled(isFree && !chosen().empty());
  open_->setEnabled(isFree && table_->selectionModel()->selectedRows().size() == 1);
}

std::vector<JobId> RemoteRunsDialog::newOnes(bool onlyRunning) const {
  std::vector<JobId> jobs;
  for (const RemoteRun& run : model_->runs())
    if (!model_->knownAs(run) && (!onlyRunning || !isTerminal(run.state))) jobs.push_back(run.jobId);
  return jobs;
}

std::vector<JobId> RemoteRunsDialog::chosen() const {
  std::set<std::string> ids;
  for (const QModelIndex& row : table_->selectionModel()->selectedRows())
    if (const RemoteRun* run = model_->run(filter_->mapToSource(row)); run && !model_->knownAs(*run))
      ids.insert(run->jobId.value);
  return {ids.begin(), ids.end()};
}

void RemoteRunsDialog::takeUp(const std::vector<JobId>& jobs) {
  messages_->clear();
  if (!jobs.empty()) emit takeUpRequested(jobs, false);
}

void RemoteRunsDialog::openCurrent() {
  const RemoteRun* run = model_->run(filter_->mapToSource(table_->currentIndex()));
  if (!run || isTakingUp_) return;
  if (const auto known = model_->knownAs(*run)) {
    emit openRequested(*known);
  } else {
    messages_->clear();
    emit takeUpRequested({run->jobId}, true);
  }
}

}  // namespace lockstep
