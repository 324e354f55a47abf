// SPDX-License-Identifier: GPL-3.0-or-later
// One time on all parts of a run's page.
#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <set>

#include "made_up_log.h"
#include "time/timed_run.h"
#include "widgets/logs/filters/log_filter_bar.h"
#include "widgets/logs/filters/log_rank_menu.h"
#include "widgets/logs/filters/log_time_menu.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_table.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/charts/metric_plot.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/metrics/rank_table.h"
#include "widgets/metrics/rank_table_model.h"
#include "widgets/metrics/run_tables.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/time/run_clock.h"
#include "widgets/runs/time/time_bar.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr Step kSteps = 600;  // 60 s

/// A line each second of each rank, "line <second> of <rank>".
std::vector<LogLine> linesOf(int ranks) {
  std::vector<LogLine> lines;
  for (int second = 1; second <= 60; ++second)
    for (int rank = 0; rank < ranks; ++rank) {
      LogLine line;
      line.id = std::to_string(second) + "-" + std::to_string(rank);
      line.time = kRunBegin + second * 1s;
      line.rank = Rank(rank);
      line.text = "line " + std::to_string(second) + " of " + std::to_string(rank);
      lines.push_back(line);
    }
  return lines;
}

/// The page of a run of 60 s whose questions are answered at once.
struct ShownRun {
  RunPage page;

  explicit ShownRun(int ranks = 3, std::chrono::nanoseconds aheadOfRank1 = {}) {
    QObject::connect(&page, &RunPage::pastWanted, &page,
                     [this](const RunPast& past) { page.showPast(answered(past)); });
    TrainingRun run;
    run.id = RunId("a");
    run.name = "a";
    run.created = kRunBegin;
    run.launchComplete = true;
    run.nodes.resize(1);
    run.nodes[0].id = JobRunId("n");
    run.nodes[0].state = JobRunState::Succeeded;
    run.finished = kRunBegin + 62s;
    page.setRun(run);
    RunUpdate update;
    update.run = run;
    update.samples = timedRun(ranks, kSteps, 0, aheadOfRank1);
    update.log = snapshotOf(linesOf(ranks));
    update.ended = true;
    page.apply(update);
    page.dashboard()->showCharts(1);
    page.resize(1200, 900);
    page.show();
  }
  RunClock* clock() { return page.time()->clock(); }
  LogView* log() { return page.dashboard()->logView(); }
  QList<MetricPlot*> charts() {
    QList<MetricPlot*> all = page.dashboard()->findChildren<MetricPlot*>();
    all.removeIf([](const MetricPlot* plot) { return !plot->isVisible() || !plot->hasData(); });
    return all;
  }
  int lines() { return log()->model()->rowCount(); }
  QString facts() {
    QStringList texts;
    for (const QLabel* label : page.findChildren<QLabel*>())
      if (!label->isHidden()) texts << label->text();
    return texts.join(QLatin1Char('\n'));
  }
};

}  // namespace

class RunLinksTest : public QObject {
  Q_OBJECT
 private slots:
  void aLineOfTheLogIsTheCursorOfAllCharts() {
    ShownRun run;
    emit run.log()->lineActivated(kRunBegin + 20s, Rank(0));
    QVERIFY(run.clock()->cursor());
    QCOMPARE(run.clock()->cursor()->time, kRunBegin + 20s);
    QCOMPARE(run.clock()->cursor()->step, std::optional<Step>(199));
    QTRY_COMPARE(run.charts().size(), qsizetype{1});
    QTRY_VERIFY(run.charts().front()->cursor());
    QCOMPARE(run.charts().front()->cursor()->step, Step{199});
  }

  void aLineOfARankWhoseClockIsOffIsWhereTheOthersAre() {
    ShownRun run(3, 8s);
    emit run.log()->lineActivated(kRunBegin + 28s, Rank(1));
    QCOMPARE(run.clock()->cursor()->time, kRunBegin + 20s);
    emit run.log()->lineActivated(kRunBegin + 28s, std::nullopt);
    QCOMPARE(run.clock()->cursor()->time, kRunBegin + 28s);
  }

  void theCursorOfAChartComesToTheLogOnceItRests() {
    ShownRun run;
    run.log()->table()->setFollowing(false);
    emit run.page.dashboard()->cursorMoved(ChartCursor{299, kRunBegin + 30s});
    QCOMPARE(run.clock()->cursor()->step, std::optional<Step>(299));
    QTest::qWait(500);
    emit run.page.dashboard()->cursorMoved(std::nullopt);
    QVERIFY(!run.clock()->cursor());
  }

  void aRunFromAFolderHasNoLinesAndGivesTheirRoomToTheCharts() {
    ShownRun shown;
    QVERIFY(shown.log()->isVisible());
    const int before = shown.charts().first()->height();
    TrainingRun run;
    run.id = RunId("b");
    run.name = "b";
    run.backend = kFolderBackend;
    shown.page.setRun(run);
    QVERIFY(!shown.log()->isVisible());
    RunUpdate update;
    update.run = run;
    update.samples = timedRun(3, kSteps, 0, {});
    update.ended = true;
    shown.page.apply(update);
    QTRY_VERIFY(!shown.charts().isEmpty() && shown.charts().first()->height() > before + 50);
    run.backend = "oci";
    run.id = RunId("c");
    shown.page.setRun(run);
    QVERIFY(shown.log()->isVisible());
  }

  void aBrushFiltersTheLogUntilItIsForgotten() {
    ShownRun run;
    QTRY_COMPARE(run.lines(), 180);
    emit run.page.dashboard()->brushed(100, 199, {Rank(1), Rank(2)});
    QVERIFY(run.clock()->window());
    QTRY_COMPARE(run.lines(), 2 * 10);  // seconds 11 to 20; step 100 was done at 10.1 s
    auto* chip = run.page.findChild<QToolButton*>(QStringLiteral("timeWindow"));
    QVERIFY(chip->isVisible());
    QVERIFY2(chip->text().endsWith(QLatin1String("ranks 1-2")), qPrintable(chip->text()));
    chip->click();
    QTRY_COMPARE(run.lines(), 180);
  }

  void timesThatAreChosenInTheLogAreThoseOfAllCharts() {
    ShownRun run;
    QTRY_COMPARE(run.lines(), 180);
    auto* const times = run.page.findChild<LogTimeMenu*>();
    QVERIFY(run.charts().first()->view().showsAll);
    run.log()->table()->setCurrentIndex(run.log()->model()->index(60, 0));  // second 21
    for (QAction* const action : times->menu()->actions())
      if (action->text() == QStringLiteral("Until the chosen line")) action->trigger();
    QVERIFY(times->times().until && !times->times().from);
    QTRY_COMPARE(run.lines(), 3 * 21);
    QVERIFY(run.clock()->window());
    QVERIFY(!run.charts().first()->view().showsAll);
    QVERIFY(run.charts().first()->view().to < 220);
    QVERIFY(!times->times().from);  // the log keeps what was chosen there
    run.log()->findChild<LogFilterBar*>()->showAll();
    QVERIFY(!run.clock()->window());
    QTRY_COMPARE(run.lines(), 180);
  }

  void ranksThatAreChosenInTheLogAreThoseOfThePage() {
    ShownRun run(20);
    auto* const menu = run.log()->findChild<LogRankMenu*>();
    auto* const table = run.page.findChild<RankTable*>();
    const auto selected = [table] {
      std::set<int> ranks;
      for (const QModelIndex& row : table->selectionModel()->selectedRows())
        ranks.insert(row.data(RankTableModel::RankRole).toInt());
      return ranks;
    };
    menu->menu()->actions()[2]->trigger();  // rank 0
    menu->menu()->actions()[5]->trigger();  // rank 3
    QTRY_COMPARE(run.lines(), 120);
    QCOMPARE(selected(), (std::set<int>{0, 3}));
    run.log()->findChild<LogFilterBar*>()->showAll();
    QVERIFY(selected().empty());
  }

  void aStretchWithoutRanksLeavesTheRanksOfTheLogAlone() {
    ShownRun run;
    run.log()->showOnlyRank(Rank(2));
    QTRY_COMPARE(run.lines(), 60);
    run.clock()->setWindow(RunWindow{kRunBegin + 10s, kRunBegin + 19500ms, {}});
    QTRY_COMPARE(run.lines(), 10);
    run.clock()->setWindow(std::nullopt);
    QTRY_COMPARE(run.lines(), 60);
  }

  void atAnotherTimeEveryPartShowsWhatWasThere() {
    ShownRun run;
    run.clock()->seek(kRunBegin + 20s);
    QCOMPARE(run.page.dashboard()->samples().sampleCount(), std::size_t{3 * 200});
    QTRY_COMPARE(run.lines(), 3 * 20);
    QVERIFY2(run.facts().contains(QLatin1String("As of")), qPrintable(run.facts()));
    QVERIFY(run.facts().contains(QLatin1String("0:20")));
    run.clock()->goLive();
    QTRY_COMPARE(run.lines(), 180);
    QCOMPARE(run.page.dashboard()->samples().sampleCount(), std::size_t{3 * kSteps});
    QVERIFY(!run.facts().contains(QLatin1String("As of")));
    QVERIFY(run.facts().contains(QLatin1String("1:02")));
  }

  void anotherRunBeginsLive() {
    ShownRun run;
    run.clock()->seek(kRunBegin + 20s);
    TrainingRun other;
    other.id = RunId("b");
    run.page.setRun(other);
    QCOMPARE(run.clock()->mode(), RunClock::Mode::Live);
    QVERIFY(!run.clock()->span());
    QVERIFY(run.page.time()->bar()->isHidden());
    QCOMPARE(run.page.dashboard()->samples().sampleCount(), std::size_t{0});
  }

  void thePageTakesTheKeysOfTheTime() {
    ShownRun run;
    QTest::keyClick(&run.page, Qt::Key_Comma);
    QCOMPARE(run.clock()->mode(), RunClock::Mode::Paused);
    QTest::keyClick(&run.page, Qt::Key_Space);
    QCOMPARE(run.clock()->mode(), RunClock::Mode::Playing);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RunLinksTest)
#include "run_links_test.moc"
