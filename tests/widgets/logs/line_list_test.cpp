// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/line_list.h"

#include <QTest>
#include <algorithm>
#include <random>

namespace lockstep {
namespace {

LineList listOf(const std::vector<LineList::Line>& lines) {
  LineList list;
  for (const LineList::Line line : lines) list.toggle(line);
  return list;
}

}  // namespace

class LineListTest : public QObject {
  Q_OBJECT

 private slots:
  void looksUpAndCounts() {
    const LineList list = listOf({5, 2, 9});
    QVERIFY(list.contains(5));
    QVERIFY(!list.contains(4));
    QCOMPARE(list.countBefore(5), std::size_t{1});
    QCOMPARE(list.countBefore(10), std::size_t{3});
    QCOMPARE(list.countIn(2, 9), std::size_t{2});
    QCOMPARE(list.countIn(9, 2), std::size_t{0});
  }

  void changes() {
    LineList list = listOf({2, 5, 9});
    QVERIFY(!list.toggle(5));
    QVERIFY(list.toggle(3));
    QCOMPARE(list.lines(), (std::vector<LineList::Line>{2, 3, 9}));
  }

  void followsLinesThatMoveAndForgetsThoseThatGo() {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
      const auto newLog = [](std::size_t size) { return std::vector<int>(size); };  // 1: is in the list
      std::vector<int> older = newLog(50), newer;
      LineList list;
      for (std::size_t i = 0; i < older.size(); ++i)
        if (random() % 2) older[i] = list.toggle(i) ? 1 : 0;
      std::vector<SameLines> same;
      for (std::size_t i = 0; i < older.size(); ++i) {
        if (random() % 6 == 0) newer.push_back(0);  // a line that came late
        if (random() % 6 == 0) continue;            // one that went
        const bool goesOn = !same.empty() && same.back().older + same.back().count == i &&
                            same.back().newer + same.back().count == newer.size();
        if (goesOn)
          ++same.back().count;
        else
          same.push_back({i, newer.size(), 1});
        newer.push_back(older[i]);
      }
      list.moveTo(same);
      std::vector<LineList::Line> expected;
      for (std::size_t i = 0; i < newer.size(); ++i)
        if (newer[i]) expected.push_back(i);
      QCOMPARE(list.lines(), expected);
    }
  }
};

}  // namespace lockstep

QTEST_APPLESS_MAIN(lockstep::LineListTest)
#include "line_list_test.moc"
