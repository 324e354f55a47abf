// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QListView>
#include <QSignalSpy>
#include <QTest>
#include <random>

#include "widgets/common/text/text_difference_view.h"

using namespace lockstep;

namespace {

using Kind = DifferenceLine::Kind;

QStringList side(const std::vector<DifferenceLine>& lines, Kind without) {
  QStringList texts;
  for (const DifferenceLine& line : lines)
    if (line.kind != without) texts << line.text;
  return texts;
}

int changes(const std::vector<DifferenceLine>& lines) {
  return static_cast<int>(std::count_if(lines.begin(), lines.end(),
                                        [](const DifferenceLine& line) { return line.kind != Kind::Equal; }));
}

/// The least number of changes, by the table that everybody knows.
int minChanges(const QStringList& a, const QStringList& b) {
  std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1));
  for (int i = static_cast<int>(a.size()) - 1; i >= 0; --i)
    for (int j = static_cast<int>(b.size()) - 1; j >= 0; --j)
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  return static_cast<int>(a.size() + b.size()) - 2 * common[0][0];
}

QStringList numbered(int from, int to) {
  QStringList lines;
  for (int i = from; i < to; ++i) lines << QString::number(i);
  return lines;
}

}  // namespace

class TextDifferenceTest : public QObject {
  Q_OBJECT
 private slots:
  void itIsTheShortestWayFromOneToTheOther() {
    std::mt19937 random(7);
    for (int round = 0; round < 600; ++round) {
      const auto text = [&] {
        QStringList lines;
        const int length = static_cast<int>(random() % 14);
        for (int i = 0; i < length; ++i) lines << QString(QChar(u'a' + static_cast<char16_t>(random() % 4)));
        return lines;
      };
      const QStringList before = text();
      const QStringList after = text();
      const auto lines = lineDifference(before, after);
      QCOMPARE(side(lines, Kind::Added), before);
      QCOMPARE(side(lines, Kind::Removed), after);
      QCOMPARE(changes(lines), minChanges(before, after));
      int nextBefore = 1;
      int nextAfter = 1;
      for (const DifferenceLine& line : lines) {
        QCOMPARE(line.before, line.kind == Kind::Added ? 0 : nextBefore);
        QCOMPARE(line.after, line.kind == Kind::Removed ? 0 : nextAfter);
        nextBefore += line.kind != Kind::Added;
        nextAfter += line.kind != Kind::Removed;
      }
    }
  }

  void textsWithNothingInCommonEndInTime() {
    QElapsedTimer timer;
    timer.start();
    const auto lines = lineDifference(numbered(0, 20'000), numbered(30'000, 50'000));
    QCOMPARE(changes(lines), 40'000);
    qInfo("20,000 lines against 20,000 others: %lld ms", static_cast<long long>(timer.elapsed()));
  }

  void equalStretchesFoldAndUnfold() {
    TextDifferenceView view;
    QAbstractItemModelTester tester(view.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QStringList before = numbered(0, 100);
    QStringList after = before;
    after[50] = QStringLiteral("new");
    view.setTexts(before.join(u'\n') + u'\n', QStringLiteral("old"), after.join(u'\n') + u'\n',
                  QStringLiteral("now"));
    QCOMPARE(view.summary(), QStringLiteral("1 line removed, 1 added"));
    QCOMPARE(view.model()->rowCount(), 1 + 3 + 2 + 3 + 1);
    QVERIFY(view.model()->isFold(0));
    QCOMPARE(view.model()->index(0).data(TextDifferenceModel::FoldRole).toInt(), 47);
    QCOMPARE(view.list()->currentIndex().row(), 4);
    QVERIFY(view.model()->index(4).data(Qt::AccessibleTextRole).toString().startsWith("removed, line 51"));
    QVERIFY(view.model()->index(5).data(Qt::AccessibleTextRole).toString().startsWith("added, line 51"));
    view.list()->setCurrentIndex(view.model()->index(0));
    QTest::keyClick(view.list(), Qt::Key_Return);
    QCOMPARE(view.model()->rowCount(), 47 + 3 + 2 + 3 + 1);
    QCOMPARE(view.model()->index(0).data().toString(), QStringLiteral("0"));
  }

  void theKeysGoFromChangeToChange() {
    QStringList before = numbered(0, 60);
    QStringList after = before;
    after.removeAt(10);
    after.insert(40, QStringLiteral("x"));
    TextDifferenceView view;
    view.setTexts(before.join(u'\n'), {}, after.join(u'\n'), {});
    view.show();
    const auto kind = [&] { return view.list()->currentIndex().data(TextDifferenceModel::KindRole).toInt(); };
    QCOMPARE(kind(), static_cast<int>(Kind::Removed));
    view.goToNext();
    QCOMPARE(kind(), static_cast<int>(Kind::Added));
    view.goToNext();
    QCOMPARE(kind(), static_cast<int>(Kind::Added));
    view.goToPrevious();
    QCOMPARE(kind(), static_cast<int>(Kind::Removed));
    QSignalSpy closed(&view, &TextDifferenceView::closed);
    QTest::keyClick(view.list(), Qt::Key_Escape);
    QCOMPARE(closed.count(), 1);
  }

  void equalAndEmptyTextsHaveNoDifference() {
    TextDifferenceView view;
    view.setTexts(QString(), {}, QString(), {});
    QCOMPARE(view.model()->rowCount(), 0);
    QCOMPARE(view.summary(), QStringLiteral("No differences"));
    view.setTexts(QStringLiteral("a\n"), {}, QStringLiteral("a\n"), {});
    QCOMPARE(view.summary(), QStringLiteral("No differences"));
    view.goToNext();
  }
};

QTEST_MAIN(TextDifferenceTest)
#include "text_difference_test.moc"
