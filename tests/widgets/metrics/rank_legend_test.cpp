// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_legend.h"

#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include "widgets/common/text/number_text.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

StaleRank staleFor(int rank, std::chrono::nanoseconds behind) {
  return {Rank(rank), TimePoint{}, behind, 812};
}

}  // namespace

class RankLegendTest : public QObject {
  Q_OBJECT

 private slots:
  void hidesAndShowsByMouseAndKey() {
    RankLegend legend;
    legend.setRanks({Rank(0), Rank(1), Rank(2)});
    legend.resize(400, 24);
    legend.show();
    QSignalSpy changed(&legend, &RankLegend::hiddenRanksChanged);
    QTest::mouseClick(&legend, Qt::LeftButton, {}, QPoint(10, 10));
    QCOMPARE(legend.hiddenRanks(), std::set<Rank>{Rank(0)});
    QTest::keyClick(&legend, Qt::Key_Right);
    QTest::keyClick(&legend, Qt::Key_Space);
    QCOMPARE(legend.hiddenRanks(), (std::set<Rank>{Rank(0), Rank(1)}));
    QTest::mouseClick(&legend, Qt::LeftButton, {}, QPoint(10, 10));
    QCOMPARE(legend.hiddenRanks(), std::set<Rank>{Rank(1)});
    QCOMPARE(changed.count(), 3);
    legend.setRanks({Rank(0)});
    QVERIFY(legend.hiddenRanks().empty());
  }

  void aRankThatFellSilentFadesAndSaysForHowLong() {
    RankLegend legend;
    legend.setRanks({Rank(0), Rank(1)});
    legend.resize(600, legend.sizeHint().height());
    const QImage before = legend.grab().toImage();
    const int width = legend.sizeHint().width();
    legend.setStale({staleFor(1, 40s + 300ms)});
    QCOMPARE(legend.accessibleDescription(), QStringLiteral("Rank 0, Rank 1, silent for 40 s"));
    QVERIFY(legend.sizeHint().width() > width);
    QVERIFY(legend.grab().toImage() != before);
    legend.setStale({});
    QCOMPARE(legend.accessibleDescription(), QStringLiteral("Rank 0, Rank 1"));
    QCOMPARE(legend.grab().toImage(), before);
  }

  void itsToolTipSaysSinceWhen() {
    RankLegend legend;
    legend.setRanks({Rank(0), Rank(1)});
    legend.resize(600, legend.sizeHint().height());
    legend.show();
    const TimePoint since = TimePoint(1'700'000'000s);
    legend.setStale({{Rank(0), since, 40s, 812}});
    QHelpEvent help(QEvent::ToolTip, QPoint(8, 8), legend.mapToGlobal(QPoint(8, 8)));
    QCoreApplication::sendEvent(&legend, &help);
    QVERIFY2(QToolTip::text().contains(clockTimeText(since)), qPrintable(QToolTip::text()));
    QVERIFY(QToolTip::text().contains(QStringLiteral("812")));
    legend.setStale({});
    QCoreApplication::sendEvent(&legend, &help);
    QVERIFY(!QToolTip::text().contains(QStringLiteral("812")));
  }

  void itCanBeHiddenLikeAnyOther() {
    RankLegend legend;
    legend.setRanks({Rank(0), Rank(1)});
    legend.setStale({staleFor(0, 40s)});
    legend.resize(600, legend.sizeHint().height());
    QSignalSpy hidden(&legend, &RankLegend::hiddenRanksChanged);
    QTest::mouseClick(&legend, Qt::LeftButton, {}, QPoint(8, legend.height() / 2));
    QCOMPARE(hidden.count(), 1);
    QVERIFY(legend.hiddenRanks().contains(Rank(0)));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RankLegendTest)
#include "rank_legend_test.moc"
