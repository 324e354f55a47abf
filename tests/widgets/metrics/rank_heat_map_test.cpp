// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_heat_map.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "many_ranks.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/rank_views/heat_canvas.h"
#include "widgets/metrics/rank_views/heat_legend.h"
#include "widgets/metrics/rank_views/view_colors.h"

namespace lockstep {
namespace {

int distance(QRgb a, QRgb b) {
  return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
}

int countOf(const QImage& image, QRgb color) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += distance(image.pixel(x, y), color) < 12;
  return count;
}

/// One sample of a rank at each step, all 10, one of them 90.
std::shared_ptr<const MetricStore> oneSpike(int ranks, Step steps, int rank, Step step) {
  MetricStore store;
  for (int i = 0; i < ranks; ++i) {
    MetricSeriesBatch batch{std::string(metric::kStepMs), Rank(i), {}};
    for (Step s = 0; s < steps; ++s)
      batch.points.push_back({s, TimePoint(std::chrono::milliseconds(s)),
                              i == rank && s == step ? 90.0 : 10.0 + 0.1 * static_cast<double>(s % 7)});
    store.add(batch);
  }
  return store.snapshot();
}

}  // namespace

class RankHeatMapTest : public QObject {
  Q_OBJECT

  static QImage cells(RankHeatMap& map) {
    map.refreshNow();
    return map.canvas()->grab(map.canvas()->cellArea().toRect()).toImage();
  }
  static void open(RankHeatMap& map, QSize size = {900, 420}) {
    map.resize(size);
    map.show();
    QVERIFY(QTest::qWaitForWindowExposed(&map));
    map.refreshNow();
  }
  static QPoint placeOf(const RankHeatMap& map, double step, double row) {
    const QRectF area = map.canvas()->cellArea();
    return QPointF(map.canvas()->view().xOf(step, area), map.canvas()->view().yOf(row, area)).toPoint();
  }

 private slots:
  void whileItIsHiddenNothingIsComputedAndThenItShowsWhatWasAskedFor() {
    RankHeatMap map;
    map.resize(500, 300);
    map.setMetrics(manyRanks(4, 100));
    map.setView(20, 40);
    QVERIFY(map.summary().startsWith(QStringLiteral("4 ranks")));  // it knows them
    QVERIFY(map.canvas()->accessibleDescription().isEmpty());      // and has drawn none
    map.show();
    QCOMPARE(map.canvas()->view().from, 20.0);
    QCOMPARE(map.canvas()->view().to, 40.0);
    QVERIFY(map.canvas()->accessibleDescription().startsWith(QStringLiteral("4 ranks")));
    map.hide();
    map.setMetrics(manyRanks(4, 200));
    map.setView(50, 60);
    map.showAll();  // what was asked for last
    map.show();
    QCOMPARE(map.canvas()->view().from, 0.0);
    QCOMPARE(map.canvas()->view().to, 200.0);
  }

  void whatElsePointsAtAStepIsALineHereAndTheMousePointsThere() {
    RankHeatMap map;
    map.resize(500, 300);
    map.setMetrics(manyRanks(4, 100));
    map.show();
    map.refreshNow();
    const QImage before = map.canvas()->grab().toImage();
    map.setPointed(Step(50));
    const QImage pointed = map.canvas()->grab().toImage();
    QVERIFY(pointed != before);
    const int x = placeOf(map, 50.5, 2).x();
    QCOMPARE(pointed.pixelColor(x, placeOf(map, 50.5, 2).y()), QColor(Qt::white));
    map.setPointed(std::nullopt);
    QCOMPARE(map.canvas()->grab().toImage(), before);
    QSignalSpy moved(&map, &RankHeatMap::cursorMoved);
    const QPoint place = placeOf(map, 20.5, 2.5);
    QMouseEvent move(QEvent::MouseMove, place, map.canvas()->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                     {});
    QApplication::sendEvent(map.canvas(), &move);
    QVERIFY(!moved.isEmpty());
    const auto cursor = moved.last().first().value<std::optional<ChartCursor>>();
    QVERIFY(cursor && cursor->step >= 19 && cursor->step <= 21 && cursor->time != TimePoint{});
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(map.canvas(), &leave);
    QVERIFY(!moved.last().first().value<std::optional<ChartCursor>>());
  }

  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
  void cleanup() { applyTheme(*qApp, ThemeMode::Light); }

  void theScaleIsOneForEveryEye() {
    const auto lightness = [](QRgb c) {
      const auto linear = [](int v) { return std::pow(v / 255.0, 2.2); };
      return 0.2126 * linear(qRed(c)) + 0.7152 * linear(qGreen(c)) + 0.0722 * linear(qBlue(c));
    };
    QCOMPARE(scaleColor(0), qRgb(0x44, 0x01, 0x54));
    QCOMPARE(scaleColor(1), qRgb(0xfd, 0xe7, 0x25));
    QCOMPARE(scaleColor(-5), scaleColor(0));
    QCOMPARE(scaleColor(7), scaleColor(1));
    for (int i = 1; i <= 100; ++i)
      QVERIFY2(lightness(scaleColor(i / 100.0)) > lightness(scaleColor((i - 1) / 100.0)),
               qPrintable(QString::number(i)));
    // As people without red, green or blue receptors see it (Machado, Oliveira and Fernandes, 2009).
    const double kinds[][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    for (const auto& kind : kinds) {
      const auto seen = [&kind](QRgb c) {
        const double in[] = {std::pow(qRed(c) / 255.0, 2.2), std::pow(qGreen(c) / 255.0, 2.2),
                             std::pow(qBlue(c) / 255.0, 2.2)};
        int out[3];
        for (int i = 0; i < 3; ++i)
          out[i] = static_cast<int>(
              255 *
              std::pow(std::clamp(kind[i][0] * in[0] + kind[i][1] * in[1] + kind[i][2] * in[2], 0.0, 1.0),
                       1 / 2.2));
        return qRgb(out[0], out[1], out[2]);
      };
      for (int i = 0; i <= 100; ++i) QVERIFY(distance(seen(scaleColor(i / 100.0)), seen(gapColor())) > 90);
      for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
        applyTheme(*qApp, mode);
        QVERIFY(distance(seen(unmeasuredColor(qApp->palette()).rgb()), seen(gapColor())) > 60);
      }
    }
  }

  void oneSpikeIsSeenAtEveryZoom() {
    RankHeatMap map;
    map.setMetrics(oneSpike(40, 60'000, 17, 23'456));
    open(map, {500, 260});
    const QRgb brightest = scaleColor(1);
    for (double width = 60'000; width > 30; width /= 3) {
      map.setView(23'456 - width * 0.4, 23'456 + width * 0.6);
      QVERIFY2(countOf(cells(map), brightest) > 0, qPrintable(QString::number(width)));
    }
    map.setView(24'000, 60'000);
    QCOMPARE(countOf(cells(map), brightest), 0);
  }

  void moreRanksThanPixelsHideNoSpike() {
    RankHeatMap map;
    map.setMetrics(oneSpike(1024, 600, 1001, 300));
    open(map, {500, 260});
    QVERIFY(countOf(cells(map), scaleColor(1)) > 0);
    const QString text = map.canvas()->readoutAt(300, 1001);
    QVERIFY2(text.startsWith(QStringLiteral("rank 1001")) && text.contains(QStringLiteral("90 ms")),
             qPrintable(text));
  }

  void theSlowRankIsSeenBesideTheOthersAtItsSteps() {
    RankHeatMap map;
    map.setMetrics(manyRanks(1024, 100));  // all others wait long from the middle on, rank 272 never
    open(map, {500, 260});
    const QImage image = cells(map);
    int dark = 0;
    for (int y = 0; y < image.height(); ++y)
      dark += distance(image.pixel(image.width() * 7 / 8, y), scaleColor(0)) < 30;
    QVERIFY2(dark > 0, "its line is dark where those of the others are bright");
    const QString text = map.canvas()->readoutAt(90, 272);
    QVERIFY2(text.startsWith(QStringLiteral("rank 272, ")), qPrintable(text));
  }

  void whatIsNotMeasuredOrNoNumberIsDrawnSo_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void whatIsNotMeasuredOrNoNumberIsDrawnSo() {
    QFETCH(bool, dark);
    applyTheme(*qApp, dark ? ThemeMode::Dark : ThemeMode::Light);
    MetricStore store;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (Step s = 0; s < 100; ++s) {
      store.add({std::string(metric::kLoss), Rank(0), {{s, {}, static_cast<double>(s)}}});
      if (s < 50) store.add({std::string(metric::kLoss), Rank(1), {{s, {}, s < 25 ? nan : 1}}});
    }
    RankHeatMap map;
    map.setMetrics(store.snapshot());
    open(map);
    const QImage image = cells(map);
    const int quarter = image.width() * image.height() / 8;
    QVERIFY(countOf(image, gapColor()) > quarter * 3 / 4);
    QVERIFY(countOf(image, unmeasuredColor(map.palette()).rgb()) > quarter);
    const HeatCanvas& canvas = *map.canvas();
    QCOMPARE(canvas.readoutAt(3, 1), QStringLiteral("rank 1, step 3: not a number"));
    QCOMPARE(canvas.readoutAt(70, 1), QStringLiteral("rank 1, step 70: not measured"));
    QCOMPARE(canvas.readoutAt(70, 0), QStringLiteral("rank 0, step 70: 70"));
  }

  void followsTheThemeWhileItRuns() {
    RankHeatMap map;
    map.setMetrics(manyRanks(16, 200));
    open(map);
    applyTheme(*qApp, ThemeMode::Dark);
    QTest::qWait(20);
    map.refreshNow();
    const QImage image = map.canvas()->grab().toImage();
    QVERIFY(distance(image.pixel(1, image.height() - 2), cardColor(map.palette()).rgb()) < 12);
  }

  void saysWhatStandsOut() {
    RankHeatMap map;
    map.setEmptyText(QStringLiteral("nothing yet"));
    open(map);
    QCOMPARE(map.summary(), QString());
    QVERIFY(!map.canvas()->isVisible());
    map.setMetrics(oneSpike(64, 2000, 17, 812));
    QCOMPARE(map.summary(), QStringLiteral("64 ranks, 2,000 steps; largest: rank 17 at step 812, 90 ms"));
    QVERIFY(map.canvas()->isVisible());
    QCOMPARE(map.canvas()->accessibleDescription(), map.summary());
    QVERIFY(!map.canvas()->accessibleName().isEmpty());
    map.setMetrics(nullptr);
    QVERIFY(!map.canvas()->isVisible());
  }

  void offersWhatTheRunHasInTheOrderOfTheCatalogue() {
    MetricStore store;
    for (const char* name : {"zeta", "wait_ms", "loss", "alpha"}) store.add({name, Rank(0), {{0, {}, 1}}});
    RankHeatMap map;
    map.setMetrics(store.snapshot());
    auto* box = map.findChild<QComboBox*>(QStringLiteral("heatQuantity"));
    QStringList names;
    for (int i = 0; i < box->count(); ++i) names << box->itemData(i).toString();
    QCOMPARE(names, (QStringList{QStringLiteral("loss"), QStringLiteral("wait_ms"), QStringLiteral("alpha"),
                                 QStringLiteral("zeta")}));
    QCOMPARE(map.quantity(), std::string("wait_ms"));
    map.setQuantity("zeta");
    store.add({"beta", Rank(0), {{0, {}, 1}}});
    map.setMetrics(store.snapshot());
    QCOMPARE(map.quantity(), std::string("zeta"));
  }

  void theSlowestComesFirstWithItsNode() {
    RankHeatMap map;
    map.setNodes(nodesOfEight(64));
    map.setMetrics(manyRanks(64, 300));
    open(map);
    QVERIFY(map.canvas()->readoutAt(10, 0).startsWith(QStringLiteral("rank 0 on main")));
    map.setOrder(RankOrder::SlowestFirst);
    QVERIFY2(map.canvas()->readoutAt(10, 0).startsWith(QStringLiteral("rank 17 on worker_1")),
             qPrintable(map.canvas()->readoutAt(10, 0)));
    QVERIFY(map.canvas()->readoutAt(10, 7).contains(QStringLiteral("on worker_1")));
    QVERIFY(!map.canvas()->readoutAt(10, 8).contains(QStringLiteral("on worker_1")));
  }

  void movesAndZoomsByMouseAndShowsAllAgain() {
    RankHeatMap map;
    map.setMetrics(manyRanks(8, 2000));
    open(map);
    HeatCanvas* canvas = map.canvas();
    QSignalSpy changed(&map, &RankHeatMap::viewChanged);
    const QPointF middle = canvas->cellArea().center();
    QWheelEvent wheel(middle, canvas->mapToGlobal(middle), {}, {0, 480}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(canvas, &wheel);
    QCOMPARE(changed.count(), 1);
    const HeatView before = canvas->view();
    QVERIFY(before.to - before.from < 1000);
    QVERIFY(std::fabs((before.to + before.from) / 2 - 1000) < 20);
    QTest::mousePress(canvas, Qt::LeftButton, {}, middle.toPoint());
    QTest::mouseMove(canvas, middle.toPoint() + QPoint(60, 0));
    QTest::mouseRelease(canvas, Qt::LeftButton, {}, middle.toPoint() + QPoint(60, 0));
    const double moved = 60 / canvas->cellArea().width() * (before.to - before.from);
    QVERIFY(std::fabs(before.from - canvas->view().from - moved) < moved * 0.2);
    QTest::mouseDClick(canvas, Qt::LeftButton, {}, middle.toPoint());
    QVERIFY(canvas->view().showsAll());
    QWheelEvent rows(middle, canvas->mapToGlobal(middle), {}, {0, 480}, Qt::NoButton, Qt::ControlModifier,
                     Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(canvas, &rows);
    QVERIFY(canvas->view().bottom - canvas->view().top < 5);
    QVERIFY(canvas->view().showsAllSteps());
    QTest::keyClick(canvas, Qt::Key_Home);
    QVERIFY(canvas->view().showsAll());
  }

  void shiftAndDragChoosesStepsAndRanks() {
    RankHeatMap map;
    map.setMetrics(manyRanks(10, 100));
    open(map);
    QSignalSpy chosen(&map, &RankHeatMap::brushed);
    QTest::mousePress(map.canvas(), Qt::LeftButton, Qt::ShiftModifier, placeOf(map, 60.5, 7.5));
    QTest::mouseMove(map.canvas(), placeOf(map, 20.5, 2.5));
    QTest::mouseRelease(map.canvas(), Qt::LeftButton, Qt::ShiftModifier, placeOf(map, 20.5, 2.5));
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].value<Step>(), Step{20});
    QCOMPARE(chosen[0][1].value<Step>(), Step{60});
    std::vector<Rank> wanted;
    for (int rank = 2; rank <= 7; ++rank) wanted.emplace_back(rank);
    QCOMPARE(chosen[0][2].value<std::vector<Rank>>(), wanted);
    QVERIFY(map.canvas()->view().showsAll());
  }

  void theKeyboardReadsZoomsAndChooses() {
    RankHeatMap map;
    map.setMetrics(manyRanks(10, 100));
    open(map);
    HeatCanvas* canvas = map.canvas();
    canvas->setFocus();
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(canvas->accessibleDescription(), canvas->readoutAt(50, 5));
    QTest::keyClick(canvas, Qt::Key_Right);
    QTest::keyClick(canvas, Qt::Key_Up);
    QCOMPARE(canvas->accessibleDescription(), canvas->readoutAt(51, 4));
    for (int i = 0; i < 200; ++i) QTest::keyClick(canvas, Qt::Key_Left);
    QCOMPARE(canvas->accessibleDescription(), canvas->readoutAt(0, 4));
    QSignalSpy chosen(&map, &RankHeatMap::brushed);
    QTest::keyClick(canvas, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(canvas, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(canvas, Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][1].value<Step>(), Step{1});
    QCOMPARE(chosen[0][2].value<std::vector<Rank>>(), (std::vector{Rank(4), Rank(5)}));
    QTest::keyClick(canvas, Qt::Key_Plus);
    QVERIFY(!canvas->view().showsAll());
    for (int i = 0; i < 5; ++i) QTest::keyClick(canvas, Qt::Key_Minus);
    QVERIFY(canvas->view().showsAll());
  }

  void newSamplesAreFollowedWhereTheNewestWereInView() {
    MetricStore store;
    const auto add = [&store](Step from, Step to) {
      MetricSeriesBatch batch{std::string(metric::kStepMs), Rank(0), {}};
      for (Step s = from; s < to; ++s) batch.points.push_back({s, TimePoint(std::chrono::seconds(s)), 1.0});
      store.add(batch);
    };
    add(0, 1000);
    RankHeatMap map;
    map.setMetrics(store.snapshot());
    open(map);
    add(1000, 1100);
    map.setMetrics(store.snapshot());
    QCOMPARE(map.canvas()->view().to, 1100);
    map.setView(1000, 1100);
    add(1100, 1200);
    map.setMetrics(store.snapshot());
    QCOMPARE(map.canvas()->view().from, 1100);
    map.setView(0, 50);
    add(1200, 1300);
    map.setMetrics(store.snapshot());
    QCOMPARE(map.canvas()->view().to, 50);
    map.showAll();
    map.refreshNow();
    QCOMPARE(map.canvas()->readoutAt(1299, 0), QStringLiteral("rank 0, steps 1,298 to 1,299: 1 ms"));
  }

  void whatIsComputedInSlicesIsWholeInTheEnd() {
    RankHeatMap map;
    map.resize(900, 420);
    map.setMetrics(manyRanks(200, 3000));
    map.show();
    QVERIFY(QTest::qWaitForWindowExposed(&map));
    QTRY_VERIFY(map.canvas()->isFinished());
    const QImage slices = map.canvas()->grab(map.canvas()->cellArea().toRect()).toImage();
    RankHeatMap atOnce;
    atOnce.setMetrics(manyRanks(200, 3000));
    open(atOnce);
    QCOMPARE(slices, cells(atOnce));
  }

  void cellsAreForgottenBeyondTheirBound() {
    HeatTiles tiles;
    const auto store = oneSpike(1024, 4000, 1, 1);
    tiles.setSource(store, std::string(metric::kStepMs), store->ranks());
    tiles.setScale(valueScale(*store, metric::kStepMs, store->ranks()));
    QImage image(200, 100, QImage::Format_RGB32);
    HeatView view;
    view.setBounds(0, 4000, 1024);
    for (int i = 0; i < 19; ++i) {
      view.setSteps(200 * i, 200 * i + 400);
      QVERIFY(tiles.fill(view, 0, std::chrono::seconds(60)));
      QVERIFY(tiles.draw(image, image.copy(), view, 0, 11, qRgb(255, 255, 255)));
    }
    QVERIFY2(tiles.cellCount() <= HeatTiles::kMaxCells, qPrintable(QString::number(tiles.cellCount())));
  }

  void stepsThatAreFarOutDoNoHarm() {
    MetricStore store;
    constexpr Step kFar = std::numeric_limits<Step>::max();
    store.add({std::string(metric::kStepMs), Rank(0), {{-kFar, {}, 1}, {0, {}, 3}, {kFar, {}, 2}}});
    RankHeatMap map;
    map.setMetrics(store.snapshot());
    open(map);
    QTest::keyClick(map.canvas(), Qt::Key_Right);
    for (int i = 0; i < 60; ++i) QTest::keyClick(map.canvas(), Qt::Key_Plus);
    map.refreshNow();
    QVERIFY(!map.canvas()->readoutAt(0, 0).isEmpty());
  }

  // With LOCKSTEP_PICTURES set to a folder, what was drawn is left there for people who look.
  void drawsFewAndManyRanksInBothThemes() {
    const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
    for (const int ranks : {3, 64, 1024}) {
      const auto metrics = manyRanks(ranks, ranks > 64 ? 500 : 2000);
      for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
        applyTheme(*qApp, mode);
        RankHeatMap map;
        map.setNodes(nodesOfEight(ranks));
        map.setMetrics(metrics);
        map.setQuantity(mode == ThemeMode::Dark ? metric::kStepMs : metric::kWaitMs);
        if (mode == ThemeMode::Dark) map.setOrder(RankOrder::SlowestFirst);
        open(map, {900, 460});
        QVERIFY(countOf(cells(map), gapColor()) > 20);
        const char* name = mode == ThemeMode::Dark ? "dark" : "light";
        if (!folder.isEmpty())
          map.grab().save(
              QStringLiteral("%1/heat_%2_%3.png").arg(folder).arg(ranks).arg(QLatin1String(name)));
      }
    }
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RankHeatMapTest)
#include "rank_heat_map_test.moc"
