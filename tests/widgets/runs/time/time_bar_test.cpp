// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/time/time_bar.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "timed_run.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/runs/time/run_clock.h"
#include "widgets/runs/time/time_texts.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Mode = RunClock::Mode;

/// A bar over a run of 60 s, and its clock.
struct Shown {
  RunClock clock;
  TimeBar bar{&clock};

  explicit Shown(const std::shared_ptr<const MetricStore>& samples = timedRun(3, 600)) {
    const auto timeline = std::make_shared<const RunTimeline>(samples);
    bar.setTimeline(timeline);
    bar.setMarks(marksIn(*timeline));
    clock.setSpan(timeline->span());
    bar.resize(900, bar.heightForWidth(900));
    bar.show();
  }
  QToolButton* button(const char* name) { return bar.findChild<QToolButton*>(QLatin1String(name)); }
  void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(bar.track(), static_cast<Qt::Key>(key), modifiers);
  }
  QPoint at(TimePoint time) {
    return {static_cast<int>(bar.track()->placeOf(time)), bar.track()->height() / 2};
  }
};

bool isNear(TimePoint one, TimePoint other, std::chrono::nanoseconds apart) {
  return std::chrono::abs(one - other) <= apart;
}

}  // namespace

class TimeBarTest : public QObject {
  Q_OBJECT
 private slots:
  void withoutSamplesNothingCanBeMoved() {
    RunClock clock;
    TimeBar bar(&clock);
    QVERIFY(!bar.track()->isEnabled());
    QVERIFY(!bar.findChild<QToolButton*>(QStringLiteral("play"))->isEnabled());
    QVERIFY(bar.placeText().isEmpty());
  }

  void theMouseMovesTheTime() {
    Shown run;
    QTest::mouseClick(run.bar.track(), Qt::LeftButton, {}, run.at(kRunBegin + 30s));
    QCOMPARE(run.clock.mode(), Mode::Paused);
    QVERIFY(isNear(*run.clock.end(), kRunBegin + 30s, 200ms));
    QTest::mousePress(run.bar.track(), Qt::LeftButton, {}, run.at(kRunBegin + 30s));
    QTest::mouseMove(run.bar.track(), run.at(kRunBegin + 45s));
    QTest::mouseRelease(run.bar.track(), Qt::LeftButton, {}, run.at(kRunBegin + 60s));
    QTest::mouseClick(run.bar.track(), Qt::LeftButton, {}, QPoint(run.bar.track()->width() - 1, 5));
    QCOMPARE(run.clock.mode(), Mode::Live);
  }

  void theKeysMoveTheTime() {
    Shown run;
    run.press(Qt::Key_Home);
    QVERIFY(isNear(*run.clock.end(), kRunBegin, 200ms));
    run.press(Qt::Key_Right);
    QVERIFY(isNear(*run.clock.end(), kRunBegin + 700ms, 100ms));
    run.press(Qt::Key_PageUp);
    QVERIFY(isNear(*run.clock.end(), kRunBegin + 6600ms, 200ms));
    run.press(Qt::Key_PageDown);
    run.press(Qt::Key_Left);
    QVERIFY(isNear(*run.clock.end(), kRunBegin + 100ms, 100ms));
    run.press(Qt::Key_End);
    QCOMPARE(run.clock.mode(), Mode::Live);
  }

  void spacePlaysAndPauses() {
    Shown run;
    run.press(Qt::Key_Space);
    QCOMPARE(run.clock.mode(), Mode::Playing);
    QCOMPARE(run.button("play")->accessibleName(), QStringLiteral("Pause"));
    run.press(Qt::Key_Space);
    QCOMPARE(run.clock.mode(), Mode::Paused);
    run.button("live")->click();
    QCOMPARE(run.clock.mode(), Mode::Live);
    QVERIFY(run.button("live")->isChecked());
    run.button("live")->click();
    QCOMPARE(run.clock.mode(), Mode::Paused);
    QVERIFY(!run.button("live")->isChecked());
  }

  void commaAndFullStopGoByStepsWithinTheAttempt() {
    Shown run(timedRun(3, 600, 200));
    const RunTimeline timeline(timedRun(3, 600, 200));
    run.clock.seek(*timeline.timeOf(100, kRunBegin + 20s));
    run.press(Qt::Key_Period);
    QCOMPARE(timeline.stepAt(*run.clock.end()), std::optional<Step>(101));
    run.press(Qt::Key_Comma);
    run.press(Qt::Key_Comma);
    QCOMPARE(timeline.stepAt(*run.clock.end()), std::optional<Step>(99));
    run.press(Qt::Key_Greater, Qt::ShiftModifier);
    QCOMPARE(timeline.stepAt(*run.clock.end()), std::optional<Step>(109));
    QVERIFY(*run.clock.end() < kRunBegin + 60s);
    run.press(Qt::Key_Comma, Qt::ShiftModifier);
    QCOMPARE(timeline.stepAt(*run.clock.end()), std::optional<Step>(99));
  }

  void controlAndArrowsGoToTheMarks() {
    const auto samples = timedRun(2, 600, 200);
    Shown run(samples);
    const TimePoint restart = RunTimeline(samples).attempts()[1].begin;
    run.press(Qt::Key_Home);
    run.press(Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(*run.clock.end(), restart);
    run.press(Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(run.clock.mode(), Mode::Live);
    run.press(Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(*run.clock.end(), restart);
    run.press(Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(isNear(*run.clock.end(), kRunBegin, 200ms));
  }

  void shiftChoosesAStretchByMouseAndByKeys() {
    Shown run;
    QTest::mousePress(run.bar.track(), Qt::LeftButton, Qt::ShiftModifier, run.at(kRunBegin + 40s));
    QTest::mouseMove(run.bar.track(), run.at(kRunBegin + 30s));
    QTest::mouseRelease(run.bar.track(), Qt::LeftButton, Qt::ShiftModifier, run.at(kRunBegin + 20s));
    QVERIFY(run.clock.window());
    QVERIFY(isNear(run.clock.window()->from, kRunBegin + 20s, 200ms));
    QVERIFY(isNear(run.clock.window()->to, kRunBegin + 40s, 200ms));
    QCOMPARE(run.clock.mode(), Mode::Live);
    run.press(Qt::Key_Escape);
    QVERIFY(!run.clock.window());

    run.clock.seek(kRunBegin + 30s);
    for (int i = 0; i < 10; ++i) run.press(Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(isNear(run.clock.window()->from, kRunBegin + 30s, 1ms));
    QVERIFY(isNear(run.clock.window()->to, kRunBegin + 36s, 100ms));
    for (int i = 0; i < 15; ++i) run.press(Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(isNear(run.clock.window()->from, kRunBegin + 27s, 100ms));
    QVERIFY(isNear(run.clock.window()->to, kRunBegin + 30s, 1ms));
  }

  void theChosenStretchCanBeSeenAndForgotten() {
    Shown run;
    QVERIFY(run.button("timeWindow")->isHidden());
    run.clock.setWindow(RunWindow{kRunBegin + 10s, kRunBegin + 20s, {Rank(3), Rank(4)}});
    QVERIFY(!run.button("timeWindow")->isHidden());
    QVERIFY(run.button("timeWindow")->text().endsWith(QLatin1String(", ranks 3-4")));
    QVERIFY(run.button("timeWindow")->text().contains(momentText(kRunBegin + 10s, 60s)));
    run.button("timeWindow")->click();
    QVERIFY(!run.clock.window());
    QVERIFY(run.button("timeWindow")->isHidden());
  }

  void saysWhereItIs() {
    Shown run;
    run.clock.seek(kRunBegin + 30s);
    QVERIFY(run.bar.placeText().endsWith(QLatin1String("step 299")));
    QCOMPARE(run.bar.findChild<QLabel*>(QStringLiteral("place"))->text(), run.bar.placeText());
    run.bar.setRunning(true);
    run.clock.goLive();
    QVERIFY(run.bar.track()->accessibleDescription().endsWith(QLatin1String("live")));
    QCOMPARE(run.button("live")->text(), QStringLiteral("Live"));
    run.bar.setRunning(false);
    QCOMPARE(run.button("live")->text(), QStringLiteral("All"));
  }

  void isASliderOfSeconds() {
    Shown run;
    QAccessibleInterface* access = QAccessible::queryAccessibleInterface(run.bar.track());
    QVERIFY(access);
    QCOMPARE(access->role(), QAccessible::Slider);
    QCOMPARE(access->text(QAccessible::Name), QStringLiteral("Time of the run"));
    QAccessibleValueInterface* value = access->valueInterface();
    QVERIFY(value);
    QCOMPARE(value->maximumValue().toInt(), 59);
    value->setCurrentValue(30);
    QCOMPARE(run.clock.mode(), Mode::Paused);
    QVERIFY(isNear(*run.clock.end(), kRunBegin + 30s, 200ms));
    QCOMPARE(value->currentValue().toInt(), 30);
    QVERIFY(access->text(QAccessible::Description).contains(QLatin1String("step 300")));
  }

  void clocksThatDifferAreSaid() {
    Shown plain;
    QVERIFY(plain.button("clocks")->isHidden());
    Shown run(timedRun(3, 600, 0, -2400ms));
    QVERIFY(!run.button("clocks")->isHidden());
    QVERIFY(run.button("clocks")->accessibleDescription().contains(QLatin1String("Rank 1: 2.4 s behind")));
  }

  void marksHaveWords() {
    QCOMPARE(markText({RunMark::Kind::Evaluation, kRunBegin, 99, {}, 0, 71.53, {}}),
             QStringLiteral("Evaluation: 71.5 %, step 99"));
    QCOMPARE(markText({RunMark::Kind::Restart, kRunBegin, 60, {}, 1, 0, {}}),
             QStringLiteral("Restart, step 60"));
    QCOMPARE(markText({RunMark::Kind::Alert, kRunBegin, {}, Rank(3), 0, 0, "rank-behind"}),
             QStringLiteral("Rank 3 kept others waiting"));
    QCOMPARE(markText({RunMark::Kind::Checkpoint, kRunBegin, {}, {}, 0, 0, {}}),
             QStringLiteral("Checkpoint"));
  }

  void theRunCanBeLongerThanWhatIsLoaded() {
    Shown run;
    run.bar.setRunSpan(TimeTrack::Span(kRunBegin - 60s, kRunBegin + 20s));
    // From the begin of the run to the last sample, which its record does not reach.
    const double begin = run.bar.track()->placeOf(kRunBegin - 60s),
                 end = run.bar.track()->placeOf(kRunBegin + 60s);
    QVERIFY(std::abs(run.bar.track()->placeOf(kRunBegin) - (begin + end) / 2) < 2);
    QTest::mouseClick(run.bar.track(), Qt::LeftButton, {}, run.at(kRunBegin - 40s));
    QVERIFY2(isNear(*run.clock.end(), kRunBegin, 200ms), "there is nothing before the first sample");
  }

  void fitsWhateverTheThemeAndTheLetters_data() {
    QTest::addColumn<bool>("isDark");
    QTest::addColumn<int>("letters");  // %
    QTest::addColumn<int>("width");
    for (const bool isDark : {false, true})
      for (const int letters : {100, 200})
        for (const int width : {1248, 760})
          QTest::addRow("%s-%d-%d", isDark ? "dark" : "light", letters, width) << isDark << letters << width;
  }
  // With LOCKSTEP_PICTURES set to a folder, what was drawn is left there for people who look.
  void fitsWhateverTheThemeAndTheLetters() {
    QFETCH(bool, isDark);
    QFETCH(int, letters);
    QFETCH(int, width);
    applyTheme(*qApp, isDark ? ThemeMode::Dark : ThemeMode::Light);
    const auto timeline = std::make_shared<const RunTimeline>(timedRun(3, 600, 400, -2400ms));
    std::vector<RunMark> marks = marksIn(*timeline);
    marks.push_back({RunMark::Kind::Checkpoint, kRunBegin + 100s, 150, {}, 0, 0, {}});
    marks.push_back({RunMark::Kind::Evaluation, kRunBegin + 112s, 270, {}, 0, 71.5, {}});
    marks.push_back({RunMark::Kind::Alert, kRunBegin + 120s, 350, Rank(1), 0, 0, "rank-behind"});
    QWidget page;
    RunClock clock;
    TimeBar bar(&clock, &page);
    QFont font = page.font();
    font.setPointSizeF(font.pointSizeF() * letters / 100);
    page.setFont(font);
    bar.setTimeline(timeline);
    bar.setMarks(marks);
    clock.setSpan(timeline->span());
    bar.setRunSpan(TimeTrack::Span(kRunBegin - 15s, kRunBegin + 140s));
    clock.seek(kRunBegin + 105s);
    clock.setCursor(RunCursor{kRunBegin + 40s, 399});
    clock.setWindow(RunWindow{kRunBegin + 20s, kRunBegin + 50s, {Rank(1), Rank(2)}});
    page.resize(width, bar.heightForWidth(width));
    bar.resize(page.size());
    page.show();
    QCoreApplication::processEvents();
    for (const QWidget* part : bar.findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
      if (part->isHidden()) continue;
      QVERIFY2(bar.rect().contains(part->geometry()), qPrintable(part->objectName()));
      QVERIFY2(part->width() >= part->minimumSizeHint().width(), qPrintable(part->objectName()));
    }
    QVERIFY(bar.track()->width() >= bar.track()->minimumSizeHint().width());
    const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
    if (!folder.isEmpty())
      page.grab().save(
          QStringLiteral("%1/time_bar-%2.png").arg(folder, QLatin1String(QTest::currentDataTag())));
    applyTheme(*qApp, ThemeMode::Light);
  }

  void thePlaceOfTheTrackStaysWhileTheTimeMoves() {
    Shown run;
    run.clock.seek(kRunBegin + 59s);
    QCoreApplication::processEvents();
    const QRect place = run.bar.track()->geometry();
    for (int i = 0; i < 59; ++i) {
      run.clock.seek(kRunBegin + i * 1s);
      QCoreApplication::processEvents();
      QCOMPARE(run.bar.track()->geometry(), place);
    }
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::TimeBarTest)
#include "time_bar_test.moc"
