// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/card_bodies.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

#include "made_up_run.h"
#include "many_ranks.h"
#include "widgets/metrics/charts/metric_plot.h"
#include "widgets/metrics/rank_heat_map.h"
#include "widgets/metrics/step_time_stack.h"
#include "widgets/metrics/tiles/node_tiles.h"

namespace lockstep {

class CardBodiesTest : public QObject {
  Q_OBJECT

  static DashboardCard cardOf(CardKind kind, std::string_view name = {}) {
    DashboardCard card;
    card.kind = kind;
    if (!name.empty()) card.quantities.push_back({std::string(name), CardAxis::Left});
    return card;
  }

 private slots:
  void aBodyOutOfSightIsNotDrawn() {
    QWidget parent;
    CardBodies bodies(&parent);
    auto* const seen = qobject_cast<MetricPlot*>(bodies.make(cardOf(CardKind::Chart, metric::kLoss)).widget);
    auto* const unseen =
        qobject_cast<MetricPlot*>(bodies.make(cardOf(CardKind::Chart, metric::kCpuPercent)).widget);
    QVERIFY(seen != nullptr && unseen != nullptr);
    bodies.setInSight(seen, true);
    const auto samples = samplesOf(madeUpMetrics(2, 50));
    bodies.setSamples(samples);
    bodies.setView({false, false, 10, 20});
    QCOMPARE(seen->samples(), samples);
    QCOMPARE(seen->view().from, 10.0);
    QVERIFY(unseen->samples() != samples);
    QVERIFY(unseen->view().showsAll);
    bodies.setInSight(unseen, true);
    QCOMPARE(unseen->samples(), samples);
    QCOMPARE(unseen->view().from, 10.0);
  }

  void theMenuAndTheTitleOfAChartAreThoseOfItsCard() {
    QWidget parent;
    CardBodies bodies(&parent);
    const CardBody body = bodies.make(cardOf(CardKind::Chart, metric::kLoss));
    QVERIFY(body.title != nullptr && body.widget->isAncestorOf(body.title));
    QVERIFY(body.menu != nullptr && !body.menu->actions().isEmpty());
    QVERIFY(bodies.make(cardOf(CardKind::StepTime)).menu == nullptr);
  }

  void chosenRanksAreMarkedInWhatIsNoChart() {
    QWidget parent;
    parent.resize(500, 400);
    parent.show();
    CardBodies bodies(&parent);
    bodies.setSamples(manyRanks(64, 100));
    for (const CardKind kind : {CardKind::HeatMap, CardKind::StepTime, CardKind::Tiles}) {
      QWidget* const body = bodies.make(cardOf(kind, metric::kWaitMs)).widget;
      body->resize(500, 400);
      body->show();
      bodies.setInSight(body, true);
      bodies.refreshNow();
      const QImage before = body->grab().toImage();
      bodies.setRanks({}, {Rank(1), Rank(17)});
      bodies.refreshNow();
      QVERIFY2(body->grab().toImage() != before, body->metaObject()->className());
      bodies.setRanks({}, {});
      bodies.refreshNow();
      QCOMPARE(body->grab().toImage(), before);
    }
  }

  void whatIsNoChartIsSavedByItsSamplesAndItsPicture() {
    QWidget parent;
    CardBodies bodies(&parent);
    bodies.setSamples(manyRanks(4, 100));
    bodies.setView({false, false, 10.5, 20});
    QSignalSpy values(&bodies, &CardBodies::saveCardValuesRequested);
    for (const CardKind kind : {CardKind::HeatMap, CardKind::StepTime, CardKind::Tiles}) {
      QWidget* const body = bodies.make(cardOf(kind, metric::kWaitMs)).widget;
      bodies.setInSight(body, true);
      body->resize(300, 200);
      const CardExport card = bodies.exportOf(body);
      QVERIFY(!card.name.isEmpty() && card.body == body);
      QCOMPARE(card.selections.empty(), kind == CardKind::Tiles);  // of which this run measured nothing
      for (const SampleSelection& one : card.selections) {
        QCOMPARE(one.from, Step(11));
        QCOMPARE(one.to, Step(20));
        QCOMPARE(one.ranks.size(), std::size_t{4});
      }
      QCOMPARE(imageOf(*body).size(), QSize(600, 400));
      QVERIFY(svgOf(*body).contains("<svg"));
      bodies.exportBody(body, CardAction::CopyPicture);
      QCOMPARE(QGuiApplication::clipboard()->image().size(), QSize(600, 400));
      bodies.exportBody(body, CardAction::SaveValues);
    }
    QCOMPARE(values.size(), 3);
    QCOMPARE(values.first().first().value<CardExport>().selections.front().name,
             std::string(metric::kWaitMs));
  }

  void aChartHasAllQuantitiesOfItsCard() {
    QWidget parent;
    CardBodies bodies(&parent);
    DashboardCard card = cardOf(CardKind::Chart, metric::kLoss);
    card.quantities.push_back({std::string(metric::kLearningRate), CardAxis::Right});
    auto* const plot = qobject_cast<MetricPlot*>(bodies.make(card).widget);
    QCOMPARE(plot->spec().lines.size(), std::size_t{2});
    QCOMPARE(plot->spec().lines[0].axis, ValueAxis::Left);
    QCOMPARE(plot->spec().lines[1].quantity.metric, std::string(metric::kLearningRate));
    QCOMPARE(plot->spec().lines[1].axis, ValueAxis::Right);
  }

  void chartsKnowOfWhichRanksNothingComesAlsoWhenTheyComeIntoSight() {
    QWidget parent;
    CardBodies bodies(&parent);
    const auto make = [&](std::string_view name) {
      return qobject_cast<MetricPlot*>(bodies.make(cardOf(CardKind::Chart, name)).widget);
    };
    MetricPlot* const seen = make(metric::kLoss);
    MetricPlot* const later = make(metric::kCpuPercent);
    bodies.setInSight(seen, true);
    bodies.setSamples(samplesOf(madeUpMetrics(2, 50)));
    const auto isSilent = [](MetricPlot* plot) {
      plot->refreshNow();
      return plot->textAlternative().contains(QStringLiteral("silent since"));
    };
    QVERIFY(!isSilent(seen));
    bodies.setStale({{Rank(1), TimePoint(std::chrono::seconds(7)), std::chrono::seconds(40), 20}});
    QVERIFY(isSilent(seen));
    bodies.setInSight(later, true);
    QVERIFY(isSilent(later));
    bodies.setStale({});
    QVERIFY(!isSilent(seen) && !isSilent(later));
  }

  void oneCursorStandsOnAllCharts() {
    QWidget parent;
    CardBodies bodies(&parent);
    std::vector<MetricPlot*> plots;
    for (const std::string_view name : {metric::kLoss, metric::kCpuPercent, metric::kMemoryBytes})
      plots.push_back(qobject_cast<MetricPlot*>(bodies.make(cardOf(CardKind::Chart, name)).widget));
    bodies.setInSight(plots[0], true);
    bodies.setInSight(plots[1], true);
    bodies.setSamples(samplesOf(madeUpMetrics(2, 50)));
    const ChartCursor cursor{20, TimePoint(std::chrono::seconds(7))};
    bodies.setCursor(cursor);
    QVERIFY(plots[0]->cursor() == cursor && plots[1]->cursor() == cursor);
    QVERIFY(!plots[2]->cursor());
    bodies.setInSight(plots[2], true);
    QVERIFY(plots[2]->cursor() == cursor);
    bodies.setCursor(std::nullopt);
    for (const MetricPlot* const plot : plots) QVERIFY(!plot->cursor());
  }

  void aHeatMapShowsTheQuantityOfItsCard() {
    QWidget parent;
    CardBodies bodies(&parent);
    auto* const map =
        qobject_cast<RankHeatMap*>(bodies.make(cardOf(CardKind::HeatMap, metric::kWaitMs)).widget);
    QVERIFY(map != nullptr);
    bodies.setInSight(map, true);
    QSignalSpy moved(&bodies, &CardBodies::viewChanged);
    bodies.setSamples(manyRanks(8, 100));
    bodies.setView({false, false, 10, 60});
    QCOMPARE(map->quantity(), std::string(metric::kWaitMs));
    QCOMPARE(moved.size(), 0);  // who says it knows it
    map->setQuantity(metric::kForwardMs);
    bodies.setSamples(manyRanks(8, 120));
    QCOMPARE(map->quantity(), std::string(metric::kForwardMs));  // what the user chose stays
  }

  void everyKindIsFedAndDrawn() {
    QWidget parent;
    parent.resize(800, 600);
    CardBodies bodies(&parent);
    std::vector<QWidget*> made;
    for (const DashboardCard& card : {cardOf(CardKind::Chart, metric::kStepMs), cardOf(CardKind::HeatMap),
                                      cardOf(CardKind::StepTime), cardOf(CardKind::Tiles)}) {
      made.push_back(bodies.make(card).widget);
      made.back()->resize(500, 300);
      bodies.setInSight(made.back(), true);
    }
    parent.show();
    bodies.setNodes(nodesOfEight(16));
    bodies.setSamples(manyRanks(16, 200));
    bodies.refreshNow();
    QVERIFY(qobject_cast<MetricPlot*>(made[0])->hasData());
    QVERIFY(qobject_cast<RankHeatMap*>(made[1])->summary().contains(QStringLiteral("16 ranks")));
    QVERIFY(!qobject_cast<StepTimeStack*>(made[2])->summary().isEmpty());
    QCOMPARE(qobject_cast<NodeTiles*>(made[3])->tileCount(), 2);
    for (QWidget* const one : made) delete one;
    bodies.setSamples(manyRanks(2, 10));  // nobody is left
    bodies.refreshNow();
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::CardBodiesTest)
#include "card_bodies_test.moc"
