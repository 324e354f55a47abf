// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include "logs/store/kept_log.h"
#include "made_up_log.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_table.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/metrics/rank_table.h"
#include "widgets/metrics/rank_table_model.h"
#include "widgets/runs/marks_dialog.h"
#include "widgets/runs/run_header.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_model.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

TrainingRun runNamed(const std::string& id, JobRunState state = JobRunState::InProgress) {
  TrainingRun run;
  run.id = RunId(id);
  run.name = "name of " + id;
  run.profile = "TEAM";
  run.created = TimePoint(1'700'000'000s);
  run.launchComplete = true;
  for (int i = 0; i < 3; ++i) {
    NodeRun node;
    node.id = JobRunId(id + std::to_string(i));
    node.role = i == 0 ? NodeRole::Main : NodeRole::Worker;
    node.displayName = i == 0 ? "main" : "worker_" + std::to_string(i - 1);
    node.nodeRank = i;
    node.state = state;
    run.nodes.push_back(node);
  }
  if (isTerminal(state)) run.finished = run.created + 65s;
  return run;
}

std::vector<RunSummary> listed(const std::vector<TrainingRun>& runs) {
  std::vector<RunSummary> summaries;
  for (const TrainingRun& run : runs) summaries.push_back(summaryOf(run));
  return summaries;
}

QString textAt(const RunsModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

QPushButton* buttonOf(QWidget* widget, const QString& text) {
  for (QPushButton* button : widget->findChildren<QPushButton*>()) {
    if (button->text() == text && !button->isHidden()) return button;
  }
  return nullptr;
}

QString allTextOf(const QWidget* widget) {
  QStringList texts;
  for (const QLabel* label : widget->findChildren<QLabel*>()) {
    if (!label->isHidden()) texts << label->text();
  }
  return texts.join(QLatin1Char('\n'));
}

QString messagesOf(const QWidget* widget) {
  QStringList texts;
  for (const MessageBar* bar : widget->findChildren<MessageBar*>()) {
    if (bar->hasMessage()) texts << bar->plainText();
  }
  return texts.join(QLatin1Char('\n'));
}

/// As the monitor hands it over: with a store instead of batches.
RunUpdate collected(RunUpdate update) {
  if (update.metrics.empty()) return update;
  MetricStore samples;
  samples.add(update.metrics);
  update.metrics.clear();
  update.samples = samples.snapshot();
  return update;
}

}  // namespace

class RunsWidgetsTest : public QObject {
  Q_OBJECT
 private slots:
  void anEndedRunIsLaunchedAgainFromItsPage() {
    RunPage page;
    TrainingRun run = runNamed("a", JobRunState::Failed);
    run.trainYaml = "kind: job\n";
    run.failure = "main ended with code 3";
    page.setRun(run);
    QSignalSpy wanted(&page, &RunPage::relaunchRequested);
    QList<QPushButton*> buttons;
    for (QPushButton* button : page.findChildren<QPushButton*>())
      if (button->text() == QLatin1String("Relaunch") && button->isVisibleTo(&page)) buttons << button;
    QCOMPARE(buttons.size(), 2);  // in the header, and beside the lines of the failure
    for (QPushButton* button : buttons) button->click();
    QCOMPARE(wanted.count(), 2);
    QCOMPARE(wanted[0][0].value<RunId>().value, std::string("a"));
    page.setRelaunching(true);
    for (const QPushButton* button : buttons) QVERIFY(!button->isEnabled());
    page.setRelaunching(false);
    for (const QPushButton* button : buttons) QVERIFY(button->isEnabled());
    for (auto [state, yaml] :
         {std::pair(JobRunState::InProgress, "kind: job\n"), std::pair(JobRunState::Failed, "")}) {
      TrainingRun other = runNamed("b", state);
      other.trainYaml = yaml;
      page.setRun(other);
      QVERIFY(!buttonOf(&page, QStringLiteral("Relaunch")) ||
              !buttonOf(&page, QStringLiteral("Relaunch"))->isVisibleTo(&page));
    }
  }

  void whyNothingWasLaunchedStaysOnThePageOfAnEndedRun() {
    RunPage page;
    TrainingRun run = runNamed("a", JobRunState::Succeeded);
    page.setRun(run);
    page.showError(failure(ErrorCode::NotFound, "no such profile").value());
    page.setRun(run);  // as the history's next look does
    QVERIFY(messagesOf(&page).contains(QLatin1String("No such profile")));
  }

  void theHistoryLaunchesAnEndedRunAgain() {
    RunsPage page;
    TrainingRun ended = runNamed("a", JobRunState::Succeeded);
    ended.trainYaml = "kind: job\n";
    TrainingRun live = runNamed("b");
    live.trainYaml = "kind: job\n";
    page.setRuns(listed({ended, live}));
    QAction* again = nullptr;
    for (QAction* action : page.actions())
      if (action->text().remove(QLatin1Char('&')) == QLatin1String("Relaunch")) again = action;
    QVERIFY(again);
    QVERIFY(page.findChild<QTreeView*>()->actions().contains(again));
    page.select(live.id);
    QVERIFY(!again->isEnabled());
    page.select(ended.id);
    QVERIFY(again->isEnabled());
    QSignalSpy wanted(&page, &RunsPage::relaunchRequested);
    again->trigger();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].value<RunId>().value, std::string("a"));
    page.setRelaunching(true);
    QVERIFY(!again->isEnabled());
  }

  void aHistoryThatCannotBeReadIsNotAnEmptyOne() {
    RunsPage page;
    page.show();
    page.setHistoryUnknown(true);
    const auto shows = [&](const QString& text) {
      for (const QLabel* label : page.findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(text)) return true;
      return false;
    };
    QVERIFY(!shows(QStringLiteral("No runs yet")));
    QVERIFY(shows(QStringLiteral("cannot be read")));
    QSignalSpy wanted(&page, &RunsPage::moveAsideRequested);
    QPushButton* button = buttonOf(&page, QStringLiteral("Move it aside and begin a new one"));
    QVERIFY(button && button->isVisible());
    button->click();
    QCOMPARE(wanted.count(), 1);
    page.setHistoryUnknown(false);
    QVERIFY(!button->isVisible());
    page.setRuns({});
    QVERIFY(shows(QStringLiteral("No runs yet")));
  }

  void modelShowsWhatARunIs() {
    RunsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    TrainingRun failed = runNamed("b", JobRunState::Failed);
    failed.failure = "rank 1 (worker_0) was ended by signal 9 (Killed)";
    model.setRuns(listed({runNamed("a"), failed}));
    model.setNow(TimePoint(1'700'000'041s));
    QCOMPARE(textAt(model, 0, RunsModel::kName), "name of a");
    QCOMPARE(textAt(model, 0, RunsModel::kState), "Running");
    QCOMPARE(textAt(model, 0, RunsModel::kElapsed), "0:41");
    QCOMPARE(textAt(model, 0, RunsModel::kNodes), "3");
    QCOMPARE(textAt(model, 0, RunsModel::kPlace), "OCI · TEAM");
    QCOMPARE(textAt(model, 1, RunsModel::kState), "Failed");
    QCOMPARE(textAt(model, 1, RunsModel::kElapsed), "1:05");
    QVERIFY(textAt(model, 1, RunsModel::kFailure).contains("signal 9"));
  }

  void modelKeepsRowsOverUpdates() {
    RunsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns(listed({runNamed("b"), runNamed("a")}));
    const QPersistentModelIndex a = model.index(1, 0);
    model.setRuns(listed({runNamed("c"), runNamed("a", JobRunState::Succeeded)}));
    QVERIFY(a.isValid());
    QCOMPARE(a.data(RunsModel::kRunIdRole).toString(), "a");
    QCOMPARE(textAt(model, a.row(), RunsModel::kState), "Succeeded");
    QCOMPARE(model.rowCount(), 2);
    model.updateRun(runNamed("d"));
    QCOMPARE(textAt(model, 0, RunsModel::kName), "name of d");
    model.setRuns(listed({runNamed("a"), runNamed("c")}));  // another order, one gone
    QCOMPARE(model.rowOf(RunId("a")), std::optional(0));
    model.setRuns({});
    QCOMPARE(model.rowCount(), 0);
  }

  void enterAndDoubleClickOpenTheRun() {
    RunsPage page;
    page.setRuns(listed({runNamed("a"), runNamed("b")}));
    page.show();
    page.select(RunId("b"));
    QSignalSpy opened(&page, &RunsPage::openRequested);
    auto* table = page.findChild<QTreeView*>();
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].value<RunId>().value, std::string("b"));
    const QPoint place = table->visualRect(table->currentIndex()).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(opened.size(), 2);
  }

  void theNewestRunIsChosenAtFirst() {
    RunsPage page;
    page.show();
    TrainingRun newer = runNamed("newer");
    newer.created += 60s;
    page.setRuns(listed({newer, runNamed("older")}));
    QSignalSpy opened(&page, &RunsPage::openRequested);
    QTRY_VERIFY(page.actions().first()->isEnabled());
    page.actions().first()->trigger();
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].value<RunId>().value, std::string("newer"));
    page.setRuns(listed({newer, runNamed("older")}));  // and stays so over a refresh
    QVERIFY(page.actions().first()->isEnabled());
  }

  void forgettingAsksFirst() {
    RunsPage page;
    page.setRuns(listed({runNamed("a", JobRunState::Succeeded)}));
    page.show();
    page.select(RunId("a"));
    QSignalSpy forgotten(&page, &RunsPage::forgetRequested);
    page.findChild<QTreeView*>()->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    QTest::keyClick(page.findChild<QTreeView*>(), Qt::Key_Delete);
    QCOMPARE(forgotten.size(), 0);
    QVERIFY(messagesOf(&page).contains("Forget the run \"name of a\"?"));
    QTRY_VERIFY(buttonOf(&page, "Keep"));
    buttonOf(&page, "Keep")->click();
    QCOMPARE(forgotten.size(), 0);
    QVERIFY(messagesOf(&page).isEmpty());
    page.findChild<QTreeView*>()->setFocus();
    QTest::keyClick(page.findChild<QTreeView*>(), Qt::Key_Delete);
    QTRY_VERIFY(buttonOf(&page, "Forget"));
    buttonOf(&page, "Forget")->click();
    QCOMPARE(forgotten.size(), 1);
  }

  void onlyARunThatGoesOnCanBeCanceled() {
    RunsPage page;
    page.setRuns(listed({runNamed("over", JobRunState::Succeeded), runNamed("on")}));
    const auto action = [&page](const QString& text) -> QAction* {
      for (QAction* a : page.actions()) {
        if (a->text() == text) return a;
      }
      return nullptr;
    };
    page.select(RunId("over"));
    QVERIFY(!action("&Cancel run")->isEnabled());
    page.select(RunId("on"));
    QVERIFY(action("&Cancel run")->isEnabled());
    page.updateRun(runNamed("on", JobRunState::Succeeded));
    QVERIFY(!action("&Cancel run")->isEnabled());
  }

  void anEmptyHistorySaysWhatToDo() {
    RunsPage page;
    page.show();
    QSignalSpy asked(&page, &RunsPage::designerRequested);
    QTRY_VERIFY(buttonOf(&page, "Open the cluster designer"));
    buttonOf(&page, "Open the cluster designer")->click();
    QCOMPARE(asked.size(), 1);
    page.setRuns(listed({runNamed("a")}));
    QVERIFY(page.findChild<QTreeView*>()->isVisible());
    page.setRuns({});
    QVERIFY(!page.findChild<QTreeView*>()->isVisible());
  }

  void theSearchFiltersWhileSomebodyTypes() {
    RunsPage page;
    std::vector<RunSummary> runs = listed({runNamed("alpha"), runNamed("beta", JobRunState::Failed)});
    runs[0].marks.tags = {"paper"};
    runs[1].marks.isArchived = true;
    page.setRuns(runs);
    page.show();
    auto* table = page.findChild<QTreeView*>();
    auto* field = page.findChild<QLineEdit*>();
    QCOMPARE(table->model()->rowCount(), 1);  // archived runs are left out
    field->setText("is:archived state:fail");
    QCOMPARE(table->model()->rowCount(), 1);
    QCOMPARE(table->model()->index(0, 0).data().toString(), "name of beta");
    field->setText("tag:paper");
    QCOMPARE(table->model()->index(0, 0).data().toString(), "name of alpha");
    field->setText("tag:");  // half of a term: what was found stays, and what is wrong is said
    QCOMPARE(table->model()->rowCount(), 1);
    QVERIFY(allTextOf(&page).contains("character 5"));
    field->setText("nothing is like that");
    QCOMPARE(table->model()->rowCount(), 0);
    QVERIFY(table->isVisible());
    field->clear();
    QCOMPARE(table->model()->rowCount(), 1);
    QVERIFY(!allTextOf(&page).contains("character"));
  }

  void aKeystrokeIsTwoSignalsHoweverManyRuns() {
    RunsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::vector<RunSummary> runs;
    for (int i = 0; i < 1000; ++i) {
      runs.push_back(summaryOf(runNamed("run" + std::to_string(i))));
      if (i % 3 == 0) runs.back().marks.tags = {"third"};
    }
    model.setRuns(runs);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    const QPersistentModelIndex first = model.index(0, 0), last = model.index(999, 0);
    model.setQuery(*parseRunQuery("tag:third", TimePoint{}), false);
    QCOMPARE(model.rowCount(), 334);
    QCOMPARE(removed.count() + inserted.count(), 2);
    QVERIFY(first.isValid());
    QCOMPARE(last.data(RunsModel::kRunIdRole).toString(), "run999");
    model.setQuery({}, false);
    QCOMPARE(model.rowCount(), 1000);
    QCOMPARE(removed.count() + inserted.count(), 4);
    QCOMPARE(reset.count(), 0);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setRuns(runs);  // the same again: nothing is told
    QCOMPARE(changed.count(), 0);
    runs[500].marks.note = "new";
    model.setRuns(runs);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toModelIndex().row(), 500);
    QCOMPARE(changed[0][1].toModelIndex().row(), 500);
  }

  void runsAreSortedByValueAndTheUnknownComeLast() {
    RunsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::vector<RunSummary> runs = listed({runNamed("a"), runNamed("b"), runNamed("c")});
    runs[0].results = {{std::string(metric::kLoss), 10, 1, {}, 0, {}, {}}};
    runs[2].results = {{std::string(metric::kLoss), 9.5, 1, {}, 0, {}, {}}};
    model.setRuns(runs);
    const QPersistentModelIndex c = model.index(2, 0);
    model.sort(RunsModel::kResult, Qt::AscendingOrder);
    QCOMPARE(textAt(model, 0, RunsModel::kName), "name of c");
    QCOMPARE(c.row(), 0);
    QCOMPARE(textAt(model, 2, RunsModel::kName), "name of b");
    model.sort(RunsModel::kResult, Qt::DescendingOrder);
    QCOMPARE(textAt(model, 0, RunsModel::kName), "name of a");
    QCOMPARE(textAt(model, 2, RunsModel::kName), "name of b");
    QCOMPARE(textAt(model, 0, RunsModel::kResult), "Loss 10");
  }

  void whatWasFoundIsShownWithItsWorst() {
    RunsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::vector<RunSummary> runs = listed({runNamed("a"), runNamed("b"), runNamed("c"), runNamed("d")});
    runs[0].findings = RunFindings{3, "warning", {"straggler", "of-a-newer-lockstep"}};
    runs[1].findings = RunFindings{};
    runs[3].findings = RunFindings{1, "critical", {"stall"}};
    model.setRuns(runs);
    const auto shown = [&](int row, int role) { return model.index(row, RunsModel::kFindings).data(role); };
    QCOMPARE(shown(0, Qt::DisplayRole).toString(), "3");
    QCOMPARE(shown(0, Qt::AccessibleTextRole).toString(), "3 finding(s), the worst: Warning");
    const QString tip = shown(0, Qt::ToolTipRole).toString();
    for (const char* expected : {"Slow rank", "of-a-newer-lockstep", "3 finding"})
      QVERIFY2(tip.contains(QLatin1String(expected)), qPrintable(tip));
    QVERIFY(!shown(0, Qt::DecorationRole).value<QIcon>().isNull());
    QCOMPARE(shown(1, Qt::DisplayRole).toString(), "0");
    QCOMPARE(shown(1, Qt::AccessibleTextRole).toString(), "No findings");
    QVERIFY(shown(1, Qt::DecorationRole).isNull());
    QCOMPARE(shown(2, Qt::DisplayRole).toString(), "");
    QCOMPARE(shown(2, Qt::AccessibleTextRole).toString(), "Nobody has looked for findings");
    QCOMPARE(shown(3, Qt::AccessibleTextRole).toString(), "1 finding(s), the worst: Critical");
    model.sort(RunsModel::kFindings, Qt::DescendingOrder);
    QStringList order;
    for (int row = 0; row < 4; ++row) order << textAt(model, row, RunsModel::kName);
    QCOMPARE(order.join(' '), "name of d name of a name of b name of c");
    model.updateRun(runNamed("a", JobRunState::Succeeded));  // a newer state keeps what was found
    QCOMPARE(textAt(model, 1, RunsModel::kFindings), "3");
    model.setFindings(RunId("a"), {4, "notice", {"straggler"}});
    QCOMPARE(textAt(model, 1, RunsModel::kFindings), "4");
    model.setFindings(RunId("unheard of"), {});
    QCOMPARE(model.rowCount(), 4);
  }

  void severalRunsAreComparedInTheOrderOfTheList() {
    RunsPage page;
    page.setRuns(listed({runNamed("a"), runNamed("b"), runNamed("c")}));
    page.show();
    QAction* compare = nullptr;
    for (QAction* action : page.actions())
      if (action->text() == QLatin1String("Co&mpare")) compare = action;
    QVERIFY(compare);
    QVERIFY(!compare->isEnabled());
    QStringList asked;
    connect(&page, &RunsPage::compareRequested, &page, [&](const std::vector<RunId>& ids) {
      for (const RunId& id : ids) asked << QString::fromStdString(id.value);
    });
    page.findChild<QTreeView*>()->selectAll();
    QTRY_VERIFY(compare->isEnabled());
    compare->trigger();
    QCOMPARE(asked.size(), 3);
    QCOMPARE(asked, (QStringList{page.model()->index(0, 0).data(RunsModel::kRunIdRole).toString(),
                                 page.model()->index(1, 0).data(RunsModel::kRunIdRole).toString(),
                                 page.model()->index(2, 0).data(RunsModel::kRunIdRole).toString()}));
  }

  void marksAreAskedForAndPinningIsOneKey() {
    RunsPage page;
    page.setRuns(listed({runNamed("a", JobRunState::Succeeded)}));
    page.show();
    page.select(RunId("a"));
    std::vector<RunMarks> said;
    connect(&page, &RunsPage::marksChanged, &page,
            [&](const RunId&, const RunMarks& marks) { said.push_back(marks); });
    QVERIFY(QTest::qWaitForWindowActive(&page));
    page.findChild<QTreeView*>()->setFocus();
    QTest::keyClick(page.findChild<QTreeView*>(), Qt::Key_D, Qt::ControlModifier);
    QTRY_COMPARE(said.size(), 1U);
    QVERIFY(said[0].isPinned);
    QTest::keyClick(page.findChild<QTreeView*>(), Qt::Key_F2);
    QTRY_VERIFY(page.findChild<MarksDialog*>());
    auto* dialog = page.findChild<MarksDialog*>();
    dialog->findChildren<QLineEdit*>().first()->setText("b, a ,, c");
    QCOMPARE(dialog->marks().tags, (std::vector<std::string>{"b", "a", "c"}));
    dialog->accept();
    QCOMPARE(said.size(), 2U);
    QTest::keyClick(page.findChild<QTreeView*>(), Qt::Key_Delete, Qt::ShiftModifier);
    QTRY_COMPARE(said.size(), 3U);
    QVERIFY(said[2].isArchived);
  }

  void runPageShowsProgressAndFailure() {
    RunPage page;
    page.show();
    page.setRun(runNamed("a"));
    QVERIFY(allTextOf(&page).contains("no data yet"));
    RunUpdate update;
    update.run = runNamed("a");
    update.dataLag = 1400ms;
    update.metrics.push_back({std::string(metric::kTotalSteps), Rank(0), {{0, TimePoint(1s), 20}}});
    update.metrics.push_back(
        {std::string(metric::kLoss), Rank(0), {{0, TimePoint(1s), 2.3}, {4, TimePoint(2s), 2.0}}});
    update.metrics.push_back({std::string(metric::kAccuracy), Rank(0), {{4, TimePoint(2s), 61.25}}});
    page.apply(collected(update));
    QVERIFY2(allTextOf(&page).contains("5 / 20 (25 %)"), qPrintable(allTextOf(&page)));
    QVERIFY(allTextOf(&page).contains("61.3 %"));
    QCOMPARE(page.findChild<StateBadge*>()->text(), "Running");
    update = {};
    update.run = runNamed("a", JobRunState::Failed);
    update.run.failure = "rank 1 (worker_0) was ended by signal 9 (Killed)";
    update.ended = true;
    page.apply(collected(update));
    QVERIFY(messagesOf(&page).contains("rank 1 (worker_0) was ended by signal 9 (Killed)"));
    QCOMPARE(page.findChild<StateBadge*>()->text(), "Failed");
    QVERIFY(!buttonOf(&page, "Cancel run"));
  }

  void runPageIgnoresLooksAtOtherRuns() {
    RunPage page;
    page.setRun(runNamed("a"));
    RunUpdate update;
    update.run = runNamed("b");
    update.metrics.push_back({std::string(metric::kLoss), Rank(0), {{4, TimePoint(2s), 2.0}}});
    page.apply(collected(update));
    QCOMPARE(page.run().id.value, std::string("a"));
    QVERIFY(!page.progress().stepsDone());
  }

  void anotherRunStartsEmpty() {
    RunPage page;
    page.setRun(runNamed("a"));
    RunUpdate update;
    update.run = runNamed("a", JobRunState::Failed);
    update.run.failure = "out of memory";
    update.metrics.push_back({std::string(metric::kLoss), Rank(0), {{4, TimePoint(2s), 2.0}}});
    page.apply(collected(update));
    page.setRun(runNamed("b"));
    QVERIFY(!page.progress().stepsDone());
    QVERIFY(!messagesOf(&page).contains("out of memory"));
  }

  void aSourceThatCannotBeReadIsSaidOnceAndGoesAway() {
    RunPage page;
    page.show();
    page.setRun(runNamed("a"));
    RunUpdate update;
    update.run = runNamed("a");
    update.problems.push_back(
        {ErrorCode::Unavailable, "cannot read the logs", "connection refused", "", "", {}});
    page.apply(collected(update));
    QVERIFY(messagesOf(&page).contains("Cannot read the logs"));
    for (MessageBar* bar : page.findChildren<MessageBar*>()) bar->clear();  // what closing does
    page.apply(collected(update));
    QVERIFY(messagesOf(&page).isEmpty());
    update.problems.clear();
    page.apply(collected(update));
    update.problems.push_back(
        {ErrorCode::Unavailable, "cannot read the logs", "connection refused", "", "", {}});
    page.apply(collected(update));
    QVERIFY(messagesOf(&page).contains("Cannot read the logs"));
  }

  void cancelingAsksFirst() {
    RunPage page;
    page.show();
    page.setRun(runNamed("a"));
    QSignalSpy canceled(&page, &RunPage::cancelRequested);
    auto* header = page.findChild<RunHeader*>();
    QTRY_VERIFY(buttonOf(header, "Cancel run"));
    buttonOf(header, "Cancel run")->click();
    QCOMPARE(canceled.size(), 0);
    QTRY_VERIFY(buttonOf(page.findChild<MessageBar*>(), "Cancel run"));
    buttonOf(page.findChild<MessageBar*>(), "Cancel run")->click();
    QCOMPARE(canceled.size(), 1);
    page.setCanceling(true);
    QVERIFY(!buttonOf(header, "Canceling …")->isEnabled());
  }

  void escapeStaysAndAltUpLeadsBack() {
    RunPage page;
    page.resize(1200, 800);
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    QSignalSpy back(&page, &RunPage::backRequested);
    QTest::keyClick(&page, Qt::Key_Escape);
    QCOMPARE(back.size(), 0);
    QTest::keyClick(page.focusWidget() != nullptr ? page.focusWidget() : &page, Qt::Key_Up, Qt::AltModifier);
    QTRY_COMPARE(back.size(), 1);  // the button is seen to go down first
  }

  void noBarIsShownWhereNobodyKnowsHowManyStepsThereAre() {
    RunPage page;
    page.show();
    page.setRun(runNamed("a"));
    RunUpdate update;
    update.run = runNamed("a");
    page.apply(collected(update));
    auto* bar = page.findChild<RunHeader*>()->findChild<QProgressBar*>();
    QTRY_VERIFY2(!bar->isVisible(), "an empty one says that nothing was done");
    update.metrics.push_back({std::string(metric::kTotalSteps), Rank(0), {{0, TimePoint(1s), 20}}});
    update.metrics.push_back({std::string(metric::kLoss), Rank(0), {{9, TimePoint(1s), 2.3}}});
    page.apply(collected(update));
    QTRY_VERIFY(bar->isVisible());
    QCOMPARE(bar->value(), 500);
  }

  void aNameThatTurnsWhatFollowsIsShownAsItIs() {
    RunPage page;
    page.show();
    page.setRun(runNamed("model\u202Ecilbup"));
    QCOMPARE(page.findChild<RunHeader*>()->findChild<ElidedLabel*>()->text(),
             QStringLiteral("name of model\\u202Ecilbup"));
  }

  void aPastThatIsLoadingIsToldAsThatAndNotAsProgress() {
    RunPage page;
    page.show();
    page.setRun(runNamed("a", JobRunState::Succeeded));
    QVERIFY2(allTextOf(&page).contains("Loading"), qPrintable(allTextOf(&page)));
    RunUpdate update;
    update.run = runNamed("a", JobRunState::Succeeded);
    update.metrics.push_back({std::string(metric::kTotalSteps), Rank(0), {{0, TimePoint(1s), 20}}});
    update.metrics.push_back({std::string(metric::kLoss), Rank(0), {{0, TimePoint(1s), 2.3}}});
    update.areSamplesBehind = true;
    update.segmentsRead = 1240;
    update.segmentsKnown = 2600;
    page.apply(collected(update));
    const QLocale locale;
    QVERIFY2(allTextOf(&page).contains(
                 QStringLiteral("%1 of %2 segments").arg(locale.toString(1240), locale.toString(2600))),
             qPrintable(allTextOf(&page)));
    QVERIFY2(!allTextOf(&page).contains("1 / 20"), "what is loaded is no progress of the run");
    QSignalSpy stopped(&page, &RunPage::stopLoadingRequested);
    buttonOf(&page, "Stop loading")->click();
    QCOMPARE(stopped.size(), 1);
    update.areSamplesBehind = false;
    page.apply(collected(update));
    QVERIFY2(allTextOf(&page).contains("1 / 20"), qPrintable(allTextOf(&page)));
    QVERIFY(!buttonOf(&page, "Stop loading"));
  }

  void linesThatAreStillReadHoldNoChartUp() {
    RunPage page;
    page.show();
    page.setRun(runNamed("a", JobRunState::InProgress));
    RunUpdate update;
    update.run = runNamed("a", JobRunState::InProgress);
    update.areLinesBehind = true;
    KeptLog log;
    LogLine line;
    line.text = "the newest";
    log.add({line});
    update.log = log.snapshot();
    page.apply(collected(update));
    QVERIFY2(!allTextOf(&page).contains("Loading"), qPrintable(allTextOf(&page)));
    QTRY_VERIFY2(allTextOf(&page).contains("1 line; older ones are being read"),
                 qPrintable(allTextOf(&page)));
    update.areLinesBehind = false;
    page.apply(collected(update));
    QVERIFY2(!allTextOf(&page).contains("older ones"), qPrintable(allTextOf(&page)));
  }

  void aRunThatEndedWithoutLinesSaysSo() {
    RunPage page;
    page.show();
    page.setRun(runNamed("a", JobRunState::Succeeded));
    auto* lines = page.dashboard()->logView()->table();
    QVERIFY2(lines->accessibleDescription().contains("Loading"), qPrintable(lines->accessibleDescription()));
    RunUpdate update;
    update.run = runNamed("a", JobRunState::Succeeded);
    update.ended = true;
    page.apply(collected(update));
    QVERIFY2(lines->accessibleDescription().contains("left no lines"),
             qPrintable(lines->accessibleDescription()));
  }

  void whileTheWorkDirIsAwayNobodyIsBlamed() {
    RunPage page;
    page.show();
    TrainingRun run = runNamed("a");
    run.profile = "REHEARSAL";
    page.setRun(run);
    RunUpdate update;
    update.run = run;
    auto health = std::make_shared<RunHealth>();
    health->heartbeat.emplace();
    health->heartbeat->ranks.resize(1);
    health->heard = SystemClock().steady() - 1min;  // a heartbeat that is this old is no heartbeat
    update.health = health;
    page.apply(collected(update));
    QVERIFY2(messagesOf(&page).contains("sends no heartbeat"), qPrintable(messagesOf(&page)));
    update.health = nullptr;
    update.isHealthKnown = false;
    update.problems.push_back(
        {ErrorCode::Unavailable, "could not connect", "connection refused", "", "", {}});
    page.apply(collected(update));
    QVERIFY2(!messagesOf(&page).contains("no heartbeat"), qPrintable(messagesOf(&page)));
    QVERIFY(messagesOf(&page).contains("Could not connect"));
    QSignalSpy wanted(&page, &RunPage::startRegionRequested);
    QTRY_VERIFY(buttonOf(&page, "Start the region"));
    buttonOf(&page, "Start the region")->click();
    QCOMPARE(wanted.size(), 1);
  }

  void aFailedRunLeadsToItsLines() {
    RunPage page;
    page.resize(1200, 800);
    page.show();
    RunUpdate update;
    update.run = runNamed("a", JobRunState::Failed);
    update.run.failure = "rank 0 failed";
    update.run.nodes[1].state = update.run.nodes[2].state = JobRunState::Canceled;
    update.log = snapshotOf(
        {{"1", TimePoint(1s), JobRunId("a0"), "main", Rank(0), LogLevel::Error, "ERROR: out of memory"},
         {"2", TimePoint(2s), JobRunId("a0"), "main", Rank(0), LogLevel::Info, "cleaning up"},
         {"3", TimePoint(3s), JobRunId("a1"), "worker_0", Rank(1), LogLevel::Error, "lost rank 0"}});
    page.setRun(update.run);
    page.apply(collected(update));
    QTRY_VERIFY(buttonOf(&page, "Show its lines"));
    buttonOf(&page, "Show its lines")->click();
    const LogView* log = page.dashboard()->logView();
    QCOMPARE(log->model()->rowCount(), 2);
    QCOMPARE(log->table()->currentIndex().row(), 0);
  }

  void eachNodeHasItsRanks() {
    RunPage page;
    RunUpdate update;
    update.run = runNamed("a");
    update.run.nodes.pop_back();  // main and worker_0
    page.setRun(update.run);
    const auto* table = page.findChild<RankTable*>();
    QVERIFY(table);
    const auto nodeOf = [&](int row) {
      return table->model()->index(row, RankTableModel::NodeColumn).data().toString();
    };
    QCOMPARE(table->model()->rowCount(), 2);  // a node has a row before its ranks are known
    QCOMPARE(nodeOf(1), QStringLiteral("worker_0"));
    for (int rank = 0; rank < 8; ++rank)
      update.metrics.push_back({std::string(metric::kLoss), Rank(rank), {{0, TimePoint(1s), 2.0}}});
    page.apply(collected(update));
    QCOMPARE(table->model()->rowCount(), 8);
    for (int rank = 0; rank < 8; ++rank)
      QCOMPARE(nodeOf(rank), rank < 4 ? QStringLiteral("main") : QStringLiteral("worker_0"));
  }

  void linesOfANodeOfSeveralRanksAreThoseOfNoOtherNodesRank() {
    RunPage page;
    page.resize(1200, 800);
    page.show();
    RunUpdate update;
    update.run = runNamed("a", JobRunState::Failed);
    update.run.nodes.pop_back();
    update.run.failure = "rank 5 failed";
    update.run.nodes[0].state = JobRunState::Canceled;
    for (int rank = 0; rank < 8; ++rank)
      update.metrics.push_back({std::string(metric::kLoss), Rank(rank), {{0, TimePoint(1s), 2.0}}});
    update.log = snapshotOf(
        {{"1", TimePoint(1s), JobRunId("a0"), "main", Rank(1), LogLevel::Info, "step 1"},
         {"2", TimePoint(2s), JobRunId("a1"), "worker_0", Rank(5), LogLevel::Error, "ERROR: out of memory"}});
    page.setRun(update.run);
    page.apply(collected(update));
    QTRY_VERIFY(buttonOf(&page, "Show its lines"));
    buttonOf(&page, "Show its lines")->click();
    const LogView* log = page.dashboard()->logView();
    QCOMPARE(log->model()->rowCount(), 2);
    QCOMPARE(log->table()->currentIndex().row(), 1);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RunsWidgetsTest)
#include "runs_widgets_test.moc"
