// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/card_grid.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace lockstep {
namespace {

DashboardCard cardOf(const char* name, int columns = 1, int rows = 1) {
  DashboardCard card;
  card.quantities.push_back({name, CardAxis::Left});
  card.columns = columns;
  card.rows = rows;
  return card;
}

std::vector<DashboardCard> cardsOf(std::initializer_list<const char*> names) {
  std::vector<DashboardCard> cards;
  for (const char* const name : names) cards.push_back(cardOf(name));
  return cards;
}

}  // namespace

class CardGridTest : public QObject {
  Q_OBJECT

  struct Shown {
    CardGrid grid;
    int made = 0;

    Shown() {
      grid.setMaker([this](const DashboardCard&) {
        ++made;
        auto* const body = new QLabel(QStringLiteral("body"));
        body->setFocusPolicy(Qt::TabFocus);
        return CardBody{body, nullptr, nullptr};
      });
      grid.resize(700, 500);
      grid.show();
    }
    [[nodiscard]] Card* at(std::size_t i) const { return grid.cards()[i]; }
    void drag(QWidget* what, QPoint by) const {
      const QPoint from = what->rect().center();
      QTest::mousePress(what, Qt::LeftButton, {}, from);
      // By global places: what is dragged moves along.
      const QPoint begin = what->mapToGlobal(from);
      for (const double share : {0.2, 0.6, 1.0})
        QTest::mouseMove(what, what->mapFromGlobal(begin + by * share));
      QTest::mouseRelease(what, Qt::LeftButton, {}, what->mapFromGlobal(begin + by));
    }
  };

 private slots:
  void fewCardsTakeAllTheRoom() {
    Shown shown;
    shown.grid.showCards(cardsOf({"a", "b", "c", "d"}));
    QCOMPARE(shown.at(0)->geometry().topLeft(), QPoint(0, 0));
    QVERIFY(shown.at(1)->x() > shown.at(0)->geometry().right());
    QCOMPARE(shown.at(1)->y(), 0);
    QCOMPARE(shown.at(3)->geometry().bottom(), shown.grid.viewport()->height() - 1);
    QCOMPARE(shown.at(3)->geometry().right(), shown.grid.viewport()->width() - 1);
  }

  void aNarrowGridHasOneColumnAndScrolls() {
    Shown shown;
    shown.grid.resize(260, 300);
    shown.grid.showCards(cardsOf({"a", "b", "c", "d"}));
    for (std::size_t i = 0; i < 4; ++i) QCOMPARE(shown.at(i)->x(), 0);
    QVERIFY(shown.grid.verticalScrollBar()->maximum() > 0);
    QVERIFY(shown.grid.isInSight(shown.at(0)));
    QVERIFY(!shown.grid.isInSight(shown.at(3)));
    QSignalSpy sight(&shown.grid, &CardGrid::sightChanged);
    shown.grid.verticalScrollBar()->setValue(shown.grid.verticalScrollBar()->maximum());
    QVERIFY(shown.grid.isInSight(shown.at(3)));
    QVERIFY(!shown.grid.isInSight(shown.at(0)));
    QVERIFY(sight.contains({QVariant::fromValue(shown.at(3)->body()), true}));
    QVERIFY(sight.contains({QVariant::fromValue(shown.at(0)->body()), false}));
  }

  void aCardThatStaysKeepsItsBody() {
    Shown shown;
    shown.grid.showCards(cardsOf({"a", "b"}));
    QWidget* const body = shown.at(1)->body();
    shown.grid.showCards({cardOf("b", 2, 2), cardOf("c")});
    QCOMPARE(shown.at(0)->body(), body);
    QCOMPARE(shown.at(0)->card().columns, 2);
    QCOMPARE(shown.made, 3);
  }

  void aTitleIsDraggedToTheFront() {
    Shown shown;
    shown.grid.showCards(cardsOf({"a", "b", "c", "d"}));
    QSignalSpy moved(&shown.grid, &CardGrid::moved);
    QWidget* const title = shown.at(3)->title();
    const QPoint to = shown.at(0)->mapToGlobal(shown.at(0)->rect().center());
    shown.drag(title, to - title->mapToGlobal(title->rect().center()));
    QCOMPARE(moved.size(), 1);
    QCOMPARE(moved[0], (QVariantList{3, 0}));
    QCOMPARE(shown.at(3)->geometry().right(),
             shown.grid.viewport()->width() - 1);  // who has the layout moves it
  }

  void aClickOnATitleMovesNothing() {
    Shown shown;
    shown.grid.showCards(cardsOf({"a", "b"}));
    QSignalSpy moved(&shown.grid, &CardGrid::moved);
    QTest::mouseClick(shown.at(1)->title(), Qt::LeftButton);
    QCOMPARE(moved.size(), 0);
  }

  void aCornerSizesACard() {
    Shown shown;
    shown.grid.showCards(cardsOf({"a", "b", "c", "d"}));
    QSignalSpy sized(&shown.grid, &CardGrid::sized);
    const QPoint oneMore(shown.at(1)->x() - shown.at(0)->x(), shown.at(3)->y() - shown.at(0)->y());
    shown.drag(shown.at(0)->grip(), oneMore);
    QCOMPARE(sized.size(), 1);
    QCOMPARE(sized[0], (QVariantList{0, 2, 2}));
  }

  void aDoubleClickOrEnterAsksForAllTheRoom() {
    Shown shown;
    shown.grid.showCards(cardsOf({"a", "b"}));
    QSignalSpy asked(&shown.grid, &CardGrid::asked);
    QTest::mouseDClick(shown.at(1)->title(), Qt::LeftButton);
    QTest::keyClick(shown.at(0)->body(), Qt::Key_Return);
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked[0][0].toInt(), 1);
    QCOMPARE(asked[1][0].toInt(), 0);
    for (const auto& one : asked) QCOMPARE(one[1].value<CardAction>(), CardAction::Maximize);
  }

  void aMaximizedCardIsAloneUntilEscape() {
    Shown shown;
    shown.grid.showCards(cardsOf({"a", "b"}));
    QSignalSpy changed(&shown.grid, &CardGrid::maximizedChanged);
    shown.grid.maximize(shown.at(1));
    QCOMPARE(shown.at(1)->size(), shown.grid.viewport()->size());
    QVERIFY(!shown.at(0)->isVisible());
    QVERIFY(!shown.grid.isInSight(shown.at(0)));
    QSignalSpy asked(&shown.grid, &CardGrid::asked);
    QTest::keyClick(shown.at(1)->body(), Qt::Key_Escape);
    QCOMPARE(asked.size(), 1);
    shown.grid.maximize(nullptr);
    QVERIFY(shown.at(0)->isVisible());
    QCOMPARE(changed.size(), 2);
    shown.grid.maximize(shown.at(1));
    shown.grid.showCards(cardsOf({"a"}));  // what is gone is not alone
    QCOMPARE(shown.grid.maximized(), nullptr);
    QVERIFY(shown.at(0)->isVisible());
  }

  void theMenuOffersWhatIsPossible() {
    Shown shown;
    shown.grid.showCards({cardOf("a", 3, 1), cardOf("b", 1, 2)});
    const auto isOffered = [&](std::size_t card, CardAction what) {
      return shown.at(card)->action(what)->isEnabled();
    };
    QVERIFY(!isOffered(0, CardAction::Wider));
    QVERIFY(isOffered(0, CardAction::Narrower));
    QVERIFY(isOffered(0, CardAction::Taller));
    QVERIFY(!isOffered(0, CardAction::Lower));
    QVERIFY(!isOffered(0, CardAction::Earlier));
    QVERIFY(isOffered(0, CardAction::Later));
    QVERIFY(isOffered(1, CardAction::Wider));
    QVERIFY(!isOffered(1, CardAction::Narrower));
    QVERIFY(!isOffered(1, CardAction::Taller));
    QVERIFY(isOffered(1, CardAction::Earlier));
    QVERIFY(!isOffered(1, CardAction::Later));
    QSignalSpy asked(&shown.grid, &CardGrid::asked);
    QTest::keyClick(shown.at(1)->body(), Qt::Key_Delete);
    QCOMPARE(asked[0][1].value<CardAction>(), CardAction::Remove);
  }

  void aCardWithoutAPlaceLeavesNoHole() {
    Shown shown;
    shown.grid.showCards(cardsOf({"a", "b", "c"}));
    const QRect second = shown.at(1)->geometry();
    shown.grid.setShown({true, false, true});
    QVERIFY(!shown.at(1)->isVisible());
    QCOMPARE(shown.at(2)->geometry().topLeft(), second.topLeft());
  }

  void tabGoesFromCardToCardAsTheyAreRead() {
    Shown shown;
    shown.grid.showCards(cardsOf({"a", "b", "c"}));
    std::vector<QWidget*> bodies;
    shown.grid.showCards(cardsOf({"c", "a", "b"}));
    for (std::size_t i = 0; i < 3; ++i) bodies.push_back(shown.at(i)->body());
    std::vector<QWidget*> met;
    QWidget* next = bodies.front();
    for (int i = 0; i < 60 && met.size() < 3; ++i, next = next->nextInFocusChain())
      if (std::find(bodies.begin(), bodies.end(), next) != bodies.end()) met.push_back(next);
    QVERIFY(met == bodies);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::CardGridTest)
#include "card_grid_test.moc"
