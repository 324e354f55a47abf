// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/launch_advice.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "app/desktop/designer/designer_controller.h"
#include "app/desktop/designer/placeholders.h"
#include "app/desktop/designer/starter_project.h"
#include "app/desktop/setup/setup_controller.h"
#include "app/desktop/window/main_window.h"
#include "app/desktop/window/settings.h"
#include "starter/starter.h"
#include "temp_dir.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/setup/setup_page.h"
#include "widgets/setup/step_details.h"

namespace lockstep {
namespace {

StepReport report(StepState state, std::map<std::string, std::string> facts = {}) {
  StepReport made = reportOf({{state, "looked", "", "", ""}});
  made.facts = std::move(facts);
  return made;
}

Error refusedWith(int httpStatus, const char* errorCode) {
  Error error;
  error.code = ErrorCode::NotFound;
  error.what = "cannot create the job";
  error.service = ServiceAnswer{"Data Science", "CreateJob", httpStatus, errorCode, {}};
  return error;
}

}  // namespace

class LaunchAdviceTest : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    home_ = std::make_unique<TempDir>();
    qputenv("LOCKSTEP_HOME", home_->path().c_str());
    qputenv("HOME", home_->path().c_str());
    window_ = std::make_unique<MainWindow>();
    settings_ = std::make_unique<Settings>(home_->path() / "settings.json");
    setup_ = std::make_unique<SetupController>(window_.get(), settings_.get(), oci::ProfileQuery{});
    designer_ = std::make_unique<DesignerController>(window_.get(), home_->path() / "drafts");
    advice_ = std::make_unique<LaunchAdvice>(window_.get(), setup_.get());
    connect(designer_.get(), &DesignerController::launchRefused, advice_.get(), &LaunchAdvice::offerWayOut);
    connect(designer_.get(), &DesignerController::templateShown, advice_.get(), &LaunchAdvice::fillTemplate);
    page()->setDocument({}, starterText());
  }
  void cleanup() {
    advice_.reset();
    designer_.reset();
    setup_.reset();
    window_.reset();
  }

  void theBadgeKnowsWhatTheSetupFound() {
    QCOMPARE(badge(), QStringLiteral("set-up not checked"));
    reportAll(StepState::Ready);
    QCOMPARE(badge(), QStringLiteral("ready to launch"));
    steps()->setReport("policies", report(StepState::Blocked));
    steps()->setReport("network", report(StepState::Blocked));
    QVERIFY2(badge().startsWith(QLatin1String("2 ")), qPrintable(badge()));
    QVERIFY(page()->launchAction()->isEnabled());
    steps()->setReport("policies", report(StepState::Warning));
    steps()->setReport("network",
                       report(StepState::Ready, {{"infrastructure.subnetId", "ocid1.subnet.new"}}));
    QCOMPARE(badge(), QStringLiteral("set-up not used yet"));
    page()->setDocument({}, std::string("kind: distributed\nspec: {}\n"));
    QVERIFY2(badge().contains(QLatin1String("error")), qPrintable(badge()));
  }

  void aStepThatIsCheckedAgainIsWhatItWas() {
    reportAll(StepState::Ready);
    steps()->setChecking("policies", true);
    QCOMPARE(badge(), QStringLiteral("ready to launch"));
  }

  void aRefusedLaunchLeadsToTheStepThatMendsIt() {
    refuse(refusedWith(404, "NotAuthorizedOrNotFound"));
    QPushButton* open = button(QStringLiteral("Open Setup"));
    QVERIFY(open);
    QVERIFY2(open->text().contains(stepTitle("policies")), qPrintable(open->text()));
    open->click();
    QCOMPARE(window_->page(), Page::Setup);
    QCOMPARE(window_->setupPage()->details()->stepId(), std::string("policies"));
  }

  void whatIsMissingComesBeforeThePoliciesAndWhatWasFoundIsOffered() {
    steps()->setReport("network", report(StepState::Blocked));
    steps()->setReport("project",
                       report(StepState::Ready, {{"infrastructure.projectId", "ocid1.project.new"}}));
    refuse(refusedWith(404, "NotAuthorizedOrNotFound"));
    QVERIFY(button(QStringLiteral("Open Setup"))->text().contains(stepTitle("network")));
    QSignalSpy used(setup_.get(), &SetupController::factsChosen);
    QVERIFY(button(QStringLiteral("Use what")));
    button(QStringLiteral("Use what"))->click();
    QCOMPARE(used.count(), 1);
  }

  void whoIsNotKnownIsLedToTheSignIn() {
    steps()->setReport("network", report(StepState::Blocked));
    refuse(refusedWith(401, "NotAuthenticated"));
    QVERIFY(button(QStringLiteral("Open Setup"))->text().contains(stepTitle("auth")));
  }

  void whatNoStepKnowsHasNoButton() {
    refuse(refusedWith(400, "InvalidParameter"));
    QVERIFY(!button(QStringLiteral("Open Setup")));
  }

  void aTemplateIsFilledFromTheLastCheck() {
    steps()->setReport("project",
                       report(StepState::Ready, {{"infrastructure.projectId", "ocid1.project.p"},
                                                 {"infrastructure.compartmentId", "ocid1.comp.c"}}));
    steps()->setReport("network", report(StepState::Ready, {{"infrastructure.subnetId", "ocid1.subnet.s"}}));
    steps()->setReport("bucket",
                       report(StepState::Ready, {{"cluster.workDir", "oci://mine@space/lockstep"}}));
    steps()->setReport("logging", report(StepState::Ready, {{"infrastructure.logGroupId", "ocid1.loggroup.g"},
                                                            {"infrastructure.logId", "ocid1.log.l"}}));
    emit page()->templateRequested(QStringLiteral("dask"));
    const ClusterDocument& document = page()->cluster()->document();
    QVERIFY2(!hasPlaceholders(document), document.text().c_str());
    const ClusterSpec& spec = document.spec();
    QCOMPARE(spec.infrastructure.projectId.value_or(""), std::string("ocid1.project.p"));
    QCOMPARE(spec.workDir.value_or(""), std::string("oci://mine@space/dask-search"));
    QVERIFY(spec.image.value_or("").find("/space/") != std::string::npos);
    page()->editActions().at(0)->trigger();
    QVERIFY(hasPlaceholders(page()->cluster()->document()));
  }

  void whatSomebodyHasWrittenStays() {
    std::string text(findStarter("dask")->files.front().content);
    const std::string open = "<OCID of a private subnet>";
    text.replace(text.find(open), open.size(), "ocid1.subnet.mine");
    const auto filled = withPlaceholdersFilled(ClusterDocument(text),
                                               {{"infrastructure.subnetId", "ocid1.subnet.found"},
                                                {"spec.infrastructure.spec.logId", "ocid1.log.found"}});
    QVERIFY(filled);
    QVERIFY(filled->find("ocid1.subnet.mine") != std::string::npos);
    QVERIFY(filled->find("ocid1.subnet.found") == std::string::npos);
    QVERIFY(filled->find("logId: ocid1.log.found") != std::string::npos);
    QVERIFY(filled->find("<bucket>") != std::string::npos);
  }

 private:
  [[nodiscard]] DesignerPage* page() const { return window_->designerPage(); }
  [[nodiscard]] StepsModel* steps() const { return window_->setupPage()->stepsModel(); }
  [[nodiscard]] QString badge() const {
    return page()->findChild<DesignerToolBar*>()->badge()->accessibleName();
  }
  void reportAll(StepState state) {
    for (int row = 0; row < steps()->rowCount(); ++row)
      steps()->setReport(steps()->step(row).id, report(state));
  }
  void refuse(const Error& error) {
    page()->showError(error);
    emit designer_->launchRefused(error);
  }
  [[nodiscard]] QPushButton* button(const QString& beginning) const {
    for (QPushButton* one : page()->messageBar()->findChildren<QPushButton*>())
      if (one->text().startsWith(beginning) && !one->isHidden()) return one;
    return nullptr;
  }

  std::unique_ptr<TempDir> home_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<Settings> settings_;
  std::unique_ptr<SetupController> setup_;
  std::unique_ptr<DesignerController> designer_;
  std::unique_ptr<LaunchAdvice> advice_;
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LaunchAdviceTest)
#include "launch_advice_test.moc"
