// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/card_places.h"

#include <QTest>
#include <random>
#include <set>

namespace lockstep {

class CardPlacesTest : public QObject {
  Q_OBJECT
 private slots:
  void cardsFollowEachOther() {
    const std::vector<CardSpan> cards{{1, 1}, {1, 1}, {2, 1}, {1, 2}, {1, 1}, {1, 1}};
    const auto places = placeCards(cards, 2);
    const std::vector<CardPlace> expected{{0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 2, 1},
                                          {0, 2, 1, 2}, {1, 2, 1, 1}, {1, 3, 1, 1}};
    QVERIFY(places == expected);
    QCOMPARE(linesOf(places), 4);
  }

  void theLastTakesWhatIsLeftOfItsLine() {
    const std::vector<CardSpan> three{{1, 1}, {1, 1}, {1, 1}};
    QVERIFY(placeCards(three, 2).back() == (CardPlace{0, 1, 2, 1}));
    QVERIFY(placeCards(three, 3).back() == (CardPlace{2, 0, 1, 1}));
    const std::vector<CardSpan> besideATall{{1, 2}, {1, 1}, {1, 1}};
    QVERIFY(placeCards(besideATall, 3)[2] == (CardPlace{2, 0, 1, 1}));
  }

  void aCardIsNeverWiderThanTheGrid() {
    const std::vector<CardSpan> cards{{3, 2}, {3, 1}};
    const std::vector<CardPlace> expected{{0, 0, 1, 2}, {0, 2, 1, 1}};
    QVERIFY(placeCards(cards, 1) == expected);
    QVERIFY(placeCards({}, 3).empty());
    QCOMPARE(linesOf({}), 0);
  }

  void noTwoEverShareACell() {
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
      const int columns = 1 + static_cast<int>(random() % 5);
      std::vector<CardSpan> cards(random() % 20);
      for (CardSpan& card : cards)
        card = {1 + static_cast<int>(random() % 3), 1 + static_cast<int>(random() % 2)};
      const auto places = placeCards(cards, columns);
      QCOMPARE(places.size(), cards.size());
      std::set<std::pair<int, int>> taken;
      std::pair<int, int> before{-1, -1};
      for (const CardPlace& place : places) {
        QVERIFY(std::pair(place.row, place.column) > before);
        before = {place.row, place.column};
        QVERIFY(place.column >= 0 && place.column + place.columns <= columns);
        for (int row = 0; row < place.rows; ++row)
          for (int column = 0; column < place.columns; ++column)
            QVERIFY(taken.emplace(place.row + row, place.column + column).second);
      }
    }
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::CardPlacesTest)
#include "card_places_test.moc"
