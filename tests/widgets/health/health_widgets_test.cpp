// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

#include "base/clock.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/health/gap_card.h"
#include "widgets/health/health_table.h"
#include "widgets/health/phase_model.h"
#include "widgets/health/reach_model.h"
#include "widgets/health/reach_panel.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/metrics/run_tables.h"
#include "widgets/runs/run_page.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const TimePoint kNow(1'790'000'000s);
const SteadyPoint kHeard(1000s);

RankHeartbeat beat(int rank, const char* word, long long collectives, std::chrono::seconds lasting,
                   TimePoint now) {
  RankHeartbeat one;
  one.rank = Rank(rank);
  one.word = word;
  one.phase = rankPhaseNamed(word);
  one.step = 1234;
  one.collectives = collectives;
  one.host = "vm-" + std::to_string(rank);
  one.pid = 40 + rank;
  one.since = now - lasting;
  return one;
}

/// Rank 1 keeps rank 0 waiting for 20 s; of three nodes one cannot be reached by the others.
std::shared_ptr<RunHealth> heldUp(TimePoint now = kNow, SteadyPoint heard = kHeard) {
  auto health = std::make_shared<RunHealth>();
  health->heartbeat = Heartbeat{
      now, {beat(0, "waiting for peers", 118, 20s, now), beat(1, "data", 117, 22s, now)}, {Rank(1)}};
  health->heard = heard;
  const ReachLink toMain{0, "main", "10.0.0.2", 4710, true, 0.42, ""};
  const ReachLink toZero{1, "worker_0", "10.0.0.3", 4711, true, 0.5, ""};
  const ReachLink closed{2, "worker_1", "10.0.0.4", 4712, false, {}, "timed out after 3 s"};
  health->nodes = {{0, "main", "10.0.0.2", {toZero, closed}, {}, {}},
                   {1, "worker_0", "10.0.0.3", {toMain, closed}, {}, {}},
                   {2, "worker_1", "10.0.0.4", {toMain}, {1}, {}}};
  return health;
}

QString cell(const QAbstractItemModel& model, int row, int column, int role = Qt::DisplayRole) {
  return model.index(row, column).data(role).toString();
}

TrainingRun runningRun() {
  TrainingRun run;
  run.id = RunId("a");
  run.launchComplete = true;
  run.nodes.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    run.nodes[i].id = JobRunId("r" + std::to_string(i));
    run.nodes[i].displayName = i == 0 ? "main" : "worker_0";
    run.nodes[i].nodeRank = static_cast<int>(i);
    run.nodes[i].state = JobRunState::InProgress;
  }
  return run;
}

QString messagesOf(const QWidget* widget) {
  QStringList texts;
  for (const MessageBar* bar : widget->findChildren<MessageBar*>())
    if (bar->hasMessage()) texts << bar->plainText();
  return texts.join(QLatin1Char('\n'));
}

}  // namespace

class HealthWidgetsTest : public QObject {
  Q_OBJECT
 private slots:
  void eachRankSaysWhatItDoesForHowLongAndWhereItIs() {
    PhaseModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setNow(kHeard + 2s, PhaseModel::News::Live);
    model.setHealth(heldUp());
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(cell(model, 0, PhaseModel::PhaseColumn), QStringLiteral("waiting for peers"));
    QCOMPARE(cell(model, 0, PhaseModel::LastingColumn), QStringLiteral("20 s"));
    QCOMPARE(cell(model, 0, PhaseModel::CollectiveColumn), QStringLiteral("118"));
    QCOMPARE(cell(model, 1, PhaseModel::StepColumn), QLocale().toString(1234));
    QCOMPARE(cell(model, 1, PhaseModel::AgeColumn), QStringLiteral("2 s ago"));
    QCOMPARE(cell(model, 1, PhaseModel::HostColumn), QStringLiteral("vm-1, 41"));
    model.setNow(kHeard + 9s, PhaseModel::News::Live);
    QCOMPARE(cell(model, 1, PhaseModel::AgeColumn), QStringLiteral("9 s ago"));
  }

  void whoHoldsTheOthersUpIsMarkedAndSaysWhy() {
    PhaseModel model;
    model.setNow(kHeard, PhaseModel::News::Live);
    model.setHealth(heldUp());
    QCOMPARE(model.stalls().size(), std::size_t(1));
    QVERIFY(model.index(0, PhaseModel::PhaseColumn).data(Qt::DecorationRole).isNull());
    QVERIFY(!model.index(1, PhaseModel::PhaseColumn).data(Qt::DecorationRole).isNull());
    const QString spoken = cell(model, 1, PhaseModel::PhaseColumn, Qt::AccessibleTextRole);
    QVERIFY2(spoken.contains(QStringLiteral("waiting in collective 118: data, step 1234")),
             qPrintable(spoken));
    QVERIFY(spoken.contains(QStringLiteral("--workers")));
    QVERIFY(cell(model, 1, PhaseModel::RankColumn, Qt::ToolTipRole).contains(QStringLiteral("slowly")));
    model.setNow(kHeard, PhaseModel::News::Unreadable);
    QVERIFY2(model.stalls().empty(), "what cannot be read makes nobody late");
    QCOMPARE(cell(model, 1, PhaseModel::PhaseColumn), QStringLiteral("data"));
    model.setNow(kHeard, PhaseModel::News::Ended);
    QVERIFY(model.stalls().empty());
    QCOMPARE(cell(model, 1, PhaseModel::LastingColumn), QStringLiteral("–"));
    QCOMPARE(cell(model, 1, PhaseModel::PhaseColumn), QStringLiteral("ended; last: data"));
  }

  void ranksComeAndGo() {
    PhaseModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setHealth(heldUp());
    auto other = heldUp();
    other->heartbeat->ranks.push_back(beat(2, "juggling", 3, 1s, kNow));
    model.setHealth(other);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(cell(model, 2, PhaseModel::PhaseColumn), QStringLiteral("juggling"));
    model.setHealth(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void theMatrixTellsBothDirectionsAndTheReason() {
    ReachModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setMatrix(ReachMatrix(heldUp()->nodes));
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.columnCount(), 4);
    QCOMPARE(cell(model, 0, 0), QStringLiteral("main"));
    QCOMPARE(model.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("worker_1"));
    QCOMPARE(cell(model, 0, 1), QStringLiteral("–"));
    QCOMPARE(cell(model, 0, 2), QStringLiteral("both ways, 0.5 ms"));
    QCOMPARE(cell(model, 0, 3), QStringLiteral("not this way"));
    QCOMPARE(cell(model, 2, 1), QStringLiteral("only this way"));
    QCOMPARE(cell(model, 2, 2), QStringLiteral("not tested"));
    const QString spoken = cell(model, 0, 3, Qt::AccessibleTextRole);
    QVERIFY2(spoken.startsWith(QStringLiteral("from main to worker_1: not this way")), qPrintable(spoken));
    QVERIFY(spoken.contains(QStringLiteral("10.0.0.4, port 4712")));
    QVERIFY(spoken.contains(QStringLiteral("Timed out after 3 s")));
    QVERIFY(spoken.contains(QStringLiteral("Allow TCP into worker_1 and out of main")));
  }

  void thePanelSaysReasonAndRemedyUnderTheTable() {
    ReachPanel panel;
    panel.setEmptyText(QStringLiteral("nothing"));
    panel.resize(700, 400);
    panel.show();
    const auto cards = [&panel] { return panel.findChildren<GapCard*>(); };
    QVERIFY(cards().isEmpty());
    QTRY_VERIFY(!panel.findChildren<QLabel*>().isEmpty());
    auto health = heldUp();
    panel.setHealth(health);
    QCOMPARE(cards().size(), 2);
    QVERIFY(cards()[0]->accessibleName().contains(QStringLiteral("main cannot reach worker_1 at 10.0.0.4")));
    QVERIFY(cards()[0]->accessibleDescription().contains(QStringLiteral("Allow TCP")));
    const GapCard* before = cards()[0];
    auto later = std::make_shared<RunHealth>(*health);
    later->heartbeat->time += 5s;
    panel.setHealth(later);
    QVERIFY2(cards()[0] == before, "a beat of the ranks leaves the table of the nodes as it is");
    later = std::make_shared<RunHealth>(*later);
    later->unreadable.push_back({ErrorCode::DataLoss, "cannot read x", "no JSON", "", "", std::nullopt});
    panel.setHealth(later);
    QCOMPARE(cards().size(), 3);
    panel.setHealth(nullptr);
    QVERIFY(cards().isEmpty());
  }

  void manyClosedWaysAreNotManyCards() {
    auto health = std::make_shared<RunHealth>();
    for (int from = 0; from < 12; ++from) {
      NodeFindings one;
      one.node = from;
      for (int to = 0; to < 12; ++to)
        if (to != from)
          one.peers.push_back({to, "n" + std::to_string(to), "10.0.0.9", 1, false, {}, "refused"});
      health->nodes.push_back(one);
    }
    ReachPanel panel;
    panel.setHealth(health);
    QCOMPARE(panel.findChildren<GapCard*>().size(), 20);
    QCOMPARE(panel.model().rowCount(), 12);
  }

  void emptyTabsSayWhoPublishes() {
    Dashboard dashboard;
    dashboard.resize(1280, 800);
    dashboard.show();
    auto* phases = dashboard.tables()->findChild<HealthTable*>();
    QVERIFY(phases);
    QCOMPARE(phases->emptyText(), QStringLiteral("Nothing has been looked at yet."));
    dashboard.setHealth(std::make_shared<RunHealth>());
    QVERIFY(phases->emptyText().contains(QStringLiteral("lockstep-trainer")));
    QVERIFY(phases->accessibleDescription().contains(QStringLiteral("lockstep-trainer")));
    dashboard.setRunning(false);
    QVERIFY(phases->emptyText().startsWith(QStringLiteral("This run published no phases")));
  }

  void tabsAreReachedAndMarkedByMoreThanColour() {
    Dashboard dashboard;
    dashboard.resize(1280, 800);
    dashboard.show();
    RunTables* tables = dashboard.tables();
    const auto now = SystemClock().now();
    QVERIFY(tables->tabBar()->accessibleTabName(RunTables::PhasesTab).isEmpty());
    dashboard.setHealth(heldUp(now, SystemClock().steady()));
    dashboard.refreshNow();
    for (const int tab : {RunTables::PhasesTab, RunTables::NodesTab}) {
      QVERIFY(!tables->tabIcon(tab).isNull());
      QVERIFY(tables->tabBar()->accessibleTabName(tab).contains(tables->tabText(tab)));
    }
    tables->tabBar()->setFocus();
    QTest::keyClick(tables->tabBar(), Qt::Key_Right);
    QCOMPARE(tables->currentIndex(), int(RunTables::PhasesTab));
    auto* table = qobject_cast<HealthTable*>(tables->currentWidget());
    QVERIFY(table && !table->accessibleName().isEmpty());
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("vm-1")));
    dashboard.clear();
    QVERIFY(tables->tabIcon(RunTables::PhasesTab).isNull());
    QCOMPARE(tables->phases().rowCount(), 0);
  }

  void thePageCallsOutWhoHoldsTheRunUpAndLeadsThere() {
    RunPage page;
    page.resize(1280, 800);
    page.show();
    page.setRun(runningRun());
    RunUpdate update;
    update.run = runningRun();
    update.health = heldUp(SystemClock().now(), SystemClock().steady());
    page.apply(update);
    const QString said = messagesOf(&page);
    QVERIFY2(said.contains(QStringLiteral("Rank 1 (host vm-1, process 41) keeps 1 rank")), qPrintable(said));
    QVERIFY(said.contains(QStringLiteral("--workers")));
    QVERIFY2(!said.contains(QStringLiteral("22 s")),
             "a number that changes would be a new message every second");
    QPushButton* show = nullptr;
    for (auto* button : page.findChildren<QPushButton*>())
      if (button->text() == QStringLiteral("Show the phases")) show = button;
    QVERIFY(show);
    show->click();
    QCOMPARE(page.dashboard()->tables()->currentIndex(), int(RunTables::PhasesTab));

    update.health = nullptr;  // the next look brings nothing new
    page.apply(update);
    QVERIFY(messagesOf(&page).contains(QStringLiteral("keeps 1 rank")));
    auto well = heldUp(SystemClock().now(), SystemClock().steady());
    well->heartbeat->waitingFor.clear();
    well->heartbeat->ranks[0].phase = RankPhase::Forward;
    update.health = well;
    page.apply(update);
    QVERIFY2(messagesOf(&page).contains(QStringLiteral("cannot reach worker_1")),
             "now the nodes are the worst");
    for (NodeRun& node : update.run.nodes) node.state = JobRunState::Succeeded;
    page.apply(update);
    QCOMPARE(messagesOf(&page), QString());
    for (NodeRun& node : update.run.nodes) node.state = JobRunState::Failed;
    update.health = heldUp(SystemClock().now() - 1h, SystemClock().steady() - 1h);
    page.apply(update);
    QVERIFY2(messagesOf(&page).contains(QStringLiteral("When the run failed: Rank 1 (host vm-1")),
             "a time-out blames who noticed; whom it waited for is in the last heartbeat");
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::HealthWidgetsTest)
#include "health_widgets_test.moc"
