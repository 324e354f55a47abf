// SPDX-License-Identifier: GPL-3.0-or-later
// A run of 64 ranks, as its writers leave it in a work dir, is opened, played again, and searched for its straggler.
#include <QApplication>
#include <QTabBar>
#include <QTest>
#include <cmath>

#include "app/desktop/runs/runs_controller.h"
#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "metrics/metric_writer.h"
#include "temp_dir.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/metrics/rank_heat_map.h"
#include "widgets/metrics/rank_views/heat_canvas.h"
#include "widgets/metrics/rank_views/step_bars.h"
#include "widgets/metrics/run_tables.h"
#include "widgets/metrics/step_time_stack.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/time/run_clock.h"
#include "widgets/runs/time/time_bar.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr int kRanks = 64;
constexpr int kStraggler = 17;
constexpr Step kSteps = 400;
constexpr auto kStep = 100ms;
const TimePoint kBegin(std::chrono::hours(480'000));

/// Step `i` is done at kBegin + (i + 1) steps. Rank 17 computes twice as long as the others, which wait for it.
void writeRank(const std::filesystem::path& workDir, int rank) {
  MetricWriter writer(openFolder(workDir), layout::metricsFolder("Undefined"), Rank(rank), kRanks);
  const double own = rank == kStraggler ? 80 : 40 + rank % 5;
  for (Step step = 0; step < kSteps; ++step)
    writer.record(step, kBegin + (step + 1) * kStep,
                  {{metric::kLoss, 2.0 / static_cast<double>(step + 1)},
                   {metric::kStepMs, 100.0},
                   {metric::kForwardMs, own * 0.4},
                   {metric::kBackwardMs, own * 0.6},
                   {metric::kWaitMs, 100.0 - own}});
  if (!writer.flush(20s)) qFatal("rank %d was not written", rank);
}

Step stepsDoneAt(TimePoint time) {
  return std::clamp<Step>((time - kBegin) / kStep, 0, kSteps);
}

}  // namespace

class RunReplayTest : public QObject {
  Q_OBJECT

  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<RunsController> controller_;

  RunPage* page() { return window_->runPage(); }
  const MetricStore& shown() { return page()->dashboard()->samples(); }
  RunClock* clock() { return page()->time()->clock(); }

  /// What is shown is each rank's samples up to then, and not one more.
  void expectShownUntil(TimePoint time) {
    const Step done = stepsDoneAt(time);
    QCOMPARE(shown().sampleCount(), static_cast<std::size_t>(kRanks * 5 * done));
    for (const Rank rank : shown().ranks()) {
      const auto last = shown().last(metric::kStepMs, rank);
      QVERIFY(last && last->time <= time);
      QCOMPARE(last->step, done - 1);
    }
  }

  static void press(Qt::Key key, int times = 1) {
    for (int i = 0; i < times; ++i) {
      QVERIFY(QApplication::focusWidget());
      QTest::keyClick(QApplication::focusWidget(), key);
      QCoreApplication::processEvents();
    }
  }
  /// How often Tab is pressed until that widget, or a part of it, has the focus.
  static int tabTo(const QWidget* wanted) {
    for (int count = 0; count < 100; ++count) {
      const QWidget* focused = QApplication::focusWidget();
      if (focused == wanted || (focused && wanted->isAncestorOf(focused))) return count;
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      QCoreApplication::processEvents();
    }
    return -1;
  }

 private slots:
  void initTestCase() {
    dir_ = std::make_unique<TempDir>();
    qputenv("LOCKSTEP_HOME", QByteArray::fromStdString((dir_->path() / "home").string()));
    qputenv("HOME", dir_->path().c_str());
    const auto work = dir_->path() / "work";
    for (int rank = 0; rank < kRanks; ++rank) writeRank(work, rank);
    QVERIFY(writeFileAtomically(work / "Undefined" / "stop", "stop"));
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 800);
    controller_ = std::make_unique<RunsController>(window_.get());
    window_->show();
    window_->showPage(Page::Run);
    controller_->open(toQString("file://" + (work / "Undefined").string()));
    QTRY_COMPARE_WITH_TIMEOUT(shown().sampleCount(), static_cast<std::size_t>(kRanks * 5 * kSteps), 60'000);
    // The times of the run are read beside the window, so they may come after the samples.
    QTRY_VERIFY_WITH_TIMEOUT(clock()->span() && clock()->span()->second == kBegin + kSteps * kStep, 60'000);
  }
  void cleanupTestCase() {
    controller_.reset();
    window_.reset();
    dir_.reset();
  }

  void anyTimeShowsWhatWasThereThen() {
    QVERIFY(page()->time()->bar()->isVisible());
    for (const auto at : {15'050ms, 3'000ms, 100ms, 39'999ms, 22'200ms}) {
      const TimePoint time = kBegin + at;
      clock()->seek(time);
      QTRY_COMPARE(shown().sampleCount(), static_cast<std::size_t>(kRanks * 5 * stepsDoneAt(time)));
      expectShownUntil(time);
      QCOMPARE(page()->progress().stepsDone(), std::optional(stepsDoneAt(time)));
      QVERIFY(page()->time()->bar()->placeText().endsWith(
          QStringLiteral("step %1").arg(QLocale().toString(stepsDoneAt(time) - 1))));
    }
    clock()->goLive();
    expectShownUntil(kBegin + 1h);
  }

  void playedAgainItGoesOnAndNeverAhead() {
    clock()->setSpeed(16);
    clock()->play();
    std::size_t before = shown().sampleCount();  // all of it, until the first answer
    int pictures = 0;
    while (clock()->mode() == RunClock::Mode::Playing) {
      QTest::qWait(5);
      if (clock()->mode() != RunClock::Mode::Playing || shown().sampleCount() == before) continue;
      const auto end = clock()->end();
      QVERIFY(pictures == 0 || shown().sampleCount() > before);
      before = shown().sampleCount();
      ++pictures;
      for (const Rank rank : shown().ranks()) {
        const auto last = shown().last(metric::kStepMs, rank);
        QVERIFY2(last && end && last->time <= *end,
                 qPrintable(QStringLiteral("rank %1 is %2 ms ahead")
                                .arg(rank.value)
                                .arg(last && end ? (last->time - *end).count() / 1e6 : -1.0)));
      }
    }
    QVERIFY2(pictures >= 4, qPrintable(QStringLiteral("%1 pictures in 2.5 s").arg(pictures)));
    QTRY_COMPARE(shown().sampleCount(), static_cast<std::size_t>(kRanks * 5 * kSteps));
  }

  // The keys that docs/dashboard.md names, and no mouse.
  void theStragglerIsFoundByKeyboardAlone() {
    RunTables* tables = page()->dashboard()->tables();
    tables->setCurrentIndex(RunTables::SamplesTab);
    const QTabBar* tabs = tables->tabBar();
    const HeatCanvas* map = tables->heatMap()->canvas();
    const StepBars* bars = tables->stepTimes()->bars();
    page()->time()->bar()->track()->setFocus();  // somewhere on the page
    QVERIFY(tabTo(tabs) >= 0);
    press(Qt::Key_Right, RunTables::HeatMapTab - RunTables::SamplesTab);
    QCOMPARE(tables->currentIndex(), static_cast<int>(RunTables::HeatMapTab));
    press(Qt::Key_Tab, 2);
    press(Qt::Key_Down);
    QTRY_VERIFY(map->isFinished());
    QVERIFY(tabTo(map) >= 0);
    press(Qt::Key_PageUp, 1 + kRanks / 10);
    QVERIFY2(map->accessibleDescription().contains(QStringLiteral("rank %1 on").arg(kStraggler),
                                                   Qt::CaseInsensitive),
             qPrintable(map->accessibleDescription()));

    for (int i = 0; i < 6 && QApplication::focusWidget() != tabs; ++i) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
      QCoreApplication::processEvents();
    }
    QCOMPARE(QApplication::focusWidget(), tabs);
    press(Qt::Key_Right, RunTables::StepTimeTab - RunTables::HeatMapTab);
    QCOMPARE(tables->currentIndex(), static_cast<int>(RunTables::StepTimeTab));
    QVERIFY(tabTo(bars) >= 0);
    press(Qt::Key_Down);
    QVERIFY2(bars->accessibleDescription().startsWith(QStringLiteral("Rank %1").arg(kStraggler)),
             qPrintable(bars->accessibleDescription()));
    // Data and copying were not measured; the third part is what it spends its time on.
    press(Qt::Key_Right, 3);
    QVERIFY2(bars->accessibleDescription().contains(QLatin1String("Forward: 32")),
             qPrintable(bars->accessibleDescription()));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RunReplayTest)
#include "run_replay_test.moc"
