// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/time/run_clock.h"

#include <QSignalSpy>
#include <QTest>

#include "timed_run.h"
#include "widgets/runs/time/run_replay.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Mode = RunClock::Mode;

/// Playing, from a moment of the clock that nobody sets.
SteadyPoint started(RunClock& clock) {
  clock.play();
  const SteadyPoint now = SystemClock().steady() + 1h;
  clock.advance(now);
  return now;
}

}  // namespace

class RunClockTest : public QObject {
  Q_OBJECT
 private slots:
  void withoutSamplesNothingMoves() {
    RunClock clock;
    QSignalSpy modes(&clock, &RunClock::modeChanged);
    clock.pause();
    clock.play();
    clock.seek(kRunBegin);
    QCOMPARE(clock.mode(), Mode::Live);
    QVERIFY(!clock.end());
    QCOMPARE(modes.count(), 0);
  }

  void aPauseStaysWhereItIsWhileTheRunGoesOn() {
    RunClock clock;
    clock.setSpan(std::pair(kRunBegin, kRunBegin + 100s));
    QCOMPARE(clock.position(), kRunBegin + 100s);
    clock.pause();
    clock.setSpan(std::pair(kRunBegin, kRunBegin + 200s));
    QCOMPARE(*clock.end(), kRunBegin + 100s);
    clock.goLive();
    QVERIFY(!clock.end());
    QCOMPARE(clock.position(), kRunBegin + 200s);
  }

  void playsAsFastAsItIsTold_data() {
    QTest::addColumn<double>("speed");
    QTest::addColumn<double>("seconds");  // of the run, in two
    QTest::newRow("1") << 1.0 << 2.0;
    QTest::newRow("16") << 16.0 << 32.0;
    QTest::newRow("256") << 256.0 << 512.0;
    QTest::newRow("all in 30 s") << RunClock::kWhole << 6000.0 / 30 * 2;
  }
  void playsAsFastAsItIsTold() {
    QFETCH(double, speed);
    QFETCH(double, seconds);
    RunClock clock;
    clock.setSpan(std::pair(kRunBegin, kRunBegin + 6000s));
    clock.seek(kRunBegin + 50s);
    QCOMPARE(clock.mode(), Mode::Paused);
    clock.setSpeed(1);
    clock.play();
    clock.seek(kRunBegin + 50s);
    const SteadyPoint now = SystemClock().steady() + 1s;
    clock.advance(now);
    clock.seek(kRunBegin + 50s);
    QCOMPARE(clock.mode(), Mode::Playing);
    clock.setSpeed(speed);
    for (int i = 1; i <= 20; ++i) clock.advance(now + i * 100ms);
    QVERIFY(std::abs(std::chrono::duration<double>(*clock.end() - kRunBegin).count() - 50 - seconds) < 0.001);
  }

  void aClockThatGoesBackMovesNothing() {
    RunClock clock;
    clock.setSpan(std::pair(kRunBegin, kRunBegin + 1000h));
    const SteadyPoint now = started(clock);
    const auto end = clock.end();
    clock.advance(now - 10s);
    QCOMPARE(clock.end(), end);
  }

  void playBeginsAtTheBeginningAndEndsLive() {
    RunClock clock;
    QSignalSpy ends(&clock, &RunClock::endChanged);
    clock.setSpan(std::pair(kRunBegin, kRunBegin + 10s));
    clock.play();
    QCOMPARE(*clock.end(), kRunBegin);
    QCOMPARE(ends.count(), 1);  // no glimpse of the end before it
    clock.advance(SystemClock().steady() + 4s);
    QVERIFY(*clock.end() > kRunBegin + 3s);
    QVERIFY(ends.count() >= 2);
    clock.advance(SystemClock().steady() + 60s);
    QCOMPARE(clock.mode(), Mode::Live);
    QVERIFY(!clock.end());
  }

  void itsOwnTimerMovesIt() {
    RunClock clock;
    clock.setSpan(std::pair(kRunBegin, kRunBegin + 1000s));
    clock.setSpeed(64);
    clock.play();
    QTRY_VERIFY(clock.end() && *clock.end() > kRunBegin + 5s);
    clock.pause();
    const auto end = clock.end();
    QTest::qWait(120);
    QCOMPARE(clock.end(), end);
  }

  void seekingBehindTheNewestIsLive() {
    RunClock clock;
    clock.setSpan(std::pair(kRunBegin, kRunBegin + 100s));
    clock.seek(kRunBegin - 5s);
    QCOMPARE(*clock.end(), kRunBegin);
    clock.seek(kRunBegin + 101s);
    QCOMPARE(clock.mode(), Mode::Live);
  }

  void whatDoesNotChangeIsNotSaid() {
    RunClock clock;
    QSignalSpy cursors(&clock, &RunClock::cursorChanged), windows(&clock, &RunClock::windowChanged);
    clock.setCursor(RunCursor{kRunBegin, 3});
    clock.setCursor(RunCursor{kRunBegin, 3});
    QCOMPARE(cursors.count(), 1);
    clock.setWindow(RunWindow{kRunBegin + 5s, kRunBegin, {}});
    QCOMPARE(clock.window()->from, kRunBegin);
    clock.setWindow(RunWindow{kRunBegin, kRunBegin + 5s, {}});
    QCOMPARE(windows.count(), 1);
    clock.clear();
    QCOMPARE(cursors.count(), 2);
    QCOMPARE(windows.count(), 2);
    QVERIFY(!clock.cursor() && !clock.window());
  }

  void aReplayShowsWhatWasThereThen() {
    RunClock clock;
    RunReplay replay(&clock);
    std::shared_ptr<const MetricStore> shown;
    connect(&replay, &RunReplay::shown, this, [&shown](const auto& samples) { shown = samples; });
    connect(&replay, &RunReplay::wanted, this,
            [&replay](const RunPast& past) { replay.take(answered(past)); });
    replay.setSamples(timedRun(3, 600));
    QCOMPARE(shown->sampleCount(), std::size_t{1800});
    QVERIFY(!replay.shownEnd());
    clock.seek(kRunBegin + 20s);
    QCOMPARE(shown->sampleCount(), std::size_t{600});
    QCOMPARE(*replay.shownEnd(), kRunBegin + 20s);
    for (const Rank rank : shown->ranks())
      QVERIFY(shown->last(metric::kStepMs, rank)->time <= kRunBegin + 20s);
    clock.goLive();
    QCOMPARE(shown->sampleCount(), std::size_t{1800});
    replay.clear();
    QVERIFY(!clock.span());
  }

  void aClockThatIsOffIsMovedInAReplay() {
    RunClock clock;
    RunReplay replay(&clock);
    std::shared_ptr<const MetricStore> shown;
    connect(&replay, &RunReplay::shown, this, [&shown](const auto& samples) { shown = samples; });
    connect(&replay, &RunReplay::wanted, this,
            [&replay](const RunPast& past) { replay.take(answered(past)); });
    replay.setSamples(timedRun(2, 600, 0, 5s));
    QCOMPARE(clock.span()->second, kRunBegin + 60s);
    clock.seek(kRunBegin + 20s);
    QCOMPARE(shown->last(metric::kStepMs, Rank(0))->step, Step{199});
    QCOMPARE(shown->last(metric::kStepMs, Rank(1))->step, Step{199});
  }

  void oneQuestionIsOpenAndTheNewestIsAskedNext() {
    RunClock clock;
    RunReplay replay(&clock);
    std::vector<RunPast> asked;
    int shown = 0;
    connect(&replay, &RunReplay::wanted, this, [&asked](const RunPast& past) { asked.push_back(past); });
    connect(&replay, &RunReplay::shown, this, [&shown] { ++shown; });
    replay.setSamples(timedRun(2, 600));
    QCOMPARE(shown, 1);  // what is live waits for nothing
    QVERIFY(!clock.span());
    replay.take(answered(asked.front()));
    QCOMPARE(clock.span()->second, kRunBegin + 60s);
    asked.clear();
    shown = 0;
    for (int i = 1; i <= 30; ++i) clock.seek(kRunBegin + i * 1s);
    QCOMPARE(asked.size(), std::size_t{1});
    replay.take(answered(asked.front()));
    QCOMPARE(shown, 1);
    QCOMPARE(asked.size(), std::size_t{2});
    QCOMPARE(asked.back().time, kRunBegin + 30s);
    clock.goLive();
    QCOMPARE(shown, 2);
    replay.take(answered(asked.back()));  // nobody asks any more
    QCOMPARE(shown, 2);
  }

  void newSamplesAreCutToo() {
    RunClock clock;
    RunReplay replay(&clock);
    std::shared_ptr<const MetricStore> shown;
    connect(&replay, &RunReplay::shown, this, [&shown](const auto& samples) { shown = samples; });
    connect(&replay, &RunReplay::wanted, this,
            [&replay](const RunPast& past) { replay.take(answered(past)); });
    replay.setSamples(timedRun(2, 600));
    clock.seek(kRunBegin + 20s);
    replay.setSamples(timedRun(4, 700));
    QCOMPARE(shown->sampleCount(), std::size_t{800});
    QCOMPARE(clock.span()->second, kRunBegin + 70s);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RunClockTest)
#include "run_clock_test.moc"
