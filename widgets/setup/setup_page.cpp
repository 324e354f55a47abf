// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/setup_page.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include "widgets/common/elided_label.h"
#include "widgets/common/message_bar.h"
#include "widgets/common/theme.h"
#include "widgets/setup/step_details.h"
#include "widgets/setup/steps_model.h"

namespace lockstep {
namespace {
constexpr int kMargin = 14;
}

SetupPage::SetupPage(QWidget* parent)
    : QWidget(parent),
      steps_(new StepsModel(this)),
      check_(new QAction(themedIcon(QStringLiteral("refresh"), IconColor::OnAccent), tr("&Check all"), this)),
      rehearsal_(new QAction(themedIcon(QStringLiteral("clusters")), tr("Use the re&hearsal region"), this)),
      message_(new MessageBar(this)) {
  check_->setShortcut(QKeySequence(Qt::Key_F5));
  check_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(check_);
  connect(check_, &QAction::triggered, this, &SetupPage::checkRequested);
  connect(rehearsal_, &QAction::triggered, this, &SetupPage::rehearsalRequested);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kMargin, kMargin, kMargin, kMargin / 2);
  column->setSpacing(10);
  column->addWidget(makeHeader());
  column->addWidget(message_);
  column->addWidget(makeBody(), 1);
  activity_ = new ElidedLabel(this);
  activity_->setMuted(true);
  column->addWidget(activity_);
  setProfiles({}, {});
  refresh();
}

QWidget* SetupPage::makeHeader() {
  auto* card = new QFrame(this);
  makeCard(card);
  auto* label = new QLabel(tr("&Profile"), card);
  profiles_ = new QComboBox(card);
  profiles_->setMinimumContentsLength(16);
  label->setBuddy(profiles_);
  profiles_->setAccessibleDescription(tr("The profile of the OCI config file that requests are signed with"));
  connect(profiles_, &QComboBox::textActivated, this, [this](const QString& name) {
    steps_->clearReports();
    emit profileChosen(name);
  });
  auto* rehearsalButton = new QPushButton(rehearsal_->icon(), rehearsal_->text(), card);
  rehearsalButton->setToolTip(
      tr("Start a region on this machine and sign in to it: nothing leaves this machine and "
         "nothing is billed"));
  connect(rehearsalButton, &QPushButton::clicked, rehearsal_, &QAction::trigger);
  checkButton_ = new QPushButton(check_->icon(), tr("&Check all (F5)"), card);
  makePrimary(checkButton_);
  connect(checkButton_, &QPushButton::clicked, check_, &QAction::trigger);
  summary_ = new ElidedLabel(card);
  summary_->setMuted(true);
  counts_ = new QLabel(card);
  progress_ = new QProgressBar(card);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Progress of the check"));
  QSizePolicy stays = progress_->sizePolicy();
  stays.setRetainSizeWhenHidden(true);
  progress_->setSizePolicy(stays);

  auto* first = new QHBoxLayout;
  first->addWidget(label);
  first->addWidget(profiles_);
  first->addStretch();
  first->addWidget(rehearsalButton);
  first->addWidget(checkButton_);
  auto* second = new QHBoxLayout;
  second->addWidget(summary_, 1);
  second->addWidget(counts_);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(kMargin, 12, kMargin, 6);
  column->addLayout(first);
  column->addLayout(second);
  column->addWidget(progress_);
  return card;
}

QWidget* SetupPage::makeBody() {
  auto* split = new QSplitter(Qt::Horizontal, this);
  list_ = new QListView(split);
  makeSidebar(list_);
  list_->setModel(steps_);
  list_->setAccessibleName(tr("Steps"));
  list_->setIconSize(QSize(20, 20));
  list_->setMinimumWidth(fontMetrics().averageCharWidth() * 26);
  details_ = new StepDetails(split);
  split->addWidget(list_);
  split->addWidget(details_);
  split->setStretchFactor(0, 0);
  split->setStretchFactor(1, 1);
  split->setChildrenCollapsible(false);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &SetupPage::showCurrent);
  connect(steps_, &StepsModel::dataChanged, this, &SetupPage::refresh);
  list_->setCurrentIndex(steps_->index(0));
  return split;
}

void SetupPage::setProfiles(const QStringList& names, const QString& current) {
  const bool isAnother = current != currentProfile();
  profiles_->clear();
  profiles_->addItems(names);
  profiles_->setCurrentIndex(static_cast<int>(names.indexOf(current)));
  profiles_->setPlaceholderText(names.isEmpty() ? tr("no profile yet") : tr("choose a profile"));
  profiles_->setEnabled(!names.isEmpty());
  if (isAnother) steps_->clearReports();
  refresh();
}

QString SetupPage::currentProfile() const {
  return profiles_->currentText();
}

void SetupPage::setProfileSummary(const QString& text) {
  summary_->setText(text);
}

void SetupPage::setChecking(const std::string& stepId) {
  message_->clear();
  steps_->setReport(stepId, {StepState::Checking, {}});
}

void SetupPage::setReport(const std::string& stepId, const StepReport& report) {
  steps_->setReport(stepId, report);
}

bool SetupPage::isChecking() const {
  return steps_->count(StepState::Checking) > 0;
}

void SetupPage::setActivity(const QString& text) {
  activity_->setText(text);
}

void SetupPage::showStatus(const Status& status) {
  message_->showStatus(status);
}

void SetupPage::refresh() {
  const int checking = steps_->count(StepState::Checking);
  const int all = steps_->rowCount();
  const int ready = steps_->count(StepState::Ready) + steps_->count(StepState::NotApplicable);
  const int unknown = steps_->count(StepState::Unknown);
  counts_->setText(unknown == all ? QString() : tr("%1 of %2 ready").arg(ready).arg(all));
  progress_->setVisible(checking > 0);
  progress_->setRange(0, all);
  progress_->setValue(all - checking - unknown);
  const bool canCheck = checking == 0 && profiles_->currentIndex() >= 0;
  check_->setEnabled(canCheck);
  checkButton_->setEnabled(canCheck);
  checkButton_->setToolTip(checking > 0 ? tr("A check is under way")
                           : canCheck ? tr("Ask the service about every step; nothing is created or changed")
                                      : tr("Choose a profile first, or use the rehearsal region"));
  showCurrent();
}

void SetupPage::showCurrent() {
  const QModelIndex current = list_->currentIndex();
  if (current.isValid()) details_->showStep(steps_->step(current.row()));
}

}  // namespace lockstep
