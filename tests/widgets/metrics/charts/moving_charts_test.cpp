// SPDX-License-Identifier: GPL-3.0-or-later
// A chart that moves may be drawn coarsely; one that has come to rest is as if it had been drawn at once.
#include <QLabel>
#include <memory>
#include <set>

#include "chart_test_tools.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/frame_budget.h"

namespace lockstep {

class MovingChartsTest : public QObject {
  Q_OBJECT

  MetricStore store_;

  void addRanks(int ranks, Step steps) {
    for (int rank = 0; rank < ranks; ++rank) {
      MetricSeriesBatch batch{"loss", Rank(rank), {}};
      for (Step i = 0; i < steps; ++i)
        batch.points.push_back({i, TimePoint(std::chrono::milliseconds(100 * (i + 1))),
                                rank + static_cast<double>((i * 7919 + rank * 31) % 1000) / 1000});
      store_.add(batch);
    }
  }

  /// As fast as keys come.
  static void move(MetricPlot& plot) {
    for (int i = 0; i < 6; ++i) QTest::keyClick(&plot, Qt::Key_Plus);
    for (int i = 0; i < 8; ++i) QTest::keyClick(&plot, Qt::Key_Right);
    for (int i = 0; i < 2; ++i) QTest::keyClick(&plot, Qt::Key_Minus);
  }

  /// What is seen without anything that somebody did, once it is whole and no longer changes.
  static QImage atRest(MetricPlot& plot) {
    for (int i = 0; i < 200 && !plot.isWhole(); ++i) QTest::qWait(50);
    QImage image = plot.grab().toImage(), before;
    for (int i = 0; i < 100 && image != before; ++i) {
      before = image;
      QTest::qWait(150);
      image = plot.grab().toImage();
    }
    return image;
  }

  /// How many pixels of a hundred differ.
  static double difference(const QImage& one, const QImage& other) {
    int count = 0;
    for (int y = 0; y < one.height(); ++y)
      for (int x = 0; x < one.width(); ++x) count += one.pixelColor(x, y) != other.pixelColor(x, y);
    return 100.0 * count / (one.width() * one.height());
  }

  /// `most`: what may differ, in percent, since columns may begin elsewhere.
  void expectWholeAtRest(MetricPlot& plot, const std::set<Rank>& chosen, double most) {
    move(plot);
    const QImage rested = atRest(plot);
    MetricPlot anew(quantityOf("loss"));
    anew.setSamples(store_.snapshot());
    anew.setChosenRanks(chosen);
    anew.setView(plot.view());
    const double differs = difference(pictureOf(anew), rested);
    QVERIFY2(differs < most, qPrintable(QString::number(differs)));
    plot.refreshNow();  // computes all that is not there
    QCOMPARE(plot.grab().toImage(), rested);
  }

 private slots:
  void chartsOfAPageShareTheTimeOfATurnOfTheEventLoop() {
    FrameBudget budget;
    QVERIFY(!budget.isOver(std::chrono::hours(1)));
    QTest::qSleep(3);  // no events in between
    QVERIFY(budget.isOver(std::chrono::milliseconds(2)));
    QCoreApplication::processEvents();
    QVERIFY(!budget.isOver(std::chrono::hours(1)));
    QVERIFY(budget.isOver({}));
  }

  void init() {
    store_ = {};
    applyTheme(*qApp, ThemeMode::Light);
  }

  void aCurveOfEachRank() {
    addRanks(16, 60'000);
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    expectWholeAtRest(plot, {}, 8);
  }

  void curvesBesideABand() {
    addRanks(24, 30'000);
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    const std::set<Rank> chosen{Rank(3), Rank(11), Rank(20)};
    plot.setChosenRanks(chosen);
    pictureOf(plot);
    expectWholeAtRest(plot, chosen, 2);
  }

  void oneThatHadNoTimeAtFirstHasItsBandAndItsTitleSoon() {
    addRanks(24, 2'000);
    const auto budget = std::make_shared<FrameBudget>();
    MetricPlot plot(quantityOf("loss"));
    plot.setBudget(budget);
    plot.resize(600, 300);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    QVERIFY(!budget->isOver(std::chrono::hours(1)));
    QTest::qSleep(30);  // other charts of this turn had all of it
    plot.setSamples(store_.snapshot());
    plot.setView({false, false, 0, 1'000});
    QVERIFY(plot.hasData() && !plot.isWhole());
    QTRY_VERIFY(plot.isWhole());
    const QString title = plot.findChild<QLabel*>(QStringLiteral("plotTitle"))->text();
    QVERIFY2(title.contains(QStringLiteral("24")), qPrintable(title));
    const QImage rested = atRest(plot);
    plot.refreshNow();
    QCOMPARE(plot.grab().toImage(), rested);
  }

  void aSpikeIsSeenAllTheWhile() {
    constexpr Step kSpike = 40'000;
    MetricSeriesBatch batch{"loss", Rank(0), {}};
    for (Step i = 0; i < 60'000; ++i)
      batch.points.push_back(
          {i, TimePoint(std::chrono::seconds(i + 1)), i == kSpike ? 100.0 : static_cast<double>(i % 9)});
    store_.add(batch);
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    const QColor color = rankColor(Rank(0), plot.palette());
    for (double width = 60'000; width > 100; width *= 0.8) {
      plot.setView({false, false, kSpike - width * 0.6, kSpike + width * 0.4});
      const QImage image = plot.grab().toImage();
      const QImage upper = image.copy(0, image.height() / 5, image.width(), image.height() / 3);
      QVERIFY2(pixelsNear(upper, color) > 10, qPrintable(QString::number(width)));
    }
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::MovingChartsTest)
#include "moving_charts_test.moc"
