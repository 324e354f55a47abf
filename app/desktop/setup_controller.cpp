// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/setup_controller.h"

#include <QLocale>
#include <QTime>
#include <algorithm>

#include "app/desktop/launch_cluster.h"
#include "app/desktop/main_window.h"
#include "app/desktop/settings.h"
#include "setup/setup_steps.h"
#include "widgets/cluster/designer_page.h"
#include "widgets/common/message_bar.h"
#include "widgets/common/qt_convert.h"
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
    : QObject(parent), window_(window), settings_(settings), override_(std::move(override)) {
  SetupPage* page = window->setupPage();
  connect(page, &SetupPage::profileChosen, this, &SetupController::choose);
  connect(page, &SetupPage::checkRequested, this, &SetupController::checkAll);
  connect(page, &SetupPage::rehearsalRequested, this, &SetupController::startRehearsal);
}

SetupController::~SetupController() = default;

oci::ProfileQuery SetupController::wanted() const {
  const Preferences& chosen = settings_->preferences;
  return {override_.configFile.empty() ? toStdString(chosen.configFile) : override_.configFile,
          override_.profile.empty() ? toStdString(chosen.profile) : override_.profile};
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
  if (list.problem) window_->setupPage()->showStatus(*list.problem);
  window_->designerPage()->setLaunchObstacle(known ? QString()
                                                   : tr("there is no profile that works; see Setup"));
  window_->setPlace(known ? toQString(list.chosen.profile) : QString(), toQString(list.region));
}

void SetupController::choose(const QString& profile) {
  settings_->preferences.profile = profile;
  emit profileChanged();
  override_.profile.clear();
  for (auto& [id, task] : checks_) task->cancel();
  read(true);
}

void SetupController::startRehearsal() {
  runRegion(true);
}

void SetupController::runRegion(bool isFirstStart) {
  window_->showNote(tr("Starting the rehearsal region …"));
  regionTask_.start(
      [query = query()](const std::stop_token& stop) { return ensureRehearsal(query, stop); },
      [this, isFirstStart](const Result<RehearsalInfo>& region) { finishRegion(isFirstStart, region); });
}

void SetupController::finishRegion(bool isFirstStart, const Result<RehearsalInfo>& region) {
  if (!region) {
    window_->banner()->showStatus(region.error());
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
  emit ready();
}

void SetupController::checkAll() {
  if (profiles_.empty() || profiles_.problem) return;
  checkTime_.start();
  for (const std::string& name : setupStepNames()) check(name);
}

void SetupController::check(const std::string& stepId) {
  auto& task = checks_[stepId];
  if (!task) task = std::make_unique<BackgroundTask>();
  window_->setupPage()->setChecking(stepId);
  const auto work = [stepId, query = query(),
                     workDir = workDir_()](const std::stop_token& stop) -> StepReport {
    SetupContext::Setup setup;
    setup.query = query;
    setup.choices.workDir = workDir;
    const auto step = makeSetupStep(stepId, std::make_shared<const SetupContext>(std::move(setup)));
    return step ? step->check(stop) : StepReport();
  };
  task->start(work, [this, stepId](const StepReport& report) { noteReport(stepId, report); });
}

void SetupController::noteReport(const std::string& stepId, const StepReport& report) {
  SetupPage* page = window_->setupPage();
  page->setReport(stepId, report);
  if (page->isChecking()) return;
  const QLocale locale;
  page->setActivity(tr("Checked at %1 in %2 s; nothing was created or changed")
                        .arg(locale.toString(QTime::currentTime(), QLocale::ShortFormat),
                             locale.toString(static_cast<double>(checkTime_.elapsed()) / 1000, 'f', 1)));
}

bool SetupController::isSettled() const {
  return ready_ &&
         std::none_of(checks_.begin(), checks_.end(), [](const auto& c) { return c.second->isRunning(); });
}

}  // namespace lockstep
