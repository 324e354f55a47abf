// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/remote_runs_controller.h"

#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <fstream>

#include "app/desktop/runs/launch_cluster.h"
#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "launch/rehearsal_control.h"
#include "temp_dir.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/runs/remote/remote_runs_dialog.h"
#include "widgets/runs/remote/remote_runs_model.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {
namespace {

constexpr int kTimeout = 60'000;

// An odd number of quotes in a raw string is more than moc can take.
const char* const kJob = R"(kind: job
apiVersion: v1.0
spec:
  name: theirs
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: <OCID of your Data Science project>
      compartmentId: <OCID of your compartment>
      displayName: theirs
      logGroupId: <OCID of your log group>
      logId: <OCID of a custom log in that group>
      subnetId: <OCID of a private subnet>
      shapeName: VM.Standard.E4.Flex
      shapeConfigDetails: {ocpus: 1, memoryInGBs: 16}
      blockStorageSize: 50
  runtime:
    kind: runtime
    type: container
    spec:
      image: iad.ocir.io/mytenancy/theirs:1
      entrypoint: [bash, -c]
      cmd: [echo theirs]
)";

}  // namespace

class RemoteRunsControllerTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    qputenv("LOCKSTEP_HOME", (home_.path() / "lockstep").c_str());
    qputenv("HOME", home_.path().c_str());
    for (const char* name : {"OCI_CONFIG_FILE", "OCI_CLI_CONFIG_FILE", "OCI_CLI_PROFILE"}) qunsetenv(name);
    const auto started = startRehearsal(regionOptions(), {});
    QVERIFY2(started, started ? "" : describe(started.error()).c_str());
    const auto file = home_.path() / "train.yaml";
    std::ofstream(file) << kJob;
    const auto run = launchCluster({kJob, file.string(), query()}, [](const LaunchProgress&) {}, {});
    QVERIFY2(run, run ? "" : describe(run.error()).c_str());
    job_ = run->jobId;
    auto store = openRunStore();  // as if another machine had launched it
    QVERIFY(store && (*store)->remove(run->id));
  }
  void cleanupTestCase() { QVERIFY(stopRehearsal(regionOptions(), {})); }
  void init() {
    window_ = std::make_unique<MainWindow>();
    controller_ = std::make_unique<RemoteRunsController>(window_.get());
    controller_->setProfileSource([this] { return wanted_; });
    wanted_ = query();
  }
  void cleanup() {
    controller_.reset();
    window_.reset();
  }

  void aJobOfSomebodyElseIsFoundAndTakenUp() {
    QSignalSpy added(controller_.get(), &RemoteRunsController::added);
    QSignalSpy opened(controller_.get(), &RemoteRunsController::openRequested);
    emit window_->runsPage()->remoteRequested();
    RemoteRunsDialog* dialog = this->dialog();
    QVERIFY(dialog->findChild<QProgressBar*>()->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(dialog->model()->rowCount(), 1, kTimeout);
    const RemoteRun& found = dialog->model()->runs().front();
    QCOMPARE(found.jobId.value, job_.value);
    QCOMPARE(found.jobRuns.size(), std::size_t(1));
    QVERIFY(!found.project.empty());
    QVERIFY(!dialog->model()->knownAs(found));

    auto* table = dialog->findChild<QTreeView*>();
    QTest::keyClick(table, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kTimeout);
    QCOMPARE(added.size(), 1);
    const auto run = findRun(job_.value);
    QVERIFY(run);
    QCOMPARE(opened[0][0].value<RunId>().value, run->id.value);
    QVERIFY(dialog->isHidden());

    emit window_->runsPage()->remoteRequested();  // and again: it is known now
    QTRY_VERIFY_WITH_TIMEOUT(dialog->model()->knownAs(dialog->model()->runs().front()).has_value(), kTimeout);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(opened.size(), 2);
    QCOMPARE(added.size(), 1);
    const auto all = openRunStore().value()->all();
    QCOMPARE(all->size(), std::size_t(1));
  }

  void whatCannotBeFoundIsSaidThere() {
    wanted_.profile = "NOBODY";
    emit window_->runsPage()->remoteRequested();
    const auto* messages = dialog()->findChild<MessageBar*>();
    QTRY_VERIFY_WITH_TIMEOUT(messages->hasMessage(), kTimeout);
    QVERIFY2(messages->plainText().contains(QLatin1String("NOBODY")), qPrintable(messages->plainText()));
    QVERIFY(dialog()->findChild<QProgressBar*>()->isHidden());
  }

 private:
  [[nodiscard]] RemoteRunsDialog* dialog() const { return window_->findChild<RemoteRunsDialog*>(); }
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
  JobId job_;
  oci::ProfileQuery wanted_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<RemoteRunsController> controller_;
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RemoteRunsControllerTest)
#include "remote_runs_controller_test.moc"
