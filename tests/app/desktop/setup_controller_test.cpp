// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/setup/setup_controller.h"

#include <QAction>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "app/desktop/designer/designer_controller.h"
#include "app/desktop/designer/launch_advice.h"
#include "app/desktop/designer/placeholders.h"
#include "app/desktop/designer/starter_project.h"
#include "app/desktop/window/main_window.h"
#include "app/desktop/window/settings.h"
#include "base/atomic_file.h"
#include "oci/calls/call_log.h"
#include "temp_dir.h"
#include "widgets/cluster/fields/field_row.h"
#include "widgets/cluster/page/cluster_form.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/layout/name_line.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/setup/setup_header.h"
#include "widgets/setup/setup_page.h"
#include "widgets/setup/step_details.h"
#include "widgets/setup/waiver_row.h"

namespace lockstep {
namespace {

constexpr int kTimeout = 60'000;
constexpr const char* kFile = R"(kind: distributed
spec:
  infrastructure:
    spec:
      compartmentId: ocid1.compartment.oc1..aaaaaaaalockstep  # the team's
      subnetId: <OCID of your subnet>
  cluster:
    kind: PYTORCH
    spec:
      image: rehearsal.ocir.io/rehearsal/lockstep-trainer:1
      workDir: oci://lockstep@rehearsal/setup-test
)";

ProposedFix fixThatMakes(const std::string& title) {
  ProposedFix fix;
  fix.id = "make";
  fix.title = "make it";
  fix.apply = [title](const std::stop_token&) -> Result<std::vector<AppliedChange>> {
    AppliedChange change;
    change.title = title;
    change.kind = "thing-made";
    change.undo = {{"thingId", "ocid1.thing"}};
    return std::vector{change};
  };
  return fix;
}

}  // namespace

class SetupControllerTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    qputenv("LOCKSTEP_HOME", (home_.path() / "lockstep").c_str());
    qputenv("HOME", home_.path().c_str());
    for (const char* name : {"OCI_CONFIG_FILE", "OCI_CLI_CONFIG_FILE", "OCI_CLI_PROFILE"}) qunsetenv(name);
    const auto started = startRehearsal(regionOptions(), {});
    QVERIFY2(started, started ? "" : describe(started.error()).c_str());
  }
  void cleanupTestCase() { QVERIFY(stopRehearsal(regionOptions(), {})); }

  void init() {
    window_ = std::make_unique<MainWindow>();
    settings_ = std::make_unique<Settings>(home_.path() / "settings.json");
    designer_ = std::make_unique<DesignerController>(window_.get(), home_.path() / "drafts");
    controller_ = std::make_unique<SetupController>(window_.get(), settings_.get(), query());
    controller_->setSpecSource([this] { return cluster()->document().spec(); });
    window_->designerPage()->setDocument({}, std::string(kFile));
  }
  void cleanup() {
    controller_.reset();
    designer_.reset();
    window_.reset();
    std::filesystem::remove_all(home_.path() / "lockstep");
  }

  void allStepsAreCheckedAndNothingIsChanged() {
    start();
    const TimePoint before = SystemClock().now();
    controller_->checkAll();
    QVERIFY(page()->isChecking());
    QTRY_VERIFY_WITH_TIMEOUT(!page()->isChecking() && controller_->isSettled(), kTimeout);
    QCOMPARE(stateOf("auth"), StepState::Ready);
    QCOMPARE(stateOf("bucket"), StepState::Ready);
    const CheckCost cost = costSince(before, SystemClock().now(), oci::callLogFile());
    QVERIFY(cost.readCalls > 0);
    QCOMPARE(cost.changingCalls, 0);
  }

  void whatWasCheckedAndChosenComesBack() {
    start();
    controller_->checks().check({"auth"});
    settle();
    emit page()->waived("hosts", QStringLiteral("there are none"));
    settle();
    QCOMPARE(stateOf("hosts"), StepState::Waived);
    SetupChoices choices = controller_->checks().choices();
    choices.group = "trainers";
    emit page()->choicesChanged("group", choices);
    settle();
    QTRY_VERIFY_WITH_TIMEOUT(SetupMemory().recall(query()).choices.group == "trainers", kTimeout);

    cleanupKeepingDisk();
    init();
    start();
    settle();
    QCOMPARE(controller_->checks().choices().group, std::string("trainers"));
    QCOMPARE(stateOf("auth"), StepState::Ready);
    const auto& remembered = page()->stepsModel()->step(page()->stepsModel()->rowOf("auth"));
    QVERIFY(remembered.rememberedFrom.has_value());
    page()->showStep("hosts");
    QVERIFY(page()->details()->waiver()->isWaived());

    emit page()->waiverDropped("hosts");
    settle();
    QVERIFY(stateOf("hosts") != StepState::Waived);
    QVERIFY(controller_->checks().choices().waived.empty());
  }

  // The fields of the choice that was changed are looked at by several steps; the others are left alone.
  void aChangedChoiceChecksTheStepsThatLookAtIt() {
    start();
    QSignalSpy checked(&controller_->checks(), &SetupChecks::checked);
    SetupChoices choices = controller_->checks().choices();
    choices.bucket = "no-such-bucket";
    choices.nameSpace = "rehearsal";
    emit page()->choicesChanged("bucket", choices);
    settle();
    QCOMPARE(checked.count(), 1);
    QVERIFY(stateOf("bucket") == StepState::Blocked || stateOf("bucket") == StepState::Warning);
    QCOMPARE(stateOf("auth"), StepState::Unknown);
  }

  void beforeTheProfilesAreReadTheOneThatWasAskedForIsUsed() {
    controller_.reset();
    controller_ = std::make_unique<SetupController>(window_.get(), settings_.get(),
                                                    oci::ProfileQuery{"/nowhere/config", "MINE"});
    QCOMPARE(controller_->query().profile, std::string("MINE"));
    QCOMPARE(controller_->query().configFile, std::string("/nowhere/config"));
  }

  void withoutAProfileTheStepsSayWhatToDo() {
    controller_.reset();
    const oci::ProfileQuery nowhere{(home_.path() / "nothing" / "config").string(), ""};
    controller_ = std::make_unique<SetupController>(window_.get(), settings_.get(), nowhere);
    start();
    controller_->checkAll();
    settle();
    QCOMPARE(stateOf("auth"), StepState::Blocked);
  }

  void anotherProfileDropsWhatIsOnItsWay() {
    start();
    controller_->checkAll();
    controller_->checks().cancel();
    QVERIFY(!page()->isChecking());
    settle();
    QCOMPARE(page()->stepsModel()->count(StepState::Unknown), page()->stepsModel()->rowCount());
  }

  void whatAFixMadeIsWrittenDownAndStaysWhenTheStepIsUnknown() {
    ChangeJournal journal(home_.path() / "journal.json");
    const FixOutcome outcome = applyFix("bucket", "REHEARSAL", fixThatMakes("made a thing"), journal, {});
    QVERIFY(!outcome.problem);
    QCOMPARE(outcome.changes.size(), std::size_t(1));
    const auto kept = journal.changes();
    QVERIFY(kept && kept->size() == 1);
    QCOMPARE(kept->front().stepId, std::string("bucket"));
    QCOMPARE(kept->front().profile, std::string("REHEARSAL"));
    QVERIFY(!kept->front().id.empty());
    QVERIFY(kept->front().when > TimePoint{});

    AppliedChange foreign = kept->front();
    foreign.stepId = "no-such-step";
    const auto back = takeChangeBack(foreign, {query(), {}, {}, {}, {}}, journal, {});
    QVERIFY(!back);
    QVERIFY(describe(back.error()).find("no-such-step") != std::string::npos);
    QVERIFY(!journal.changes()->front().isTakenBack);
  }

  void aFixIsAppliedShownAndListed() {
    start();
    StepReport report = reportOf({{StepState::Blocked, "there is no thing", {}, {}}});
    report.fixes = {fixThatMakes("made a thing")};
    page()->setReport("limits", report);
    QSignalSpy applied(&controller_->fixes(), &SetupFixes::applied);
    emit page()->applyRequested("limits", "make");
    QTRY_COMPARE_WITH_TIMEOUT(applied.count(), 1, kTimeout);
    QVERIFY(page()->messageBar()->plainText().contains(QLatin1String("Made a thing")));
    settle();
    const auto kept = ChangeJournal().changes();
    QVERIFY(kept && kept->size() == 1);
  }

  void aFixThatFailsSaysWhyAndItsStepIsLookedAtAgain() {
    start();
    ProposedFix fix = fixThatMakes("");
    fix.apply = [](const std::stop_token&) -> Result<std::vector<AppliedChange>> {
      return failure(ErrorCode::FailedPrecondition, "cannot make it", "somebody was here", "check again");
    };
    StepReport report = reportOf({{StepState::Blocked, "there is no thing", {}, {}}});
    report.fixes = {fix};
    page()->setReport("limits", report);
    QSignalSpy checked(&controller_->checks(), &SetupChecks::checked);
    emit page()->applyRequested("limits", "make");
    QTRY_VERIFY_WITH_TIMEOUT(checked.count() > 0, kTimeout);
    QVERIFY(page()->messageBar()->plainText().contains(QLatin1String("Somebody was here")));
  }

  void whatWasFoundFillsTheClusterInOneStep() {
    const std::string before = cluster()->text();
    designer_->useFacts({{"infrastructure.subnetId", "ocid1.subnet.oc1..found"},
                         {"cluster.workDir", "oci://other@rehearsal/x"}});
    const ClusterSpec& spec = cluster()->document().spec();
    QCOMPARE(spec.infrastructure.subnetId, std::string("ocid1.subnet.oc1..found"));
    QCOMPARE(spec.workDir, std::string("oci://other@rehearsal/x"));
    QVERIFY2(cluster()->text().find("# the team's") != std::string::npos, "comments stay");
    QCOMPARE(cluster()->undoStack()->count(), 1);
    cluster()->undoStack()->undo();
    QCOMPARE(cluster()->text(), before);
  }

  // The project that comes with the program names a tenancy of ours; whoever has another one has named
  // nothing.
  void theStartersOwnIdsNameNothing() {
    const ClusterDocument starter(starterText());
    QVERIFY(starter.spec().infrastructure.compartmentId);
    const ClusterSpec spec = withoutStarterIds(starter.spec());
    QVERIFY(!spec.infrastructure.compartmentId && !spec.infrastructure.subnetId &&
            !spec.infrastructure.logId);
    QVERIFY(spec.infrastructure.shapeName == starter.spec().infrastructure.shapeName);
    ClusterSpec own = starter.spec();
    own.infrastructure.compartmentId = "ocid1.compartment.oc1..mine";
    QCOMPARE(*withoutStarterIds(own).infrastructure.compartmentId,
             std::string("ocid1.compartment.oc1..mine"));
  }

  void onceNothingIsMissingWhatWasFoundIsOffered() {
    start();
    settle();
    for (const std::string& step : setupStepNames()) page()->setReport(step, {StepState::Ready, {}});
    StepReport network{StepState::Ready, {}};
    network.facts["infrastructure.subnetId"] = "ocid1.subnet.oc1..found";
    page()->setReport("network", network);
    page()->setReport("bucket", {StepState::Blocked, {}});
    const auto offer = [this]() -> QPushButton* {
      for (auto* button : page()->messageBar()->findChildren<QPushButton*>())
        if (button->text() == QLatin1String("Use it in train.yaml")) return button;
      return nullptr;
    };
    emit controller_->checks().checked();
    QVERIFY2(!offer(), "a step is still blocked");
    page()->setReport("bucket", {StepState::Ready, {}});
    emit controller_->checks().checked();
    QVERIFY(offer());
    QSignalSpy chosen(controller_.get(), &SetupController::factsChosen);
    offer()->click();
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].value<SetupFacts>().at("infrastructure.subnetId"),
             std::string("ocid1.subnet.oc1..found"));
  }

  void aTemplateIsFilledFromTheProfileOnDemand() {
    LaunchAdvice advice(window_.get(), controller_.get());
    connect(designer_.get(), &DesignerController::templateShown, &advice, &LaunchAdvice::fillTemplate);
    start();
    DesignerPage* designer = window_->designerPage();
    emit designer->templateRequested(QStringLiteral("dask"));
    QVERIFY(hasPlaceholders(cluster()->document()));
    QPushButton* fill = nullptr;
    for (QPushButton* one : designer->messageBar()->findChildren<QPushButton*>())
      if (one->text().contains(QLatin1String("REHEARSAL")) && !one->isHidden()) fill = one;
    QVERIFY(fill);
    fill->click();
    QTRY_VERIFY_WITH_TIMEOUT(!hasPlaceholders(cluster()->document()), kTimeout);
    QVERIFY2(!hasErrors(cluster()->document().issues()), cluster()->text().c_str());
    QCOMPARE(designer->findChild<DesignerToolBar*>()->badge()->accessibleName(),
             QStringLiteral("ready to rehearse"));
    settle();
  }

  void aRehearsalWantsNoContainerEngine() {
    start();
    SetupChoices choices = controller_->checks().choices();
    choices.engine = "/no/such/docker";
    emit page()->choicesChanged("engine", choices);
    controller_->checks().check({"containers"});
    settle();
    QCOMPARE(stateOf("containers"), StepState::NotApplicable);
  }

  void aSeriesIsDoneUpToTheFirstFailure() {
    ProposedFix failing = fixThatMakes("");
    failing.apply = [](const std::stop_token&) -> Result<std::vector<AppliedChange>> {
      return failure(ErrorCode::PermissionDenied, "cannot make it");
    };
    ChangeJournal journal(home_.path() / "series.json");
    std::vector<std::string> doing;
    const auto outcome = applySeries(
        {{"auth", fixThatMakes("first")}, {"network", failing}, {"bucket", fixThatMakes("third")}},
        controller_->checks().contextSetup(), journal,
        [&](std::size_t, const FixOfStep& one) { doing.push_back(one.stepId); }, {});
    QCOMPARE(outcome.done, std::size_t{1});
    QVERIFY(outcome.problem && outcome.problem->code == ErrorCode::PermissionDenied);
    QCOMPARE(doing, (std::vector<std::string>{"auth", "network"}));
    QCOMPARE(outcome.steps, doing);
    QCOMPARE(journal.changes()->size(), std::size_t{1});
  }

  void aSecondFixOfAStepIsDoneOnlyAsItIsProposedNow() {
    start();
    ChangeJournal journal(home_.path() / "series2.json");
    const auto outcome =
        applySeries({{"machine", fixThatMakes("first")}, {"machine", fixThatMakes("stale")}},
                    controller_->checks().contextSetup(), journal, [](std::size_t, const FixOfStep&) {}, {});
    QCOMPARE(outcome.done, std::size_t{1});
    QVERIFY(!outcome.problem);
  }

  // One confirmation makes the compartment and everything in it.
  void aSeriesMakesTheCompartmentAndWhatWaitsForIt() {
    RehearsalOptions options = regionOptions();
    options.stateDir = home_.path() / "empty";
    options.configFile = (home_.path() / "empty_config").string();
    options.empty = true;
    options.isolate = false;
    const auto region = startRehearsal(options, {});
    QVERIFY2(region, region ? "" : describe(region.error()).c_str());
    SetupContext::Setup setup;
    setup.query = {options.configFile, region->profile};
    const auto context = std::make_shared<const SetupContext>(setup);
    StepsModel model;
    for (const char* step : {"project", "network", "bucket", "policies", "repository", "logging"})
      model.setReport(step, makeSetupStep(step, context)->check({}));
    const std::vector<FixOfStep> fixes = model.unaskedFixes();
    QCOMPARE(fixes.size(), std::size_t{7});
    ChangeJournal journal(home_.path() / "series3.json");
    const auto outcome = applySeries(fixes, setup, journal, [](std::size_t, const FixOfStep&) {}, {});
    QVERIFY2(!outcome.problem, outcome.problem ? describe(*outcome.problem).c_str() : "");
    QCOMPARE(outcome.done, fixes.size());
    const auto after = makeSetupStep("project", std::make_shared<const SetupContext>(setup))->check({});
    QCOMPARE(after.state, StepState::Ready);
    QVERIFY(after.facts.at("infrastructure.compartmentId").starts_with("ocid1.compartment."));
    QVERIFY(stopRehearsal(options, {}));
  }

  // With what a check has seen, the designer's fields show names as well.
  void namesReachTheDesigner() {
    start();
    controller_->checks().check({"project"});
    settle();
    const auto names = page()->stepsModel()->names();
    QCOMPARE(names.at(QStringLiteral("ocid1.compartment.oc1..aaaaaaaalockstep")), QStringLiteral("lockstep"));
    const FieldPath field = FieldPath::parse("spec.infrastructure.spec.compartmentId");
    const auto* row = window_->designerPage()->findChild<ClusterForm*>()->rowFor(field);
    QVERIFY(row && row->resourcePicker());
    QCOMPARE(qobject_cast<NameLine*>(row->resourcePicker()->lineEdit())->name(), QStringLiteral("lockstep"));
    QCOMPARE(row->resourcePicker()->currentText(), QStringLiteral("ocid1.compartment.oc1..aaaaaaaalockstep"));
  }

  // Whatever of engine, login and keychain this machine has: nothing of it stands in a rehearsal's way.
  void aRehearsalReachesTwelveOfTwelve() {
    start();
    controller_->checks().check({"containers", "ocir-login"});
    settle();
    for (const char* step : {"containers", "ocir-login"})
      QVERIFY2(stateOf(step) == StepState::Ready || stateOf(step) == StepState::NotApplicable, step);
    for (const std::string& step : setupStepNames())
      if (stateOf(step) == StepState::Unknown) page()->setReport(step, {StepState::Ready, {}});
    QCOMPARE(page()->header()->countsText(), QStringLiteral("12 of 12 ready"));
  }

  void aReportIsWrittenWithoutWhatIdentifies() {
    start();
    controller_->checks().check({"auth", "bucket"});
    settle();
    const auto file = home_.path() / "report.html";
    QSignalSpy finished(&controller_->exports(), &SetupExports::finished);
    controller_->exports().writeReport(toQString(file.string()), true);
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kTimeout);
    QVERIFY(finished[0][0].toBool());
    const auto html = readFile(file);
    QVERIFY(html);
    QVERIFY(html->find("<html") != std::string::npos);
    QVERIFY(html->find("lockstep") != std::string::npos);
    const auto profile = oci::loadProfile(query());
    QVERIFY(profile);
    QVERIFY2(html->find(profile->fingerprint) == std::string::npos, "a fingerprint is in the report");
  }

 private:
  [[nodiscard]] SetupPage* page() const { return window_->setupPage(); }
  [[nodiscard]] EditableCluster* cluster() const { return window_->designerPage()->cluster(); }
  [[nodiscard]] StepState stateOf(const std::string& id) const {
    return page()->stepsModel()->step(page()->stepsModel()->rowOf(id)).state();
  }
  void start() {
    controller_->start(false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isReady(), kTimeout);
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(controller_->isSettled(), kTimeout); }
  void cleanupKeepingDisk() {
    controller_.reset();
    designer_.reset();
    window_.reset();
  }
  [[nodiscard]] oci::ProfileQuery query() const {
    return {(home_.path() / "oci_config").string(), "REHEARSAL"};
  }
  [[nodiscard]] RehearsalOptions regionOptions() const {
    RehearsalOptions options;
    options.stateDir = home_.path() / "rehearsal";
    options.configFile = query().configFile;
    options.program = LOCKSTEP_BIN_DIR "/lockstep-rehearsal";
    return options;
  }

  TempDir home_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<Settings> settings_;
  std::unique_ptr<DesignerController> designer_;
  std::unique_ptr<SetupController> controller_;
};

}  // namespace lockstep

QTEST_MAIN(lockstep::SetupControllerTest)
#include "setup_controller_test.moc"
