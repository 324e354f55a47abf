// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/step_time_stack.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include "many_ranks.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/rank_heat_map.h"
#include "widgets/metrics/rank_table.h"
#include "widgets/metrics/rank_views/step_areas.h"
#include "widgets/metrics/rank_views/step_bars.h"
#include "widgets/metrics/rank_views/view_colors.h"
#include "widgets/metrics/run_tables.h"

namespace lockstep {
namespace {

constexpr std::size_t kForward = 2, kWait = 4, kTransfer = 5;

/// Pixels of a colour in a row of the picture.
int lengthOf(const QImage& image, const QColor& color, int y) {
  int count = 0;
  for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == color;
  return count;
}

}  // namespace

class StepTimeStackTest : public QObject {
  Q_OBJECT

  static void open(StepTimeStack& stack) {
    stack.resize(900, 420);
    stack.show();
    QVERIFY(QTest::qWaitForWindowExposed(&stack));
    stack.refreshNow();
  }

 private slots:
  void overTimeItIsTheSlowestRankUntilAnotherIsChosen() {
    StepTimeStack stack;
    stack.resize(600, 400);
    stack.setMetrics(manyRanks(64, 400));
    stack.show();
    auto* const kind = stack.findChild<QComboBox*>(QStringLiteral("stepTimeKind"));
    auto* const rank = stack.findChild<QSpinBox*>(QStringLiteral("stepTimeRank"));
    QVERIFY(!stack.areas()->isVisible() && !rank->isVisible());
    kind->setCurrentIndex(1);
    QVERIFY(stack.areas()->isVisible() && rank->isVisible());
    QCOMPARE(stack.rank(), Rank(17));
    const QString text = stack.areas()->textsAt(200).join(QLatin1Char('\n'));
    QVERIFY2(text.startsWith(QStringLiteral("Step 200: 108 ms")) && text.contains(QStringLiteral("Backward")),
             qPrintable(text));
    const QImage whole = stack.areas()->grab().toImage();
    stack.setPointed(Step(100));
    QVERIFY(stack.areas()->grab().toImage() != whole);
    stack.setPointed(std::nullopt);
    QCOMPARE(stack.areas()->grab().toImage(), whole);
    rank->setValue(3);
    QVERIFY(stack.summary().startsWith(QStringLiteral("Rank 3, the steps 0 to 399")));
    QVERIFY(stack.areas()->grab().toImage() != whole);
    stack.setMetrics(manyRanks(64, 500));
    QCOMPARE(stack.rank(), Rank(3));  // it stays chosen
    stack.setMetrics(nullptr);
    stack.setMetrics(manyRanks(64, 500));
    QCOMPARE(stack.rank(), Rank(17));  // but not in another run
    stack.setView(100, 200);
    QVERIFY(stack.areas()->textsAt(250).isEmpty());
    QTest::keyClick(stack.areas(), Qt::Key_Right);
    QVERIFY(stack.areas()->accessibleDescription().startsWith(QStringLiteral("Step 1")));
    kind->setCurrentIndex(0);
    QVERIFY(!stack.areas()->isVisible());
  }

  void aChosenRankHasABarAndIsTheOneOverTime() {
    StepTimeStack stack;
    stack.setMetrics(manyRanks(64, 100));
    open(stack);
    const auto bars = [&stack] {
      QStringList names;
      for (std::size_t bar = 0; bar < stack.bars()->barCount(); ++bar)
        names << stack.bars()->barText(bar).section(QLatin1Char(':'), 0, 0);
      return names;
    };
    const QStringList before = bars();
    QCOMPARE(before.size(), qsizetype{StepTimeStack::kMaxRanks});
    int fast = 0;
    while (before.contains(QStringLiteral("Rank %1").arg(fast)) ||
           before.first().startsWith(QStringLiteral("Rank %1,").arg(fast)))
      ++fast;
    stack.setChosenRanks({Rank(17), Rank(fast)});
    QCOMPARE(bars().size(), before.size() + 1);  // 17 is the slowest and there already
    QCOMPARE(bars().at(1), QStringLiteral("Rank %1").arg(fast));
    QCOMPARE(bars().mid(2), before.mid(1));  // which stay where they are
    stack.setChosenRanks({Rank(fast)});
    QCOMPARE(stack.rank(), Rank(fast));
    QVERIFY(stack.summary().contains(QStringLiteral("31 slowest of 64")));
    stack.setChosenRanks({});
    QCOMPARE(bars(), before);
    QCOMPARE(stack.rank(), Rank(17));
  }

  void aBarIsChosenAndOpenedByKeyAndByMouse() {
    StepTimeStack stack;
    stack.setMetrics(manyRanks(4, 100));
    open(stack);
    QSignalSpy toggled(&stack, &StepTimeStack::rankToggled), opened(&stack, &StepTimeStack::rankActivated);
    QTest::keyClick(stack.bars(), Qt::Key_Down);
    QTest::keyClick(stack.bars(), Qt::Key_Space);
    QTest::keyClick(stack.bars(), Qt::Key_Return);
    stack.setChosenRanks({Rank(1)});
    QVERIFY2(stack.bars()->accessibleDescription().contains(QStringLiteral("(chosen)")),
             qPrintable(stack.bars()->accessibleDescription()));
    stack.setChosenRanks({});
    QVERIFY(!stack.bars()->accessibleDescription().contains(QStringLiteral("(chosen)")));
    QCOMPARE(toggled.takeFirst().at(0).value<Rank>(), Rank(1));
    QCOMPARE(opened.takeFirst().at(0).value<Rank>(), Rank(1));
    const QPoint first(60, 10);
    QTest::mouseClick(stack.bars(), Qt::LeftButton, {}, first);
    QVERIFY(toggled.isEmpty());
    QTest::mouseClick(stack.bars(), Qt::LeftButton, Qt::ControlModifier, first);
    QCOMPARE(toggled.takeFirst().at(0).value<Rank>(), Rank(0));
    QTest::mouseDClick(stack.bars(), Qt::LeftButton, {}, first);
    QCOMPARE(opened.takeFirst().at(0).value<Rank>(), Rank(0));
  }

  void whatWasNotMeasuredLeavesAGapOverTime() {
    MetricStore store;
    MetricSeriesBatch batch{std::string(metric::kForwardMs), Rank(0), {}};
    for (Step step = 0; step < 100; ++step)
      if (step < 40 || step >= 60) batch.points.push_back({step, TimePoint{}, 5.0});
    store.add(batch);
    StepTimeStack stack;
    stack.resize(600, 400);
    stack.setMetrics(store.snapshot());
    stack.show();
    stack.findChild<QComboBox*>(QStringLiteral("stepTimeKind"))->setCurrentIndex(1);
    QVERIFY(stack.areas()->textsAt(39).value(0).startsWith(QStringLiteral("Step 39: 5 ms")));
    QVERIFY(stack.areas()->textsAt(50).isEmpty());
    QVERIFY(stack.areas()->textsAt(60).value(0).startsWith(QStringLiteral("Step 60: 5 ms")));
  }

  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
  void cleanup() { applyTheme(*qApp, ThemeMode::Light); }

  void aPartIsAsLongAsItTook() {
    MetricStore store;
    const std::pair<std::string_view, double> values[] = {
        {metric::kStepMs, 100}, {metric::kForwardMs, 20}, {metric::kBackwardMs, 40}, {metric::kWaitMs, 30}};
    for (const auto& [name, value] : values)
      for (Step s = 0; s < 10; ++s)
        store.add({std::string(name), Rank(0), {{s, TimePoint(std::chrono::seconds(s)), value}}});
    StepTimeStack stack;
    stack.setMetrics(store.snapshot());
    open(stack);
    const QImage image = stack.bars()->grab().toImage();
    const int y = 6;
    const int forward = lengthOf(image, stepPartColor(kForward, stack.palette()), y);
    const int wait = lengthOf(image, stepPartColor(kWait, stack.palette()), y);
    QVERIFY2(forward > 100 && std::abs(forward * 3 - wait * 2) < 12,
             qPrintable(QStringLiteral("%1 %2").arg(forward).arg(wait)));
    QCOMPARE(lengthOf(image, stepPartColor(kTransfer, stack.palette()), y), 0);
    QCOMPARE(stack.bars()->partText(0, kForward),
             QStringLiteral("Rank 0, Forward: 20 ms, 20.0 % of the step"));
    QCOMPARE(stack.bars()->partText(0, kTransfer), QStringLiteral("Rank 0, Transfer: not measured"));
    QCOMPARE(stack.bars()->partText(0, kStepParts.size()),
             QStringLiteral("Rank 0, not told by any part: 10 ms, 10.0 % of the step"));
    const QString bar = stack.bars()->barText(0);
    QVERIFY2(bar.startsWith(QStringLiteral("Rank 0: 100 ms. Not measured: ")) &&
                 bar.contains(QStringLiteral("Transfer")),
             qPrintable(bar));
    QStringList keys;
    for (const auto* key : stack.findChildren<StepPartKey*>())
      if (!key->isHidden()) keys << key->accessibleName();
    QVERIFY(keys.contains(QStringLiteral("Forward")) && !keys.contains(QStringLiteral("Transfer")));
    const auto* const rest = stack.findChild<ElidedLabel*>(QStringLiteral("unmeasuredParts"));
    QVERIFY2(!rest->isHidden() && rest->text().contains(QStringLiteral("Transfer")),
             qPrintable(rest->text()));
    QVERIFY(!rest->text().contains(QStringLiteral("Forward")));
  }

  void ofManyRanksTheSlowestAndTheMedian() {
    StepTimeStack stack;
    stack.setNodes(nodesOfEight(64));
    stack.setMetrics(manyRanks(64, 200));
    open(stack);
    QVERIFY2(stack.summary().endsWith(QStringLiteral("The median and the 31 slowest of 64 ranks.")),
             qPrintable(stack.summary()));
    QVERIFY2(stack.bars()->barText(1).startsWith(QStringLiteral("Rank 17 on worker_1: ")),
             qPrintable(stack.bars()->barText(1)));
    QVERIFY(stack.bars()->barText(0).contains(QStringLiteral(", the median: ")));
  }

  void stepsAreThoseInViewOrTheNewest() {
    MetricStore store;
    for (Step s = 0; s < 2000; ++s)
      store.add({std::string(metric::kStepMs),
                 Rank(0),
                 {{s, TimePoint(std::chrono::seconds(s)), s < 1900 ? 10.0 : 30.0}}});
    StepTimeStack stack;
    stack.setMetrics(store.snapshot());
    open(stack);
    QCOMPARE(stack.summary(), QStringLiteral("Mean of the steps 0 to 1,999, in ms."));
    stack.setView(1000, 1100);
    QCOMPARE(stack.summary(), QStringLiteral("Mean of the steps 1,000 to 1,099, in ms."));
    QVERIFY(stack.bars()->barText(0).startsWith(QStringLiteral("Rank 0: 10 ms")));
    stack.findChild<QComboBox*>(QStringLiteral("stepTimeSpan"))->setCurrentIndex(1);
    QCOMPARE(stack.summary(), QStringLiteral("Mean of the steps 1,900 to 1,999, in ms."));
    QVERIFY(stack.bars()->barText(0).startsWith(QStringLiteral("Rank 0: 30 ms")));
  }

  void theKeyboardReadsEveryPart() {
    StepTimeStack stack;
    stack.setMetrics(manyRanks(4, 100));
    open(stack);
    StepBars* bars = stack.bars();
    QTest::keyClick(bars, Qt::Key_Down);
    QCOMPARE(bars->accessibleDescription(), bars->barText(1));
    QTest::keyClick(bars, Qt::Key_Right);
    QCOMPARE(bars->accessibleDescription(), bars->partText(1, 0));
    for (int i = 0; i < 20; ++i) QTest::keyClick(bars, Qt::Key_Right);
    QCOMPARE(bars->accessibleDescription(), bars->partText(1, kStepParts.size()));
    for (int i = 0; i < 20; ++i) QTest::keyClick(bars, Qt::Key_Left);
    for (int i = 0; i < 20; ++i) QTest::keyClick(bars, Qt::Key_Up);
    QCOMPARE(bars->accessibleDescription(), bars->barText(0));
  }

  void withoutTimesItSaysWhatItWaitsFor() {
    StepTimeStack stack;
    stack.setEmptyText(QStringLiteral("nothing yet"));
    open(stack);
    QVERIFY(!stack.bars()->isVisible());
    QCOMPARE(stack.summary(), QString());
    MetricStore store;
    store.add({std::string(metric::kLoss), Rank(0), {{0, {}, 1}}});
    stack.setMetrics(store.snapshot());
    QVERIFY(!stack.bars()->isVisible());
    stack.setMetrics(manyRanks(3, 50));
    QVERIFY(stack.bars()->isVisible());
    stack.setView(1e300, -1e300);
    QVERIFY(!stack.bars()->isVisible());
    stack.showAll();
    QVERIFY(stack.bars()->isVisible());
  }

  void theTabsHandOverWhatTheyGetAndFollowEachOther() {
    RankTableModel model;
    RunTables tables(new RankTable(&model));
    tables.resize(900, 420);
    tables.show();
    tables.setNodes(nodesOfEight(8));
    tables.setMetrics(manyRanks(8, 400));
    tables.setCurrentIndex(RunTables::HeatMapTab);
    QVERIFY(tables.heatMap()->isVisible());
    QVERIFY(tables.heatMap()->summary().startsWith(QStringLiteral("8 ranks, 400 steps")));
    emit tables.heatMap()->viewChanged(100, 200);
    tables.setCurrentIndex(RunTables::StepTimeTab);
    QCOMPARE(tables.stepTimes()->summary(), QStringLiteral("Mean of the steps 100 to 199, in ms."));
  }

  // With LOCKSTEP_PICTURES set to a folder, what was drawn is left there for people who look.
  void drawsFewAndManyRanksInBothThemes() {
    const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
    for (const int ranks : {3, 64, 1024}) {
      const auto metrics = manyRanks(ranks, ranks > 64 ? 500 : 2000);
      for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
        applyTheme(*qApp, mode);
        StepTimeStack stack;
        stack.setNodes(nodesOfEight(ranks));
        stack.setMetrics(metrics);
        open(stack);
        const QImage image = stack.bars()->grab().toImage();
        QVERIFY(lengthOf(image, stepPartColor(kForward, stack.palette()), 6) > 20);
        const char* name = mode == ThemeMode::Dark ? "dark" : "light";
        if (!folder.isEmpty())
          stack.grab().save(
              QStringLiteral("%1/steps_%2_%3.png").arg(folder).arg(ranks).arg(QLatin1String(name)));
      }
    }
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::StepTimeStackTest)
#include "step_time_stack_test.moc"
