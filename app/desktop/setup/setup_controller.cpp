// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/setup/setup_controller.h"

#include <QPushButton>
#include <algorithm>
#include <utility>

#include "app/desktop/runs/launch_cluster.h"
#include "app/desktop/window/main_window.h"
#include "app/desktop/window/settings.h"
#include "setup/step/setup_facts.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/setup/choice_fields.h"
#include "widgets/setup/setup_page.h"

namespace lockstep {
namespace {

QString summaryOf(const ProfileList& list) {
  QStringList facts;
  for (const std::string* fact : {&list.region, &list.endpoint, &list.user, &list.chosen.configFile}) {
    if (!fact->empty()) facts << toQString(*fact);
  }
  return facts.join(QStringLiteral(" · "));
}

}  // namespace

SetupController::SetupController(MainWindow* window, Settings* settings, oci::ProfileQuery override,
                                 QObject* parent)
    : QObject(parent),
      window_(window),
      settings_(settings),
      override_(std::move(override)),
      checks_(window->setupPage()),
      fixes_(window->setupPage(), &checks_),
      exports_(window->setupPage(), &checks_),
      secrets_(window) {
  checks_.setSecrets(secrets_.store());
  profiles_.chosen = wanted();  // until they are read
  connectPage();
}

SetupController::~SetupController() = default;

void SetupController::connectPage() {
  SetupPage* page = window_->setupPage();
  connect(page, &SetupPage::profileChosen, this, &SetupController::choose);
  connect(page, &SetupPage::checkRequested, this, &SetupController::checkAll);
  connect(page, &SetupPage::rehearsalRequested, this, &SetupController::startRehearsal);
  connect(page, &SetupPage::stepCheckRequested, this,
          [this](const std::string& stepId) { checks_.check({stepId}); });
  connect(page, &SetupPage::waived, this, &SetupController::waive);
  connect(page, &SetupPage::waiverDropped, this, [this](const std::string& stepId) { waive(stepId, {}); });
  connect(page, &SetupPage::choicesChanged, this,
          [this](const std::string& fieldId, const SetupChoices& choices) {
            checks_.choose(choices, stepsUsing(fieldId));
          });
  connect(page, &SetupPage::resourcesWanted, this, &SetupController::list);
  connect(&catalogue_, &TenancyCatalogue::changed, page, &SetupPage::setResources);
  connect(page->stepsModel(), &StepsModel::dataChanged, this,
          [this, page] { window_->designerPage()->setNames(page->stepsModel()->names()); });
  connect(page, &SetupPage::factsChosen, this, &SetupController::factsChosen);
  connect(page, &SetupPage::terraformRequested, this, [this] {
    window_->showPage(Page::Clusters);  // where the exporter says what came of it
    emit window_->designerPage()->exportRequested(ExportTarget::Terraform);
  });
  const auto noteFix = [this](const std::string& stepId) { noteFixes({stepId}); };
  connect(&fixes_, &SetupFixes::applied, this, noteFix);
  connect(&fixes_, &SetupFixes::appliedAll, this, &SetupController::noteFixes);
  connect(&fixes_, &SetupFixes::takenBack, this, noteFix);
  connect(&checks_, &SetupChecks::checked, this, &SetupController::adoptFacts);
  connect(&checks_, &SetupChecks::checked, this, &SetupController::offerFacts);
}

oci::ProfileQuery SetupController::wanted() const {
  const Preferences& chosen = settings_->preferences;
  return {override_.configFile.empty() ? toStdString(chosen.configFile) : override_.configFile,
          override_.profile.empty() ? toStdString(chosen.profile) : override_.profile};
}

void SetupController::setReadOnly(bool isReadOnly) {
  checks_.setReadOnly(isReadOnly);
  secrets_.setCanAsk(!isReadOnly);
}

void SetupController::start(bool startsRegion) {
  read(startsRegion);
}

void SetupController::read(bool startsRegion) {
  readTask_.start([query = wanted()](const std::stop_token&) { return readProfiles(query); },
                  [this, startsRegion](const ProfileList& list) {
                    const bool isFirstStart = list.empty() && !list.problem;
                    show(list);
                    if (startsRegion && (isFirstStart || rehearsalOf(list.chosen)))
                      return runRegion(isFirstStart);
                    finish();
                  });
}

void SetupController::show(const ProfileList& list) {
  profiles_ = list;
  profiles_.chosen.passPhrases = passPhrases_;
  QStringList names;
  for (const std::string& name : list.names) names << toQString(name);
  const bool known = !list.empty() && !list.problem;
  window_->setupPage()->setProfiles(names, toQString(list.chosen.profile));
  window_->setupPage()->setProfileSummary(known ? summaryOf(list) : QString());
  if (list.problem) window_->setupPage()->showError(*list.problem);
  window_->designerPage()->setRehearsing(rehearsalOf(list.chosen).has_value());
  window_->designerPage()->setLaunchObstacle(known ? QString()
                                                   : tr("there is no profile that works; see Setup"));
  exports_.setRegion(list.region);
  catalogue_.clear();
  window_->setupPage()->clearResources();
  checks_.showProfile(profiles_.chosen);
  window_->setPlace(known ? toQString(list.chosen.profile) : QString(), toQString(list.region));
  emit profileShown();
}

void SetupController::choose(const QString& profile) {
  settings_->preferences.profile = profile;
  emit profileChanged();
  override_.profile.clear();
  checks_.cancel();
  read(true);
}

void SetupController::startRehearsal() {
  runRegion(true);
}

void SetupController::runRegion(bool isFirstStart) {
  window_->showNote(tr("Starting the rehearsal region …"));
  if (isFirstStart)  // finishRegion() puts what came of it in the place of this
    window_->banner()->showMessage(Severity::Info, tr("Starting the rehearsal region …"),
                                   tr("A small OCI region is started on this machine, which needs no account "
                                      "and costs nothing. It answers "
                                      "within %1 seconds, or it says here why it does not. To launch on OCI "
                                      "instead, make a profile in Setup.")
                                       .arg(kRehearsalStartLimit.count()));
  regionTask_.start(
      [query = query()](const std::stop_token& stop) { return ensureRehearsal(query, stop); },
      [this, isFirstStart](const Result<RehearsalInfo>& region) { finishRegion(isFirstStart, region); });
}

void SetupController::finishRegion(bool isFirstStart, const Result<RehearsalInfo>& region) {
  if (!region) {
    window_->banner()->showError(region.error());
    return finish();
  }
  window_->showNote(tr("The rehearsal region answers at %1").arg(toQString(region->endpoint)));
  if (!isFirstStart) return read(false);  // a new start may have a new address
  window_->banner()->showMessage(Severity::Info, tr("You are on the rehearsal region"),
                                 tr("A small OCI region runs on this machine at %1, with a profile of its "
                                    "own (%2). Launching here costs nothing "
                                    "and needs no account.")
                                     .arg(toQString(region->endpoint), toQString(region->profile)));
  settings_->preferences.profile = toQString(region->profile);
  emit profileChanged();
  override_.profile.clear();
  read(false);
}

void SetupController::finish() {
  ready_ = true;
  if (!dueAfterRead_.empty()) checks_.check(std::exchange(dueAfterRead_, {}));
  emit ready();
}

void SetupController::look() {
  fixes_.refreshJournal();
  const std::string& text = window_->designerPage()->cluster()->text();
  const bool isAnotherCluster = text != lookedAt_;
  lookedAt_ = text;
  isAnotherCluster ? checks_.checkAll() : checks_.checkAllIfStale();
}

void SetupController::waive(const std::string& stepId, const QString& reason) {
  SetupChoices choices = checks_.choices();
  choices.waived.erase(stepId);
  if (!reason.isEmpty()) choices.waived[stepId] = toStdString(reason);
  checks_.choose(choices, {stepId});
}

void SetupController::list(ResourceKind kind) {
  const SetupContextPtr context = checks_.makeContext();
  const SetupChoices& choices = checks_.choices();
  const std::string ofFile = context->spec() ? context->spec()->infrastructure.logGroupId.value_or("") : "";
  catalogue_.want(
      kind, query(),
      {context->compartmentId(), choices.logGroupId.empty() ? ofFile : choices.logGroupId, choices.vcnId});
}

// A change of one step is what others wait for: all that is not settled is looked at again.
void SetupController::noteFixes(const std::vector<std::string>& stepIds) {
  fixed_.insert(stepIds.begin(), stepIds.end());
  catalogue_.clear();
  window_->setupPage()->clearResources();
  std::vector<std::string> due;
  const StepsModel* steps = window_->setupPage()->stepsModel();
  for (int row = 0; row < steps->rowCount(); ++row) {
    const StepsModel::Step& step = steps->step(row);
    const StepState state = step.report.state;
    if (fixed_.contains(step.id) || state == StepState::Blocked || state == StepState::Warning)
      due.push_back(step.id);
  }
  if (!fixed_.contains("auth")) return checks_.check(due);
  emit profileChanged();
  dueAfterRead_ = due;
  read(false);
}

// Without those that train.yaml says already.
SetupFacts SetupController::newFacts(SetupFacts facts) const {
  const ClusterDocument& document = window_->designerPage()->cluster()->document();
  std::erase_if(facts, [&](const auto& fact) {
    const auto said = document.scalar(fieldOfFact(fact.first));
    return said && said->value == fact.second;
  });
  return facts;
}

// A launch goes by train.yaml: once nothing is missing any more, it may still name something else.
void SetupController::offerFacts() {
  SetupPage* page = window_->setupPage();
  const StepsModel* steps = page->stepsModel();
  const bool isOpen = page->isChecking() || !fixed_.empty() || steps->count(StepState::Blocked) > 0 ||
                      steps->count(StepState::Unknown) > 0;
  const SetupFacts facts = isOpen ? SetupFacts() : newFacts(steps->facts());
  if (facts.empty()) return;
  page->messageBar()->showMessage(Severity::Info, tr("Nothing prevents a launch any more"),
                                  tr("train.yaml does not say yet all that was found or made here."));
  QPushButton* use = page->messageBar()->addButton(tr("Use it in train.yaml"));
  connect(use, &QPushButton::clicked, this, [this, facts] {
    window_->setupPage()->messageBar()->clear();
    emit factsChosen(facts);
  });
}

// What a fix has made is what the other steps look at from now on; what train.yaml says already stays its.
void SetupController::adoptFacts() {
  const StepsModel* steps = window_->setupPage()->stepsModel();
  SetupFacts found;
  for (const std::string& id : fixed_) {
    const int row = steps->rowOf(id);
    if (row < 0) continue;
    if (steps->step(row).isChecking) return;
    for (const auto& [field, value] : steps->step(row).report.facts) found[field] = value;
  }
  fixed_.clear();
  const SetupFacts facts = newFacts(std::move(found));
  if (facts.empty()) return;
  const SetupChoices before = checks_.choices();
  const SetupChoices after = withFacts(before, facts);
  std::vector<std::string> due;
  for (const std::string& step : setupStepNames()) {
    const auto fields = choiceFieldsOf(step);
    const bool looks = std::any_of(fields.begin(), fields.end(),
                                   [&](const ChoiceField& f) { return f.read(before) != f.read(after); });
    if (looks) due.push_back(step);
  }
  if (!due.empty()) checks_.choose(after, due);
}

}  // namespace lockstep
