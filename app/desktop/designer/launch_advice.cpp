// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/launch_advice.h"

#include <QPushButton>
#include <utility>

#include "app/desktop/designer/placeholders.h"
#include "app/desktop/setup/setup_controller.h"
#include "app/desktop/window/main_window.h"
#include "setup/step/launch_refusal.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/setup/setup_page.h"

namespace lockstep {

LaunchAdvice::LaunchAdvice(MainWindow* window, SetupController* setup, QObject* parent)
    : QObject(parent), window_(window), setup_(setup) {
  connect(window_->setupPage()->stepsModel(), &StepsModel::dataChanged, this, &LaunchAdvice::refresh);
  connect(window_->designerPage()->cluster(), &EditableCluster::documentChanged, this,
          &LaunchAdvice::refresh);
  connect(setup_, &SetupController::profileShown, this, &LaunchAdvice::refresh);
  connect(&setup_->checks(), &SetupChecks::checked, this, &LaunchAdvice::finishFilling);
  // A file that was there before the profile was known.
  connect(setup_, &SetupController::ready, this, [this] {
    if (!window_->designerPage()->messageBar()->hasMessage()) offerFilling();
  });
  refresh();
}

// What is being checked again is what it was until the answer is there.
void LaunchAdvice::refresh() {
  const StepsModel& steps = *window_->setupPage()->stepsModel();
  LaunchReadiness readiness;
  readiness.isChecked = true;
  for (int row = 0; row < steps.rowCount(); ++row) {
    const StepState state = steps.step(row).report.state;
    readiness.isChecked = readiness.isChecked && state != StepState::Unknown;
    if (state == StepState::Blocked) readiness.missing << steps.step(row).title;
  }
  readiness.isRehearsal = setup_->profiles().isRehearsal;
  readiness.isFileBehind = readiness.isChecked && readiness.missing.isEmpty() && isFileBehind();
  window_->designerPage()->setReadiness(readiness);
}

// Facts about parts that the file does not have cannot be missing in it.
bool LaunchAdvice::isFileBehind() const {
  const ClusterDocument& document = window_->designerPage()->cluster()->document();
  const auto filled = withFacts(document, setup_->newFacts(window_->setupPage()->stepsModel()->facts()));
  return filled && filled->text() != document.text();
}

std::string LaunchAdvice::firstBlocked() const {
  const StepsModel& steps = *window_->setupPage()->stepsModel();
  for (int row = 0; row < steps.rowCount(); ++row)
    if (steps.step(row).report.state == StepState::Blocked) return steps.step(row).id;
  return {};
}

void LaunchAdvice::addStepButton(const std::string& stepId) {
  QPushButton* open =
      window_->designerPage()->messageBar()->addButton(tr("Open Setup: %1").arg(stepTitle(stepId)));
  connect(open, &QPushButton::clicked, this, [this, stepId] {
    window_->showPage(Page::Setup);
    window_->setupPage()->showStep(stepId);
  });
}

void LaunchAdvice::offerWayOut(const Error& refusal) {
  const std::string behind = stepBehind(refusal);
  if (behind.empty()) return;
  const SetupFacts facts = setup_->newFacts(window_->setupPage()->stepsModel()->facts());
  if (!facts.empty()) {
    QPushButton* use = window_->designerPage()->messageBar()->addButton(tr("Use what the set-up found"));
    connect(use, &QPushButton::clicked, this, [this, facts] { emit setup_->factsChosen(facts); });
  }
  // What is missing explains a 404 better than any policy does.
  const std::string blocked = firstBlocked();
  addStepButton(behind == "policies" && !blocked.empty() ? blocked : behind);
}

void LaunchAdvice::fillTemplate() {
  if (!hasPlaceholders(window_->designerPage()->cluster()->document())) return;
  fill();
  offerFilling();
}

void LaunchAdvice::offerFilling() {
  DesignerPage* page = window_->designerPage();
  const std::string& profile = setup_->query().profile;
  if (setup_->profiles().empty() || setup_->profiles().problem || profile.empty()) return;
  if (!hasPlaceholders(page->cluster()->document())) return;
  if (!page->messageBar()->hasMessage())
    page->showMessage(Severity::Info, tr("This train.yaml leaves ids and places open"),
                      tr("A check of the tenancy finds what can stand there."));
  QPushButton* fillIn = page->messageBar()->addButton(tr("Fill in from “%1”").arg(toQString(profile)));
  connect(fillIn, &QPushButton::clicked, this, &LaunchAdvice::checkThenFill);
}

void LaunchAdvice::checkThenFill() {
  DesignerPage* page = window_->designerPage();
  page->showMessage(Severity::Info, tr("Looking at what “%1” has …").arg(toQString(setup_->query().profile)),
                    tr("The steps of the set-up are checked; nothing is created or changed."));
  fillsAfterCheck_ = true;
  setup_->checkAll();
}

void LaunchAdvice::finishFilling() {
  if (!fillsAfterCheck_ || window_->setupPage()->isChecking()) return;
  fillsAfterCheck_ = false;
  DesignerPage* page = window_->designerPage();
  const bool isFilled = fill();
  if (!hasPlaceholders(page->cluster()->document())) return page->messageBar()->clear();
  page->showMessage(Severity::Warning,
                    isFilled ? tr("Filled in as far as the set-up found something")
                             : tr("The set-up found nothing that could be filled in"),
                    tr("The rest has to be created or chosen first."));
  const std::string blocked = firstBlocked();
  if (!blocked.empty()) addStepButton(blocked);
}

bool LaunchAdvice::fill() {
  EditableCluster* cluster = window_->designerPage()->cluster();
  const auto filled =
      withPlaceholdersFilled(cluster->document(), window_->setupPage()->stepsModel()->facts());
  if (!filled || *filled == cluster->text()) return false;
  const auto put = [&filled](const ClusterDocument& document) -> Result<TextEdit> {
    return TextEdit{0, document.text(), *filled};
  };
  const QString profile = toQString(setup_->query().profile);
  if (!cluster->edit(tr("fill in from “%1”").arg(profile), {}, {put})) return false;
  window_->showNote(tr("Filled in from “%1”; undo takes it back").arg(profile));
  return true;
}

}  // namespace lockstep
