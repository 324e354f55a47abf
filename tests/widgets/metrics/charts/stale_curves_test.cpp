// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of ranks of which nothing comes any more.
#include <qcustomplot.h>

#include <QLabel>

#include "chart_test_tools.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

const TimePoint kSince = TimePoint(std::chrono::seconds(1'700'000'000));
constexpr int kAround = 6;  // pixels to either side of where a curve ends

}  // namespace

class StaleCurvesTest : public QObject {
  Q_OBJECT

  MetricStore store_;

  /// Rank 1 stops half-way.
  void addTwoRanks() {
    store_.add(waveOf("loss", 0, 1, 200));
    store_.add(waveOf("loss", 1, 3, 100));
  }

  /// What is drawn around the last sample of rank 1.
  QImage endOf(MetricPlot& plot) {
    const QImage image = pictureOf(plot);
    auto* const inner = plot.findChild<QCustomPlot*>();
    const MetricPoint last = *store_.last("loss", Rank(1));
    const QPoint at = inner->mapTo(&plot, QPointF(inner->xAxis->coordToPixel(static_cast<double>(last.step)),
                                                  inner->yAxis->coordToPixel(last.value))
                                              .toPoint());
    return image.copy(at.x() - kAround, at.y() - kAround, 2 * kAround + 1, 2 * kAround + 1);
  }

 private slots:
  void init() {
    store_ = {};
    applyTheme(*qApp, ThemeMode::Light);
  }

  void anOpenCircleIsWhereTheCurveEnds_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("isSmooth");
    QTest::newRow("light") << false << false;
    QTest::newRow("dark") << true << false;
    QTest::newRow("smoothed") << false << true;
  }
  void anOpenCircleIsWhereTheCurveEnds() {
    QFETCH(bool, dark);
    QFETCH(bool, isSmooth);
    applyTheme(*qApp, dark ? ThemeMode::Dark : ThemeMode::Light);
    addTwoRanks();
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    if (isSmooth) plot.setSmoothing({SmoothingKind::Debiased, 0.1});  // close to what was measured
    const QColor color = rankColor(Rank(1), plot.palette());
    const QImage without = endOf(plot);
    plot.setStale({{Rank(1), kSince}});
    const QImage with = endOf(plot);
    QVERIFY2(pixelsNear(with, color) >= pixelsNear(without, color) + 4, "a ring in the colour of the rank");
    QCOMPARE(with.pixelColor(kAround, kAround), cardColor(plot.palette()));  // and nothing in it
    plot.setStale({});
    QCOMPARE(endOf(plot), without);
  }

  void anEndThatIsNotInSightIsNotMarked() {
    addTwoRanks();
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    for (const PlotView& view : {PlotView{false, false, 20, 60}, PlotView{false, false, 120, 180}}) {
      plot.setView(view);
      plot.setStale({});
      const QImage without = pictureOf(plot);
      plot.setStale({{Rank(1), kSince}});
      QCOMPARE(pictureOf(plot), without);
    }
  }

  void whatIsReadAndSpokenOfItSaysSinceWhen() {
    addTwoRanks();
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    QVERIFY(!plot.readoutAt(150).join(QString()).contains(QStringLiteral("silent")));
    plot.setStale({{Rank(1), kSince}});
    pictureOf(plot);
    const QStringList lines = plot.readoutAt(150);
    QCOMPARE(lines.size(), 3);  // the step, and both ranks
    const QString silent = QStringLiteral("silent since ") + clockTimeText(kSince);
    const QString muted = mutedColor(plot.palette()).name(), full = rankColor(Rank(1), plot.palette()).name();
    QVERIFY(!lines[1].contains(silent) && !lines[1].contains(muted));
    QVERIFY2(lines[2].contains(silent) && lines[2].contains(muted), qPrintable(lines[2]));
    QVERIFY2(!lines[2].contains(full), "its colour has faded");
    QVERIFY2(plot.accessibleDescription().contains(QStringLiteral(" at step 99, ") + silent),
             qPrintable(plot.accessibleDescription()));
    QCOMPARE(plot.accessibleDescription().count(silent), 1);
    QVERIFY2(plot.svg().contains(silent.toUtf8()), "the drawing says it, too");
  }

  void ofABandTheTitleSaysHowMany() {
    for (int rank = 0; rank < 40; ++rank) store_.add(waveOf("loss", rank, 1, rank < 3 ? 100 : 200));
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    plot.setStale({{Rank(0), kSince}, {Rank(1), kSince}, {Rank(2), kSince}});
    plot.setHiddenRanks({Rank(2)});
    plot.setChosenRanks({Rank(1)});
    pictureOf(plot);
    QVERIFY(
        plot.findChild<QLabel*>(QStringLiteral("plotTitle"))->text().contains(QStringLiteral("2 silent")));
    QVERIFY2(plot.textAlternative().contains(QStringLiteral("2 ranks are silent.")),
             qPrintable(plot.textAlternative()));
    QCOMPARE(plot.drawnRanks(), (std::vector{Rank(0), Rank(1)}));  // which lies apart, and which is chosen
    QCOMPARE(plot.readoutAt(150).join(QString()).count(QStringLiteral("silent since")), 2);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::StaleCurvesTest)
#include "stale_curves_test.moc"
