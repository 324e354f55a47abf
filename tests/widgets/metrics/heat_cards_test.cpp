// SPDX-License-Identifier: GPL-3.0-or-later
// What the user chooses within a heat map or a step time of the dashboard is a change of its card.
#include <QComboBox>
#include <QTest>
#include <QUndoStack>

#include "many_ranks.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/cards/card_grid.h"
#include "widgets/metrics/cards/layout_list.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/metrics/rank_heat_map.h"

namespace lockstep {
namespace {

struct Shown {
  Dashboard dashboard;

  Shown() {
    dashboard.resize(1280, 800);
    dashboard.show();
  }
  void showSamples() {
    dashboard.setSamples(manyRanks(8, 100));
    dashboard.refreshNow();
  }
  [[nodiscard]] LayoutList* layouts() const { return dashboard.findChild<LayoutList*>(); }
  [[nodiscard]] const DashboardCard& cardAt(std::size_t i) const { return layouts()->current().cards[i]; }
  [[nodiscard]] Card* shownAt(std::size_t i) const { return dashboard.findChild<CardGrid*>()->cards()[i]; }
  [[nodiscard]] RankHeatMap* mapAt(std::size_t i) const {
    return qobject_cast<RankHeatMap*>(shownAt(i)->body());
  }
  /// As a user does: the keyboard goes through the list, down to that one.
  void chooseAt(std::size_t card, std::string_view name) const {
    auto* const box = mapAt(card)->findChild<QComboBox*>(QStringLiteral("heatQuantity"));
    const int wanted = box->findData(toQString(name));
    QVERIFY(wanted >= 0);
    while (box->currentIndex() != wanted)
      QTest::keyClick(box, box->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
  }
};

std::vector<CardQuantity> only(std::string_view name) {
  return {{std::string(name), CardAxis::Left}};
}

}  // namespace

class HeatCardsTest : public QObject {
  Q_OBJECT

 private slots:
  void whatTheUserChoosesIsOfTheCardAndCanBeUndone() {
    Shown shown;
    QVERIFY(shown.dashboard.showLayout(QStringLiteral("Hunt the straggler")));
    shown.showSamples();
    RankHeatMap* const map = shown.mapAt(0);
    QCOMPARE(map->quantity(), std::string(metric::kWaitMs));
    QVERIFY(!shown.layouts()->isChanged());
    shown.chooseAt(0, metric::kForwardMs);
    QCOMPARE(shown.mapAt(0), map);  // which keeps its zoom, its order and the keyboard
    QVERIFY(shown.cardAt(0).quantities == only(metric::kForwardMs));
    QVERIFY(shown.layouts()->isChanged());
    QVERIFY2(shown.shownAt(0)->accessibleName().contains(QStringLiteral("Forward")),
             qPrintable(shown.shownAt(0)->accessibleName()));
    shown.layouts()->undoStack()->undo();  // all that the keys passed at once
    QCOMPARE(map->quantity(), std::string(metric::kWaitMs));
    QVERIFY(!shown.layouts()->isChanged());
    shown.layouts()->undoStack()->redo();
    QCOMPARE(map->quantity(), std::string(metric::kForwardMs));
    shown.layouts()->reset();
    QCOMPARE(map->quantity(), std::string(metric::kWaitMs));
  }

  void itIsThereAfterAnotherLayoutAndAfterARestart() {
    Shown shown;
    QVERIFY(shown.dashboard.showLayout(QStringLiteral("Hunt the straggler")));
    shown.showSamples();
    shown.chooseAt(0, metric::kBackwardMs);
    QVERIFY(shown.dashboard.showLayout(QStringLiteral("Overview")));
    QVERIFY(shown.dashboard.showLayout(QStringLiteral("Hunt the straggler")));
    QCOMPARE(shown.mapAt(0)->quantity(), std::string(metric::kBackwardMs));
    Shown next;
    next.dashboard.restoreState(shown.dashboard.saveState());
    next.showSamples();
    QCOMPARE(next.mapAt(0)->quantity(), std::string(metric::kBackwardMs));
  }

  void aStepTimeOverTimeIsOfItsCard() {
    Shown shown;
    QVERIFY(shown.dashboard.showLayout(QStringLiteral("Hunt the straggler")));
    shown.showSamples();
    std::size_t at = 0;
    while (shown.cardAt(at).kind != CardKind::StepTime) ++at;
    const auto kindIn = [](const Shown& one, std::size_t card) {
      return one.shownAt(card)->body()->findChild<QComboBox*>(QStringLiteral("stepTimeKind"));
    };
    QComboBox* const kind = kindIn(shown, at);
    QTest::keyClick(kind, Qt::Key_Down);
    QVERIFY(shown.cardAt(at).overTime);
    QCOMPARE(kindIn(shown, at), kind);  // it is the same one
    Shown next;
    next.dashboard.restoreState(shown.dashboard.saveState());
    next.showSamples();
    QCOMPARE(kindIn(next, at)->currentIndex(), 1);
    shown.layouts()->undoStack()->undo();
    QCOMPARE(kind->currentIndex(), 0);
    QVERIFY(!shown.layouts()->isChanged());
  }

  void itIsSavedWithALayoutOfTheUsersOwn() {
    Shown shown;
    QVERIFY(shown.dashboard.showLayout(QStringLiteral("Hunt the straggler")));
    shown.showSamples();
    shown.chooseAt(0, metric::kDataMs);
    QVERIFY(shown.layouts()->saveAs("Mine").has_value());
    QVERIFY(!shown.layouts()->isChanged());
    QVERIFY(shown.layouts()->own().front().cards[0].quantities == only(metric::kDataMs));
    QCOMPARE(shown.mapAt(0)->quantity(), std::string(metric::kDataMs));
  }

  void ofTwoHeatMapsEachKeepsItsOwn() {
    Shown shown;
    DashboardLayout layout = shown.layouts()->current();
    DashboardCard map;
    map.kind = CardKind::HeatMap;
    layout.cards = {map, map};  // of no quantity: what a straggler shows
    shown.layouts()->change(QStringLiteral("two"), layout);
    shown.showSamples();
    QCOMPARE(shown.mapAt(0)->quantity(), std::string(metric::kWaitMs));
    shown.chooseAt(0, metric::kForwardMs);
    shown.chooseAt(1, metric::kBackwardMs);
    QVERIFY(shown.cardAt(0).quantities == only(metric::kForwardMs));
    QVERIFY(shown.cardAt(1).quantities == only(metric::kBackwardMs));
    shown.layouts()->undoStack()->undo();
    QCOMPARE(shown.mapAt(0)->quantity(), std::string(metric::kForwardMs));
    QCOMPARE(shown.mapAt(1)->quantity(), std::string(metric::kWaitMs));
    shown.layouts()->undoStack()->redo();
    layout = shown.layouts()->current();
    std::swap(layout.cards[0], layout.cards[1]);
    RankHeatMap* const first = shown.mapAt(0);
    shown.layouts()->change(QStringLiteral("swap"), layout);
    QCOMPARE(shown.mapAt(1), first);  // a body goes with its card
    QCOMPARE(shown.mapAt(1)->quantity(), std::string(metric::kForwardMs));
    QCOMPARE(shown.mapAt(0)->quantity(), std::string(metric::kBackwardMs));
  }

  void whatIsChosenWhileTheRunLacksItComesWithIt() {
    Shown shown;
    QVERIFY(shown.dashboard.showLayout(QStringLiteral("Hunt the straggler")));
    DashboardLayout layout = shown.layouts()->current();
    layout.cards[0].quantities = only("attention_entropy");
    shown.layouts()->change(QStringLiteral("own"), layout);
    shown.showSamples();
    MetricStore store;
    store.add({"attention_entropy", Rank(0), {{0, TimePoint(std::chrono::seconds(1)), 1.0}}});
    store.add({std::string(metric::kWaitMs), Rank(0), {{0, TimePoint(std::chrono::seconds(1)), 1.0}}});
    shown.dashboard.setSamples(store.snapshot());
    shown.dashboard.refreshNow();
    QCOMPARE(shown.mapAt(0)->quantity(), std::string("attention_entropy"));
    QVERIFY(shown.cardAt(0).quantities == only("attention_entropy"));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::HeatCardsTest)
#include "heat_cards_test.moc"
