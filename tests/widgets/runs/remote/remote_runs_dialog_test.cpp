// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/remote/remote_runs_dialog.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include "widgets/common/issues/message_bar.h"
#include "widgets/runs/remote/remote_runs_model.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

RemoteRun job(const std::string& id, RunState state, const std::string& compartment,
              const std::string& project) {
  RemoteRun run;
  run.jobId = JobId("ocid1.datasciencejob.oc1.." + id);
  run.name = "name of " + id;
  run.compartmentId = compartment.empty() ? "tenancy" : "of " + compartment;
  run.compartment = compartment;
  run.projectId = project.empty() ? "" : "ocid of " + project;
  run.project = project;
  run.state = state;
  run.created = TimePoint(1'700'000'000s);
  for (int i = 0; i < 3; ++i) {
    NodeRun node;
    node.id = JobRunId(id + std::to_string(i));
    node.displayName = i == 0 ? "main" : "worker_" + std::to_string(i - 1);
    node.state = isTerminal(state) ? JobRunState::Failed : JobRunState::InProgress;
    node.details = "details of " + node.displayName;
    run.jobRuns.push_back(node);
  }
  return run;
}

RemoteRuns threeJobs() {
  return {{job("a", RunState::Running, "team / vision", "pictures"),
           job("b", RunState::Failed, "team", "words"), job("c", RunState::Running, "", "")},
          {"closed"}};
}

const std::map<std::string, RunId> kKnown{{"ocid1.datasciencejob.oc1..c", RunId("run-c")}};

}  // namespace

class RemoteRunsDialogTest : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    dialog_ = std::make_unique<RemoteRunsDialog>();
    dialog_->setRuns(threeJobs(), kKnown);
    dialog_->show();
  }
  void cleanup() { dialog_.reset(); }

  void aJobHasItsJobRunsBelowIt() {
    const QAbstractItemModelTester tester(dialog_->model());
    const RemoteRunsModel* model = dialog_->model();
    QCOMPARE(model->rowCount(), 3);
    const QModelIndex job = model->index(0, 0);
    QCOMPARE(model->rowCount(job), 3);
    const QModelIndex second = model->index(1, RemoteRunsModel::kName, job);
    QCOMPARE(second.data().toString(), QStringLiteral("worker_0"));
    QCOMPARE(model->run(second)->jobId.value, std::string("ocid1.datasciencejob.oc1..a"));
    QCOMPARE(model->rowCount(second), 0);
    QVERIFY(model->index(1, RemoteRunsModel::kState, job)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QLatin1String("worker_0")));
    QCOMPARE(model->index(0, RemoteRunsModel::kCompartment).data().toString(),
             QStringLiteral("team / vision"));
    QCOMPARE(model->index(2, RemoteRunsModel::kHere).data().toString(), QStringLiteral("yes"));
    QVERIFY(!model->run({}));
  }

  void whatIsShownCanBeNarrowedDown() {
    QCOMPARE(rows(), 3);
    auto* search = dialog_->findChild<QLineEdit*>();
    search->setText(QStringLiteral("vision RUNNING"));
    QCOMPARE(rows(), 1);
    search->setText(QStringLiteral("worker_1 words"));  // one word of a job run, one of its job
    QCOMPARE(rows(), 1);
    search->setText(QStringLiteral("datasciencejob.oc1..b"));
    QCOMPARE(rows(), 1);
    search->setText(QStringLiteral("nobody"));
    QCOMPARE(rows(), 0);
    search->clear();
    choose(QStringLiteral("State"), QStringLiteral("Only running"));
    QCOMPARE(rows(), 2);
    choose(QStringLiteral("Compartment"), QStringLiteral("team / vision"));
    QCOMPARE(rows(), 1);
    QVERIFY(said().contains(QLatin1String("1 of 3 jobs")));
    choose(QStringLiteral("Compartment"), QStringLiteral("All compartments"));
    choose(QStringLiteral("Project"), QStringLiteral("words"));
    QCOMPARE(rows(), 0);  // it has failed
    choose(QStringLiteral("State"), QStringLiteral("Running and ended"));
    QCOMPARE(rows(), 1);
    dialog_->setRuns(threeJobs(), {});
    QCOMPARE(rows(), 1);  // what was chosen stays so
  }

  void whatMayNotBeSeenIsSaid() {
    QVERIFY(said().contains(QLatin1String("1 compartment")));
    QVERIFY(said().contains(QLatin1String("may not be read")));
  }

  void thoseAreTakenUpThatAreNotHereYet() {
    QSignalSpy taken(dialog_.get(), &RemoteRunsDialog::takeUpRequested);
    QPushButton* running = button(QStringLiteral("Take up all &running (1)"));  // c is here, b is over
    QVERIFY(running);
    running->click();
    QCOMPARE(taken.size(), 1);
    QCOMPARE(jobsOf(taken[0]), QStringList{QStringLiteral("ocid1.datasciencejob.oc1..a")});
    QCOMPARE(taken[0][1].toBool(), false);
    dialog_->findChild<QTreeView*>()->selectAll();
    button(QStringLiteral("&Take up"))->click();
    QCOMPARE(taken.size(), 2);
    QCOMPARE(jobsOf(taken[1]), QStringList({QStringLiteral("ocid1.datasciencejob.oc1..a"),
                                            QStringLiteral("ocid1.datasciencejob.oc1..b")}));
    dialog_->setTakingUp(true);
    QVERIFY(!button(QStringLiteral("&Take up"))->isEnabled());
    dialog_->setTakingUp(false);
    dialog_->setKnown(JobId("ocid1.datasciencejob.oc1..a"), RunId("run-a"));
    dialog_->setKnown(JobId("ocid1.datasciencejob.oc1..b"), RunId("run-b"));
    QVERIFY(!button(QStringLiteral("&Take up"))->isEnabled());
    QVERIFY(!button(QStringLiteral("Take up all &running"))->isEnabled());
  }

  void enterOpensAJobAlsoOneOfItsJobRuns() {
    QSignalSpy opened(dialog_.get(), &RemoteRunsDialog::openRequested);
    QSignalSpy taken(dialog_.get(), &RemoteRunsDialog::takeUpRequested);
    auto* table = dialog_->findChild<QTreeView*>();
    goTo(QStringLiteral("name of c"));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].value<RunId>().value, std::string("run-c"));
    goTo(QStringLiteral("name of b"));
    table->expand(table->currentIndex());
    table->setCurrentIndex(table->model()->index(2, 0, table->currentIndex()));
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(taken.size(), 1);
    QCOMPARE(jobsOf(taken[0]), QStringList{QStringLiteral("ocid1.datasciencejob.oc1..b")});
    QCOMPARE(taken[0][1].toBool(), true);
  }

  void lookingShowsHowFarItIs() {
    auto* progress = dialog_->findChild<QProgressBar*>();
    QVERIFY(progress->isHidden());
    dialog_->setLooking(0, 0);
    QVERIFY(progress->isVisible());
    QVERIFY(!button(QStringLiteral("&Look again"))->isEnabled());
    dialog_->setLooking(3, 8);
    QVERIFY(said().contains(QLatin1String("3 of 8 compartments")));
    dialog_->showError(failure(ErrorCode::Unavailable, "the region does not answer").value());
    QVERIFY(progress->isHidden());
    QVERIFY(dialog_->findChild<MessageBar*>()->plainText().contains(QLatin1String("does not answer")));
    QVERIFY(button(QStringLiteral("&Look again"))->isEnabled());
    QCOMPARE(rows(), 3);  // what was found before is still there
  }

 private:
  [[nodiscard]] int rows() const { return dialog_->findChild<QTreeView*>()->model()->rowCount(); }
  [[nodiscard]] QString said() const {
    QStringList texts;
    for (const QLabel* label : dialog_->findChildren<QLabel*>()) texts << label->text();
    return texts.join(QLatin1Char('\n'));
  }
  [[nodiscard]] QPushButton* button(const QString& text) const {
    for (QPushButton* one : dialog_->findChildren<QPushButton*>())
      if (one->text() == text) return one;
    return nullptr;
  }
  void choose(const QString& list, const QString& text) const {
    for (QComboBox* one : dialog_->findChildren<QComboBox*>())
      if (one->accessibleName() == list) one->setCurrentIndex(one->findText(text));
  }
  void goTo(const QString& name) const {
    auto* table = dialog_->findChild<QTreeView*>();
    for (int row = 0; row < rows(); ++row)
      if (table->model()->index(row, 0).data().toString() == name)
        table->setCurrentIndex(table->model()->index(row, 0));
  }
  static QStringList jobsOf(const QList<QVariant>& signal) {
    QStringList ids;
    for (const JobId& id : signal[0].value<std::vector<JobId>>()) ids << QString::fromStdString(id.value);
    return ids;
  }
  std::unique_ptr<RemoteRunsDialog> dialog_;
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RemoteRunsDialogTest)
#include "remote_runs_dialog_test.moc"
