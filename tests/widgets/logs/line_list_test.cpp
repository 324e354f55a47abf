// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/line_list.h"

#include <QTest>
#include <algorithm>
#include <random>

namespace lockstep {
namespace {

LineList listOf(const std::vector<LineList::Line>& lines) {
  LineList list;
  list.insert(lines);
  return list;
}

}  // namespace

class LineListTest : public QObject {
  Q_OBJECT

 private slots:
  void looksUpAndCounts() {
    const LineList list = listOf({2, 5, 9});
    QVERIFY(list.contains(5));
    QVERIFY(!list.contains(4));
    QCOMPARE(list.placeOf(5), std::size_t{1});
    QCOMPARE(list.placeOf(10), std::size_t{3});
    QCOMPARE(list.countIn(2, 9), std::size_t{2});
    QCOMPARE(list.countIn(9, 2), std::size_t{0});
  }

  void changes() {
    LineList list = listOf({2, 5, 9});
    list.insert({0, 4, 12});
    QCOMPARE(list.lines(), (std::vector<LineList::Line>{0, 2, 4, 5, 9, 12}));
    QVERIFY(!list.toggle(4));
    QVERIFY(list.toggle(3));
    list.truncate(9);
    QCOMPARE(list.lines(), (std::vector<LineList::Line>{0, 2, 3, 5}));
    list.dropOldest(3);
    QCOMPARE(list.lines(), (std::vector<LineList::Line>{0, 2}));
  }

  void followsLinesThatMove() {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
      std::vector<int> log(50);  // 1: is in the list
      for (int& line : log) line = random() % 2 ? 1 : 0;
      LineList list;
      for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i]) list.insert({static_cast<LineList::Line>(i)});
      std::vector<std::size_t> places;
      for (auto n = random() % 20; n > 0; --n) places.push_back(random() % (log.size() + 1));
      std::sort(places.begin(), places.end());
      for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] += i;
        log.insert(log.begin() + static_cast<std::ptrdiff_t>(places[i]), 0);
      }
      list.moveUp(places);
      std::vector<LineList::Line> expected;
      for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i]) expected.push_back(static_cast<LineList::Line>(i));
      QCOMPARE(list.lines(), expected);
    }
  }
};

}  // namespace lockstep

QTEST_APPLESS_MAIN(lockstep::LineListTest)
#include "line_list_test.moc"
