// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/view_history.h"

#include <QTest>

namespace lockstep {

class ViewHistoryTest : public QObject {
  Q_OBJECT

  static PlotView of(double from, double to) { return {false, false, from, to}; }
  static SteadyPoint at(int ms) { return SteadyPoint(std::chrono::milliseconds(100'000 + ms)); }

 private slots:
  void goesBackAndForward() {
    ViewHistory history;
    QVERIFY(!history.hasBack() && !history.hasForward());
    history.note(of(0, 50), at(0));
    history.note(of(10, 20), at(5000));
    QVERIFY(history.back() == of(0, 50));
    QVERIFY(history.back() == PlotView{});
    QVERIFY(!history.hasBack());
    QVERIFY(history.back() == PlotView{});
    QVERIFY(history.forward() == of(0, 50));
    QVERIFY(history.forward() == of(10, 20));
    QVERIFY(!history.hasForward());
  }

  void oneMovementIsOneView() {
    ViewHistory history;
    history.note(of(0, 90), at(0));
    history.note(of(0, 80), at(100));
    history.note(of(0, 70), at(200));
    history.note(of(0, 10), at(5000));
    QVERIFY(history.back() == of(0, 70));
    QVERIFY(history.back() == PlotView{});
  }

  void goingElsewhereForgetsWhatWasForward() {
    ViewHistory history;
    history.note(of(0, 50), at(0));
    history.note(of(0, 20), at(5000));
    history.back();
    history.note(of(7, 9), at(5100));  // no part of the movement before
    QVERIFY(!history.hasForward());
    QVERIFY(history.back() == of(0, 50));
  }

  void allStepsIsAViewOfItsOwn() {
    ViewHistory history;
    history.note(of(0, 50), at(0));
    history.note({}, at(100));
    QVERIFY(history.back() == of(0, 50));
  }

  void itIsBounded() {
    ViewHistory history;
    for (int i = 0; i < 1000; ++i) history.note(of(i, i + 5), at(i * 2000));
    std::size_t count = 0;
    for (; history.hasBack(); ++count) history.back();
    QCOMPARE(count, ViewHistory::kMost - 1);
    history.clear();
    QVERIFY(!history.hasBack() && !history.hasForward());
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::ViewHistoryTest)
#include "view_history_test.moc"
