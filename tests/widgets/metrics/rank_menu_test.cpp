// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_menu.h"

#include <QMenu>
#include <QSignalSpy>
#include <QTest>

#include "many_ranks.h"

namespace lockstep {

class RankMenuTest : public QObject {
  Q_OBJECT

  static QAction* entry(QMenu* menu, const QString& text) {
    for (QAction* const action : menu->actions())
      if (action->text().remove(QLatin1Char('&')).startsWith(text)) return action;
    return nullptr;
  }

 private slots:
  void namesTheSlowestTheNodesAndTheWorkers() {
    RankMenu menu;
    menu.setNodes(nodesOfEight(64));
    menu.setMetrics(manyRanks(64, 100));
    QSignalSpy chosen(&menu, &RankMenu::chosen);
    emit menu.menu()->aboutToShow();
    entry(menu.menu(), QStringLiteral("Slowest 8"))->trigger();
    QStringList ranks = chosen.takeFirst()[0].toString().split(QStringLiteral(", "));
    QVERIFY2(ranks.contains(QStringLiteral("17")), qPrintable(ranks.join(QLatin1Char(' '))));
    entry(menu.menu(), QStringLiteral("Main node"))->trigger();
    QCOMPARE(chosen.takeFirst()[0].toString(), QStringLiteral("0-7"));
    entry(menu.menu(), QStringLiteral("Workers"))->trigger();
    QCOMPARE(chosen.takeFirst()[0].toString(), QStringLiteral("8-63"));
    QMenu* const nodes = entry(menu.menu(), QStringLiteral("By node"))->menu();
    QCOMPARE(nodes->actions().size(), 8);
    nodes->actions()[2]->trigger();
    QCOMPARE(chosen.takeFirst()[0].toString(), QStringLiteral("16-23"));
    entry(menu.menu(), QStringLiteral("None"))->trigger();
    QCOMPARE(chosen.takeFirst()[0].toString(), QString());
  }

  void tooManyCannotBeChosen() {
    RankMenu menu;
    menu.setNodes(nodesOfEight(1024));
    emit menu.menu()->aboutToShow();
    QAction* const workers = entry(menu.menu(), QStringLiteral("Workers"));
    QVERIFY(!workers->isEnabled());
    QVERIFY2(workers->text().contains(QStringLiteral("1,016 ranks")), qPrintable(workers->text()));
    QVERIFY(!entry(menu.menu(), QStringLiteral("Slowest 8"))->isEnabled());  // nothing was measured
    QVERIFY(entry(menu.menu(), QStringLiteral("Main node"))->isEnabled());
  }

  void namesOfNodesAreShownAsTheyAre() {
    RankMenu menu;
    menu.setNodes({{Rank(0), QStringLiteral("a&b"), {}}});
    emit menu.menu()->aboutToShow();
    QCOMPARE(entry(menu.menu(), QStringLiteral("By node"))->menu()->actions()[0]->text(),
             QStringLiteral("a&&b"));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RankMenuTest)
#include "rank_menu_test.moc"
