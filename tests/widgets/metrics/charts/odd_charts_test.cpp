// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are not as one would like them to be.
#include <qcustomplot.h>

#include <QElapsedTimer>
#include <limits>

#include "chart_test_tools.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

class OddChartsTest : public QObject {
  Q_OBJECT

  MetricStore store_;

 private slots:
  void init() {
    store_ = {};
    applyTheme(*qApp, ThemeMode::Light);
  }

  void aQuantityWithOneValueIsADot() {
    store_.add({"accuracy", Rank(0), {{500, TimePoint(std::chrono::seconds(1)), 61.5}}});
    MetricPlot plot(quantityOf("accuracy"));
    plot.setSamples(store_.snapshot());
    QVERIFY(pixelsNear(pictureOf(plot), rankColor(Rank(0), plot.palette())) > 5);
    for (const auto axis : {ChartXAxis::RelativeTime, ChartXAxis::WallTime, ChartXAxis::Samples}) {
      plot.setXAxis(axis);
      pictureOf(plot);
    }
    QVERIFY(plot.textAlternative().contains(QStringLiteral("61.5")));
  }

  void oneValueOfEachOfManyRanks() {
    for (int rank = 0; rank < 40; ++rank)
      store_.add({"accuracy", Rank(rank), {{500, TimePoint(std::chrono::seconds(1)), 60.0 + rank}}});
    MetricPlot plot(quantityOf("accuracy"));
    plot.setSamples(store_.snapshot());
    const QImage image = pictureOf(plot);
    QVERIFY2(pixelsNear(image, accentColor(plot.palette())) > 3, "the median is seen");
    QVERIFY(plot.readoutAt(10).join(QString()).contains(QStringLiteral("Median")));
  }

  void valuesThatAreNoNumbersInABand() {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    for (int rank = 0; rank < 40; ++rank) {
      auto batch = waveOf("loss", rank, rank);
      for (std::size_t i = 50; i < 70; ++i) batch.points[i].value = rank % 2 == 0 ? nan : inf;
      if (rank == 3) batch.points[100].value = 1e308;
      if (rank == 4) batch.points[101].value = -1e308;
      store_.add(batch);
    }
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    for (const bool isLog : {false, true}) {
      plot.setLogScale(isLog);
      pictureOf(plot);
    }
    plot.setLogScale(false);
    plot.setView({false, false, 0, 90});
    const QImage image = pictureOf(plot);
    auto* const inner = plot.findChild<QCustomPlot*>();
    const int x = static_cast<int>(inner->xAxis->coordToPixel(60)) + inner->mapTo(&plot, QPoint()).x();
    QCOMPARE(pixelsNear(image.copy(x - 5, 60, 10, 180), accentColor(plot.palette())), 0);
  }

  void infinityAloneHasNoPlaceButIsMarked() {
    const double inf = std::numeric_limits<double>::infinity();
    MetricSeriesBatch batch{"loss", Rank(0), {}};
    for (Step i = 0; i < 20; ++i) batch.points.push_back({i, {}, i % 2 == 0 ? inf : -inf});
    store_.add(batch);
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    QVERIFY(pixelsNear(pictureOf(plot), errorColor(plot.palette())) > 5);
    QVERIFY(plot.hasData());
  }

  void aRankThatComesLateIsDrawn() {
    for (int rank = 0; rank < 16; ++rank) store_.add(waveOf("loss", rank, rank));
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    QCOMPARE(plot.drawnRanks().size(), std::size_t{16});
    MetricSeriesBatch late{"loss", Rank(16), {}};
    for (Step i = 150; i < 200; ++i) late.points.push_back({i, TimePoint(std::chrono::seconds(i)), 99.0});
    store_.add(late);
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    QCOMPARE(plot.drawnRanks(), std::vector{Rank(16)});  // it lies apart; the others are a band now
    QVERIFY(plot.readoutAt(190).join(QString()).contains(QStringLiteral("99")));
  }

  void whatIsAddedToABandIsSeen() {
    for (int rank = 0; rank < 40; ++rank) store_.add(waveOf("loss", rank, 1));
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    MetricSeriesBatch more{"loss", Rank(7), {}};
    for (Step i = 200; i < 400; ++i) more.points.push_back({i, TimePoint(std::chrono::seconds(i + 1)), 30.0});
    store_.add(more);
    plot.setSamples(store_.snapshot());
    auto* const inner = plot.findChild<QCustomPlot*>();
    QTRY_VERIFY(inner->yAxis->range().upper > 25);
    QTRY_VERIFY(inner->xAxis->range().upper > 390);
  }

  void tenThousandNamesInTheStore() {
    std::vector<MetricSeriesBatch> batches;
    for (int i = 0; i < 10'000; ++i)
      batches.push_back(
          {"quantity_" + std::to_string(i), Rank(0), {{1, TimePoint(std::chrono::seconds(1)), 1.0 * i}}});
    store_.add(batches);
    for (int rank = 0; rank < 3; ++rank) store_.add(waveOf("loss", rank, rank));
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    QElapsedTimer spent;
    spent.start();
    for (int i = 0; i < 20; ++i) plot.refreshNow();
    QVERIFY2(spent.elapsed() < 4000, qPrintable(QString::number(spent.elapsed())));
  }

  void stepsBeyondAllBounds() {
    store_.add({"loss",
                Rank(0),
                {{0, {}, 1.0}, {Step{1} << 40, {}, 2.0}, {std::numeric_limits<Step>::max(), {}, 3.0}}});
    for (int rank = 1; rank < 40; ++rank)
      store_.add({"many", Rank(rank), {{std::numeric_limits<Step>::min(), {}, 1.0}, {5, {}, 2.0}}});
    for (const char* name : {"loss", "many"}) {
      MetricPlot plot(quantityOf(name));
      plot.setSamples(store_.snapshot());
      pictureOf(plot);
      plot.setXAxis(ChartXAxis::RelativeTime);
      plot.setView({false, false, -1e300, 1e300});
      pictureOf(plot);
      QTest::keyClick(&plot, Qt::Key_Left, Qt::ControlModifier);
    }
  }

  // Many ranks are drawn coarsely while they move, and finely by themselves when they have come to rest.
  void aPictureThatHasComeToRestIsTheWholeOne() {
    for (int rank = 0; rank < 200; ++rank) {
      MetricSeriesBatch batch{"loss", Rank(rank), {}};
      for (Step i = 0; i < 4000; ++i)
        batch.points.push_back(
            {i, TimePoint(std::chrono::seconds(i)), static_cast<double>((i * 7919 + rank * 31) % 101)});
      store_.add(batch);
    }
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    for (int i = 0; i < 3; ++i) QTest::keyClick(&plot, Qt::Key_Plus);
    QTest::keyClick(&plot, Qt::Key_Right);
    MetricPlot other(quantityOf("loss"));
    other.setSamples(store_.snapshot());
    other.setView(plot.view());
    const QImage whole = pictureOf(other);
    QTRY_COMPARE(plot.grab().toImage(), whole);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::OddChartsTest)
#include "odd_charts_test.moc"
