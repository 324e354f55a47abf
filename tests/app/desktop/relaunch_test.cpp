// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/relaunch.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <fstream>

#include "app/desktop/runs/launch_cluster.h"
#include "app/desktop/runs/runs_controller.h"
#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "launch/rehearsal_control.h"
#include "temp_dir.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/runs/changes_dialog.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_model.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {
namespace {

constexpr int kTimeout = 60'000;

/// A job of one container that reads a file of the code and ends.
std::string jobThatSays(const std::string& word) {
  // An odd number of quotes in a raw string is more than moc can take.
  return R"(kind: job
apiVersion: v1.0
spec:
  name: again
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: ocid1.datascienceproject.oc1.iad.aaaa
      compartmentId: ocid1.compartment.oc1..aaaa
      displayName: again
      logGroupId: ocid1.loggroup.oc1.iad.aaaa
      logId: ocid1.log.oc1.iad.aaaa
      subnetId: ocid1.subnet.oc1.iad.aaaa
      shapeName: VM.Standard.E4.Flex
      shapeConfigDetails: {ocpus: 1, memoryInGBs: 16}
      blockStorageSize: 50
  runtime:
    kind: runtime
    type: container
    spec:
      image: iad.ocir.io/mytenancy/again:1
      entrypoint: [bash, -c]
      cmd: [cat /code/word.txt; echo )" +
         word + "]\n";
}

QString messagesOf(const QWidget* widget) {
  QStringList texts;
  for (const MessageBar* bar : widget->findChildren<MessageBar*>())
    if (bar->hasMessage()) texts << bar->plainText();
  return texts.join(QLatin1Char('\n'));
}

}  // namespace

class RelaunchTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    qputenv("LOCKSTEP_HOME", (home_.path() / "lockstep").c_str());
    qputenv("HOME", home_.path().c_str());
    for (const char* name : {"OCI_CONFIG_FILE", "OCI_CLI_CONFIG_FILE", "OCI_CLI_PROFILE"}) qunsetenv(name);
    const auto started = startRehearsal(regionOptions(), {});
    QVERIFY2(started, started ? "" : describe(started.error()).c_str());
    std::filesystem::create_directories(file_.parent_path());
    std::ofstream(file_.parent_path() / "word.txt") << "code\n";
  }
  void cleanupTestCase() { QVERIFY(stopRehearsal(regionOptions(), {})); }
  void init() {
    std::ofstream(file_) << jobThatSays("first");
    window_ = std::make_unique<MainWindow>();
    controller_ = std::make_unique<RunsController>(window_.get());
  }
  void cleanup() {
    controller_.reset();
    window_.reset();
  }

  void aRunKeepsWhatItWasLaunchedWith() {
    const auto run = launched();
    QVERIFY(run);
    const auto kept = findRun(run->id.value);
    QVERIFY(kept);
    QCOMPARE(kept->trainYaml, jobThatSays("first"));
    QCOMPARE(kept->trainFile, file_.string());
    QCOMPARE(kept->codeFolder, file_.parent_path().string());
    QVERIFY(trainFileNow(*kept) == TrainFileNow::AsItWas);
    std::ofstream(file_) << jobThatSays("other");
    QVERIFY(trainFileNow(*kept) == TrainFileNow::Changed);
    std::filesystem::remove(file_);
    QVERIFY(trainFileNow(*kept) == TrainFileNow::Gone);
  }

  void theSameIsLaunchedAlthoughTheFileSaysSomethingElse() {
    const auto run = launched();
    QVERIFY(run);
    std::ofstream(file_) << jobThatSays("other");
    QSignalSpy ended(controller_.get(), &RunsController::relaunchEnded);
    emit window_->runsPage()->relaunchRequested(run->id);
    QVERIFY(controller_->isRelaunching());
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    const QString said = messagesOf(window_->runPage()) + messagesOf(window_->runsPage());
    QCOMPARE(window_->page(), Page::Run);
    const auto again = findRun("last");
    QVERIFY(again);
    QVERIFY(again->id != run->id);
    QCOMPARE(again->trainYaml, run->trainYaml);
    QCOMPARE(again->name, run->name);
    QCOMPARE(again->profile, run->profile);
    QCOMPARE(again->codeFolder, run->codeFolder);
    // The window follows it, so the list knows what was found.
    QTRY_VERIFY_WITH_TIMEOUT(foundIn(again->id).has_value(), kTimeout);
    QTRY_COMPARE(foundIn(again->id), window_->runsPage()->model()->run(0)->findings);
    QVERIFY2(said.contains(QLatin1String("has changed since")), qPrintable(said));
    QVERIFY2(said.contains(QString::fromStdString(file_.string())), qPrintable(said));
  }

  void withChangesTheUserIsAskedForThem() {
    const auto run = launched();
    QVERIFY(run);
    QSignalSpy ended(controller_.get(), &RunsController::relaunchEnded);
    emit window_->runsPage()->changedRelaunchRequested(run->id);
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<ChangesDialog*>(), kTimeout);
    auto* dialog = window_->findChild<ChangesDialog*>();
    auto* table = dialog->table();
    const int own = table->rowCount() - 1;
    table->item(own, 0)->setText(QStringLiteral("spec.infrastructure.spec.blockStorageSize"));
    table->item(own, 2)->setText(QStringLiteral("64"));
    QVERIFY(dialog->launchButton()->isEnabled());
    dialog->launchButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    const auto again = findRun("last");
    QVERIFY(again);
    QVERIFY(again->id != run->id);
    QVERIFY(again->trainYaml.find("blockStorageSize: 64") != std::string::npos);
    emit window_->runsPage()->changedRelaunchRequested(RunId("no such run"));
    QTRY_VERIFY_WITH_TIMEOUT((messagesOf(window_->runsPage()) + messagesOf(window_->runPage()))
                                 .contains(QLatin1String("no such run")),
                             kTimeout);
  }

  void whatCannotBeLaunchedAgainIsSaidOnThePageThatAsked() {
    auto run = launched();
    QVERIFY(run);
    window_->showPage(Page::Runs);
    std::filesystem::rename(file_.parent_path(), home_.path() / "away");
    QSignalSpy ended(controller_.get(), &RunsController::relaunchEnded);
    emit window_->runsPage()->relaunchRequested(run->id);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    std::filesystem::rename(home_.path() / "away", file_.parent_path());
    QCOMPARE(window_->page(), Page::Runs);
    QVERIFY(!messagesOf(window_->runsPage()).isEmpty());
    emit window_->runsPage()->relaunchRequested(RunId("no such run"));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, kTimeout);
    QVERIFY(messagesOf(window_->runsPage()).contains(QLatin1String("no such run")));
  }

  void aRunWhoseTextIsNotKnownIsRefused() {
    TrainingRun attached;
    attached.name = "somebody else's";
    const auto done = relaunch(attached, {}, nullptr, {}, {});
    QVERIFY(!done);
    QVERIFY(done.error().code == ErrorCode::FailedPrecondition);
    QVERIFY(!done.error().remedy.empty());
  }

 private:
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
  [[nodiscard]] static std::optional<RunFindings> foundIn(const RunId& id) {
    const auto store = openRunStore();
    const auto summaries = store ? (*store)->summaries() : Result<std::vector<RunSummary>>();
    for (const RunSummary& one : summaries.value_or(std::vector<RunSummary>()))
      if (one.id == id) return one.findings;
    return std::nullopt;
  }
  /// A run of the file as it is, which has been launched in full.
  [[nodiscard]] Result<TrainingRun> launched() const {
    const LaunchAsk ask{readFile(file_).value_or(""), file_.string(), query()};
    auto run = launchCluster(ask, [](const LaunchProgress&) {}, {});
    if (!run) qWarning("%s", describe(run.error()).c_str());
    return run;
  }

  TempDir home_;
  std::filesystem::path file_ = home_.path() / "project" / "train.yaml";
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<RunsController> controller_;
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RelaunchTest)
#include "relaunch_test.moc"
