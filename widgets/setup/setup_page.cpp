// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/setup_page.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "widgets/common/issues/message_bar.h"
#include "widgets/common/layout/folding_splitter.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/setup/changes_panel.h"
#include "widgets/setup/facts_card.h"
#include "widgets/setup/fix_list.h"
#include "widgets/setup/fix_series_panel.h"
#include "widgets/setup/setup_header.h"
#include "widgets/setup/step_delegate.h"
#include "widgets/setup/step_details.h"
#include "widgets/setup/waiver_row.h"

namespace lockstep {
namespace {

constexpr int kMargin = 14;
constexpr int kListChars = 30;

}  // namespace

SetupPage::SetupPage(QWidget* parent)
    : QWidget(parent), steps_(new StepsModel(this)), message_(new MessageBar(this)) {
  makeActions();
  header_ = new SetupHeader(check_, rehearsal_, more_, this);
  connect(header_, &SetupHeader::profileChosen, this, [this](const QString& name) {
    steps_->clearReports();
    isStepChosen_ = false;
    emit profileChosen(name);
  });
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kMargin, kMargin, kMargin, kMargin / 2);
  column->setSpacing(10);
  column->addWidget(header_);
  column->addWidget(makeBody(), 1);
  column->addWidget(message_);  // below: what comes and goes there moves nothing from under the pointer
  connectDetails();
  refresh();
}

void SetupPage::makeActions() {
  const auto add = [this](const QString& icon, const QString& text, IconColor color = IconColor::Text) {
    return new QAction(themedIcon(icon, color), text, this);
  };
  // While the page is shown, wherever the keyboard is: it may still be at the list of pages.
  const auto addShortcut = [this](QAction* action, const QKeySequence& keys) {
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WindowShortcut);
    addAction(action);
  };
  check_ = add(QStringLiteral("refresh"), tr("&Check all"), IconColor::OnAccent);
  addShortcut(check_, QKeySequence(Qt::Key_F5));
  connect(check_, &QAction::triggered, this, &SetupPage::checkRequested);
  checkStep_ = add(QStringLiteral("refresh"), tr("Check this &step"));
  checkStep_->setToolTip(tr("Ask about this step alone (Shift+F5); nothing is created or changed"));
  addShortcut(checkStep_, QKeySequence(Qt::SHIFT | Qt::Key_F5));
  connect(checkStep_, &QAction::triggered, this, [this] { emit stepCheckRequested(currentStep()); });
  rehearsal_ = add(QStringLiteral("clusters"), tr("Use the re&hearsal region"));
  rehearsal_->setToolTip(
      tr("Start a region on this machine and sign in to it: nothing leaves this machine and "
         "nothing is billed"));
  connect(rehearsal_, &QAction::triggered, this, &SetupPage::rehearsalRequested);
  useFacts_ = add(QStringLiteral("clusters"), tr("&Use all that was found in train.yaml"));
  connect(useFacts_, &QAction::triggered, this, [this] { emit factsChosen(steps_->facts()); });
  QAction* html = add(QStringLiteral("export"), tr("Report as &HTML …"));
  connect(html, &QAction::triggered, this, [this] { emit reportRequested(true); });
  QAction* text = add(QStringLiteral("export"), tr("Report as &text …"));
  connect(text, &QAction::triggered, this, [this] { emit reportRequested(false); });
  QAction* statements = add(QStringLiteral("copy"), tr("Copy the &policy statements"));
  connect(statements, &QAction::triggered, this, &SetupPage::statementsRequested);
  QAction* terraform = add(QStringLiteral("export"), tr("Export as Terra&form …"));
  connect(terraform, &QAction::triggered, this, &SetupPage::terraformRequested);
  more_ = {useFacts_, html, text, statements, terraform};
}

QWidget* SetupPage::makeBody() {
  auto* split = new FoldingSplitter(this);
  QWidget* side = makeStepSide();
  split->addWidget(makeStepsSide());
  split->addWidget(side);
  split->setStretchFactor(0, 0);
  split->setStretchFactor(1, 1);
  split->setChildrenCollapsible(false);
  return split;
}

QWidget* SetupPage::makeStepSide() {
  auto* side = new QWidget(this);
  stack_ = new QStackedWidget(side);
  details_ = new StepDetails(stack_);
  details_->setCheckAction(checkStep_);
  changes_ = new ChangesPanel(stack_);
  series_ = new FixSeriesPanel(stack_);
  for (QWidget* page :
       {static_cast<QWidget*>(details_), static_cast<QWidget*>(changes_), static_cast<QWidget*>(series_)})
    stack_->addWidget(page);
  connect(series_, &FixSeriesPanel::closed, this, [this] { stack_->setCurrentWidget(details_); });
  connect(series_, &FixSeriesPanel::applyRequested, this,
          [this] { emit applyAllRequested(series_->fixes()); });
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addWidget(stack_, 1);
  column->addWidget(makeFooter());
  return side;
}

QWidget* SetupPage::makeFooter() {
  auto* footer = new QWidget(this);
  all_ = new QPushButton(footer);
  all_->setToolTip(tr("List every change that is previewed in the steps, to make them in one go"));
  next_ = new QPushButton(themedIcon(QStringLiteral("right")), QString(), footer);
  next_->setToolTip(tr("Go to the next step that something is missing for"));
  connect(all_, &QPushButton::clicked, this, [this] {
    series_->setFixes(steps_->unaskedFixes());
    stack_->setCurrentWidget(series_);
    series_->applyButton()->setFocus(Qt::OtherFocusReason);
  });
  connect(next_, &QPushButton::clicked, this, [this] {
    const int row = steps_->nextBlocked(list_->currentIndex().row());
    if (row >= 0) showStep(steps_->step(row).id);
  });
  auto* row = new QHBoxLayout(footer);
  row->setContentsMargins(14, 0, 4, 0);
  row->addWidget(all_);
  row->addStretch();
  row->addWidget(next_);
  return footer;
}

QWidget* SetupPage::makeStepsSide() {
  auto* side = new QWidget(this);
  list_ = new QListView(side);
  makeSidebar(list_);
  list_->setModel(steps_);
  list_->setAccessibleName(tr("Steps"));
  list_->setAccessibleDescription(
      tr("F5 checks all steps, Shift+F5 the current one; Enter leads to what can be "
         "done about it"));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  delegate_ = new StepDelegate(list_);
  list_->setItemDelegate(delegate_);
  list_->setMinimumWidth(fontMetrics().averageCharWidth() * kListChars);
  changesButton_ = new QPushButton(themedIcon(QStringLiteral("undo")), QString(), side);
  changesButton_->setCheckable(true);
  changesButton_->setToolTip(tr("What fixes have changed or created, and how to take it back"));
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addWidget(list_, 1);
  column->addWidget(changesButton_);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
    isStepChosen_ |= list_->hasFocus();
    if (stack_->currentWidget() != series_) stack_->setCurrentWidget(details_);
    showCurrent();
    refreshFooter();
  });
  connect(list_, &QListView::clicked, this, [this] {
    isStepChosen_ = true;
    if (!series_->isApplying()) stack_->setCurrentWidget(details_);
  });
  connect(list_, &QListView::activated, this, [this] {
    if (stack_->currentWidget() == details_) details_->fixes()->openFirst();
  });
  connect(changesButton_, &QPushButton::toggled, this,
          [this](bool on) { stack_->setCurrentWidget(on ? static_cast<QWidget*>(changes_) : details_); });
  connect(stack_, &QStackedWidget::currentChanged, this,
          [this] { changesButton_->setChecked(stack_->currentWidget() == changes_); });
  connect(steps_, &StepsModel::dataChanged, this, &SetupPage::refresh);
  list_->setCurrentIndex(steps_->index(0));
  return side;
}

void SetupPage::connectDetails() {
  ChoiceForm* form = details_->form();
  connect(form, &ChoiceForm::changed, this, [this](const std::string& fieldId, const SetupChoices& choices) {
    choices_ = choices;
    emit choicesChanged(fieldId, choices);
  });
  connect(form, &ChoiceForm::resourcesWanted, this, &SetupPage::resourcesWanted);
  connect(form, &ChoiceForm::fileWanted, this, &SetupPage::fileWanted);
  connect(details_->fixes(), &FixList::applyRequested, this,
          [this](const std::string& fixId) { emit applyRequested(details_->stepId(), fixId); });
  connect(details_->waiver(), &WaiverRow::waived, this,
          [this](const QString& reason) { emit waived(details_->stepId(), reason); });
  connect(details_->waiver(), &WaiverRow::dropped, this, [this] { emit waiverDropped(details_->stepId()); });
  connect(details_->facts(), &FactsCard::useRequested, this, &SetupPage::factsChosen);
  connect(changes_, &ChangesPanel::takeBackRequested, this, &SetupPage::takeBackRequested);
  refreshChangesButton();
}

void SetupPage::setProfiles(const QStringList& names, const QString& current) {
  const bool isAnother = current != currentProfile();
  header_->setProfiles(names, current);
  if (isAnother) {
    steps_->clearReports();
    isStepChosen_ = false;
  }
  refresh();
}

// Whoever has no mouse begins at the steps.
void SetupPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!window()->focusWidget()) list_->setFocus(Qt::OtherFocusReason);
}

QString SetupPage::currentProfile() const {
  return header_->currentProfile();
}

void SetupPage::setProfileSummary(const QString& text) {
  header_->setSummary(text);
}

void SetupPage::setLastCheck(const QString& text) {
  header_->setLastCheck(text);
}

void SetupPage::setChecking(const std::string& stepId) {
  steps_->setChecking(stepId, true);
}

void SetupPage::setReport(const std::string& stepId, const StepReport& report) {
  steps_->setReport(stepId, report);
}

void SetupPage::setRemembered(const std::string& stepId, const StepReport& report,
                              const QDateTime& checkedAt) {
  steps_->setRemembered(stepId, report, checkedAt);
}

void SetupPage::endChecking() {
  for (int row = 0; row < steps_->rowCount(); ++row) steps_->setChecking(steps_->step(row).id, false);
}

void SetupPage::endChecking(const std::string& stepId) {
  steps_->setChecking(stepId, false);
}

bool SetupPage::isChecking() const {
  return steps_->count(StepState::Checking) > 0;
}

void SetupPage::setChoices(const SetupChoices& choices) {
  choices_ = choices;
  details_->form()->setChoices(choices);
  showCurrent();
}

void SetupPage::setResources(ResourceKind kind, const ResourceChoices& resources) {
  details_->form()->setResources(kind, resources);
}

void SetupPage::clearResources() {
  details_->form()->clearResources();
}

void SetupPage::setField(const std::string& fieldId, const QString& value) {
  details_->form()->setField(fieldId, value);
}

void SetupPage::setApplying(const std::string& stepId, const std::string& fixId) {
  details_->fixes()->setApplying(stepId == details_->stepId() ? fixId : std::string());
  list_->setEnabled(fixId.empty());  // the preview of what is being done stays in sight
  // What had the focus, the button that applies, goes with the preview.
  const bool isTyping = qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr;
  if (fixId.empty() && isVisible() && !isTyping) list_->setFocus(Qt::OtherFocusReason);
}

void SetupPage::setApplyingAll(const QString& doing) {
  const bool isApplying = !doing.isEmpty();
  series_->setApplying(isApplying, doing);
  list_->setEnabled(!isApplying);
  refreshFooter();
  if (isApplying || stack_->currentWidget() != series_) return;
  stack_->setCurrentWidget(details_);
  if (isVisible()) list_->setFocus(Qt::OtherFocusReason);
}

void SetupPage::setChanges(const std::vector<AppliedChange>& changes) {
  changes_->setChanges(changes);
  refreshChangesButton();
}

void SetupPage::setTakingBack(const std::string& changeId) {
  // The button that was pressed goes; the keyboard stays near.
  if (!changeId.empty() && isVisible()) changesButton_->setFocus(Qt::OtherFocusReason);
  changes_->setTakingBack(changeId);
}

void SetupPage::refreshChangesButton() {
  const int count = changes_->standingCount();
  changesButton_->setText(count == 0 ? tr("Changes &made here") : tr("Changes &made here (%1)").arg(count));
}

void SetupPage::showError(const Error& error) {
  message_->showError(error);
}

void SetupPage::showStep(const std::string& stepId) {
  const int row = steps_->rowOf(stepId);
  if (row < 0) return;
  isStepChosen_ = true;
  list_->setCurrentIndex(steps_->index(row));
  stack_->setCurrentWidget(details_);
}

void SetupPage::showChanges() {
  stack_->setCurrentWidget(changes_);
}

void SetupPage::refresh() {
  const int all = steps_->rowCount();
  const int checking = steps_->count(StepState::Checking);
  const bool isBusy = checking > 0;
  header_->setCounts(steps_->settledCount(), all, all - checking - steps_->count(StepState::Unknown), isBusy,
                     steps_->count(StepState::Blocked));
  delegate_->setTurning(isBusy);
  check_->setEnabled(!isBusy);
  check_->setToolTip(isBusy ? tr("A check is under way")
                            : tr("Ask about every step; nothing is created or changed"));
  useFacts_->setEnabled(!steps_->facts().empty());
  if (!isBusy && !isStepChosen_) goToFirstBlocked();
  showCurrent();
  refreshFooter();
}

void SetupPage::goToFirstBlocked() {
  const int row = steps_->nextBlocked(-1);
  if (row >= 0 && row != list_->currentIndex().row()) list_->setCurrentIndex(steps_->index(row));
}

void SetupPage::refreshFooter() {
  const int fixes = static_cast<int>(steps_->unaskedFixes().size());
  all_->setText(tr("Make all %Ln change(s) …", nullptr, fixes));
  all_->setVisible(fixes > 1);
  all_->setEnabled(!series_->isApplying());
  const int current = list_->currentIndex().row();
  const int next = steps_->nextBlocked(current);
  const bool isOther = next >= 0 && next != current;
  next_->setText(isOther ? tr("Next: %1").arg(steps_->step(next).title) : QString());
  next_->setVisible(isOther);
  next_->setEnabled(!series_->isApplying());
}

void SetupPage::showCurrent() {
  const QModelIndex current = list_->currentIndex();
  if (!current.isValid()) return;
  const StepsModel::Step& step = steps_->step(current.row());
  const auto waiver = choices_.waived.find(step.id);
  details_->setNames(steps_->names());
  details_->showStep(step, waiver == choices_.waived.end() ? QString() : toQString(waiver->second));
  checkStep_->setEnabled(!step.isChecking);
}

std::string SetupPage::currentStep() const {
  return details_->stepId();
}

}  // namespace lockstep
