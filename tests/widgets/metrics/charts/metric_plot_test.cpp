// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/metric_plot.h"

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <limits>

#include "../made_up_metrics.h"
#include "chart_test_tools.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

PlotQuantity loss() {
  return {"loss", QStringLiteral("Loss"), valueText, false, 0};
}

}  // namespace

class MetricPlotTest : public QObject {
  Q_OBJECT

  MetricStore store_;

 private slots:
  void whatComesFirstIsDrawnAtOnce() {
    MetricPlot plot(quantityOf("loss"));
    plot.resize(400, 300);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.refreshNow();  // nothing, before anything comes
    QVERIFY(!plot.isWhole());
    store_.add(waveOf("loss", 0, 1.0));
    plot.setSamples(store_.snapshot());
    QCoreApplication::processEvents();
    QVERIFY(plot.isWhole() && plot.hasData());
  }

  void init() { store_ = {}; }
  void cleanup() { applyTheme(*qApp, ThemeMode::Light); }

  void drawsACurvePerRankInItsColour_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void drawsACurvePerRankInItsColour() {
    QFETCH(bool, dark);
    applyTheme(*qApp, dark ? ThemeMode::Dark : ThemeMode::Light);
    for (int rank = 0; rank < 3; ++rank) store_.add(waveOf("loss", rank, rank + 1.0));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    const QImage image = pictureOf(plot);
    for (int rank = 0; rank < 3; ++rank)
      QVERIFY2(pixelsNear(image, rankColor(Rank(rank), plot.palette())) > 100,
               qPrintable(QString::number(rank)));
    QCOMPARE(pixelsNear(image, rankColor(Rank(3), plot.palette())), 0);
    QVERIFY(pixelsNear(image, cardColor(plot.palette())) > image.width() * image.height() / 2);
  }

  void followsTheThemeWhileItRuns() {
    store_.add(waveOf("loss", 0, 1));
    applyTheme(*qApp, ThemeMode::Light);
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    applyTheme(*qApp, ThemeMode::Dark);
    const QImage image = pictureOf(plot);
    QVERIFY(pixelsNear(image, cardColor(plot.palette())) > image.width() * image.height() / 2);
    QVERIFY(pixelsNear(image, rankColor(Rank(0), plot.palette())) > 100);
  }

  void hiddenRanksAreNotDrawn() {
    for (int rank = 0; rank < 2; ++rank) store_.add(waveOf("loss", rank, rank + 1.0));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    plot.setHiddenRanks({Rank(1)});
    const QImage image = pictureOf(plot);
    QVERIFY(pixelsNear(image, rankColor(Rank(0), plot.palette())) > 100);
    QCOMPARE(pixelsNear(image, rankColor(Rank(1), plot.palette())), 0);
    QCOMPARE(plot.readoutAt(10).size(), 2);
  }

  void saysWhatItWaitsForAndThenWhatItShows() {
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    plot.setEmptyText(QStringLiteral("nothing yet"));
    pictureOf(plot);
    QCOMPARE(plot.textAlternative(), QStringLiteral("nothing yet"));
    QVERIFY(!plot.hasData());
    store_.add({"loss", Rank(0), {{120, TimePoint{}, 1.234}}});
    plot.setSamples(store_.snapshot());
    QTRY_VERIFY(plot.accessibleDescription().contains(QStringLiteral("1.234")));
    QVERIFY(plot.accessibleDescription().contains(QStringLiteral("120")));
    QCOMPARE(plot.accessibleName(), QStringLiteral("Loss"));
  }

  void readsTheNearestValueOfEachRank() {
    store_.add({"loss", Rank(0), {{0, TimePoint{}, 1.0}, {10, TimePoint{}, 2.0}}});
    store_.add({"loss", Rank(1), {{8, TimePoint{}, 3.5}}});
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    plot.refreshNow();
    const QStringList lines = plot.readoutAt(7);
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].contains(QStringLiteral("10")));
    QVERIFY(lines[1].contains(QStringLiteral("<b>2</b>")));
    QVERIFY(lines[2].contains(QStringLiteral("<b>3.500</b>")));
  }

  void wheelZoomsAndHomeShowsAllAgain() {
    store_.add(waveOf("loss", 0, 1));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    QSignalSpy changed(&plot, &MetricPlot::viewChanged);
    QTest::keyClick(&plot, Qt::Key_Plus);
    QCOMPARE(changed.count(), 1);
    QVERIFY(!plot.view().showsAll);
    QVERIFY(plot.view().to - plot.view().from < 199);
    QVERIFY(!plot.view().isFollowing);
    for (int i = 0; i < 20; ++i) QTest::keyClick(&plot, Qt::Key_Right);
    QVERIFY(plot.view().isFollowing);
    QTest::keyClick(&plot, Qt::Key_Home);
    QVERIFY(plot.view().showsAll);
    QWidget* canvas = plot.childAt(plot.width() / 2, plot.height() / 2);
    QVERIFY(canvas);
    const QPointF middle(canvas->width() / 2.0, canvas->height() / 2.0);
    QWheelEvent wheel(middle, canvas->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(canvas, &wheel);
    QVERIFY(!plot.view().showsAll);
    QTest::mouseDClick(canvas, Qt::LeftButton, {}, middle.toPoint());
    QVERIFY(plot.view().showsAll);
  }

  void zoomingOutEndsAtAllSteps() {
    store_.add(waveOf("loss", 0, 1));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    QTest::keyClick(&plot, Qt::Key_Plus);
    for (int i = 0; i < 10; ++i) QTest::keyClick(&plot, Qt::Key_Minus);
    QVERIFY(plot.view().showsAll);
  }

  void oddValuesDoNoHarm() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    store_.add({"loss",
                Rank(0),
                {{0, {}, nan}, {1, {}, inf}, {2, {}, -5}, {3, {}, 0}, {4, {}, 1e308}, {5, {}, -inf}}});
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    plot.setLogScale(true);
    plot.setSmoothing({SmoothingKind::TimeWeighted, 0.9});
    pictureOf(plot);
    plot.setLogScale(false);
    plot.setView({false, false, 2, 3});
    QVERIFY(pixelsNear(pictureOf(plot), rankColor(Rank(0), plot.palette())) > 0);
    store_ = {};
    store_.add({"loss", Rank(0), {{0, {}, nan}}});
    plot.setSamples(store_.snapshot());
    plot.showAll();
    plot.setLogScale(true);
    pictureOf(plot);
  }

  void aGapIsMarked() {
    auto batch = waveOf("loss", 0, 1);
    for (std::size_t i = 90; i < 110; ++i) batch.points[i].value = std::numeric_limits<double>::quiet_NaN();
    store_.add(batch);
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    QVERIFY(pixelsNear(pictureOf(plot), errorColor(plot.palette())) > 5);
  }

  void smoothingKeepsTheRawCurveAsAGhost() {
    for (const auto& batch : madeUpMetrics(1, 400)) store_.add(batch);
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    const int raw = pixelsNear(pictureOf(plot), rankColor(Rank(0), plot.palette()));
    plot.setSmoothing({SmoothingKind::TimeWeighted, 0.95});
    const QImage image = pictureOf(plot);
    const int smooth = pixelsNear(image, rankColor(Rank(0), plot.palette()));
    QVERIFY(smooth > 0 && smooth < raw);
    QVERIFY(pixelsNear(image, tinted(cardColor(plot.palette()), rankColor(Rank(0), plot.palette()), 0.28)) >
            20);
  }

  void aMillionSamplesAreDrawnByPixels() {
    MetricSeriesBatch batch{"loss", Rank(0), {}};
    for (Step i = 0; i < 1'000'000; ++i)
      batch.points.push_back({i, {}, i == 123'456 ? 50.0 : 10 + 3 * std::sin(static_cast<double>(i) * 2e-5)});
    store_.add(batch);
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    const QImage image = pictureOf(plot);
    const QColor color = rankColor(Rank(0), plot.palette());
    QVERIFY2(pixelsNear(image, color) > 100, "the curve is seen");
    const QImage upperHalf = image.copy(0, 0, image.width(), image.height() / 2);
    QVERIFY2(pixelsNear(upperHalf, color) > 10, "the one peak is seen, too");
  }

  void oneSpikeOfOneRankIsSeenInTheBandAtEveryZoom() {
    constexpr Step kSpike = 123'456;
    for (int rank = 0; rank < 40; ++rank) {
      MetricSeriesBatch batch{"loss", Rank(rank), {}};
      for (Step i = 0; i < 200'000; ++i)
        batch.points.push_back({i, {}, i == kSpike && rank == 17 ? 50.0 : 10 + 0.01 * ((i * 7 + rank) % 13)});
      store_.add(batch);
    }
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    // How many pixels of the upper half have the band's colour, and how far apart they are.
    const auto seen = [&] {
      const QImage image = pictureOf(plot);
      const QColor card = cardColor(plot.palette());
      const QColor faint = tinted(card, accentColor(plot.palette()), 0.16);
      int count = 0, left = image.width(), right = 0;
      for (int y = 40; y < image.height() / 2; ++y)  // below the title
        for (int x = image.width() / 8; x < image.width(); ++x) {
          const QColor pixel = image.pixelColor(x, y);
          if (pixel.saturation() <= 8 ||
              std::abs(pixel.red() - card.red()) <= std::abs(faint.red() - card.red()) / 3)
            continue;
          ++count;
          left = std::min(left, x);
          right = std::max(right, x);
        }
      return std::pair(count, right - left);
    };
    for (const double width : {200'000.0, 20'000.0, 2'000.0}) {
      plot.setView({false, false, kSpike - width / 3, kSpike + width * 2 / 3});
      const auto [count, apart] = seen();
      QVERIFY2(count > 20, qPrintable(QString::number(width)));
      QVERIFY2(apart < 40, qPrintable(QString::number(apart)));
    }
  }

  void manyRanksAreABandAndThoseThatLieApart() {
    for (int rank = 0; rank < 64; ++rank) store_.add(waveOf("loss", rank, rank == 40 ? 9 : 1 + rank * 0.001));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    const QImage image = pictureOf(plot);
    QCOMPARE(plot.drawnRanks(), std::vector<Rank>{Rank(40)});
    QVERIFY(pixelsNear(image, rankColor(Rank(40), plot.palette())) > 100);
    QVERIFY(pixelsNear(image, accentColor(plot.palette())) > 50);  // the median
    QVERIFY2(plot.textAlternative().contains(QStringLiteral("64 ranks")), qPrintable(plot.textAlternative()));
    QVERIFY(plot.textAlternative().contains(QStringLiteral("Rank 40")));
    const QStringList lines = plot.readoutAt(50);
    QCOMPARE(lines.size(), 3);  // step, median, rank 40
    plot.setChosenRanks({Rank(3)});
    QCOMPARE(plot.drawnRanks(), (std::vector<Rank>{Rank(3), Rank(40)}));
    plot.setLogScale(true);
    QVERIFY(pixelsNear(pictureOf(plot), accentColor(plot.palette())) > 50);
  }

  void colorsOfEightRanksDifferAndAreReadable() {
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
      applyTheme(*qApp, mode);
      const QPalette palette = QApplication::palette();
      const auto luminance = [](const QColor& c) {
        const auto linear = [](double v) {
          return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
      };
      const double ground = luminance(cardColor(palette));
      for (int a = 0; a < 8; ++a) {
        const QColor color = rankColor(Rank(a), palette);
        const double l = luminance(color);
        QVERIFY2((std::max(l, ground) + 0.05) / (std::min(l, ground) + 0.05) >= 3.0,
                 qPrintable(color.name()));
        for (int b = 0; b < a; ++b) QVERIFY(rankColor(Rank(b), palette) != color);
      }
      QCOMPARE(rankColor(Rank(8), palette), rankColor(Rank(0), palette));
      QVERIFY(rankPenStyle(Rank(8)) != rankPenStyle(Rank(0)));
    }
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::MetricPlotTest)
#include "metric_plot_test.moc"
