// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_legend.h"

#include <QSignalSpy>
#include <QTest>

namespace lockstep {

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
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RankLegendTest)
#include "rank_legend_test.moc"
