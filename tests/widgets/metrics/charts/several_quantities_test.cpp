// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of several quantities, and what stands below them.
#include <qcustomplot.h>

#include <QLabel>

#include "chart_test_tools.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

ChartSpec lossAndGpu() {
  return {{}, {{quantityOf("loss"), ValueAxis::Left}, {quantityOf("gpu_percent"), ValueAxis::Right}}};
}

QString titleOf(const MetricPlot& plot) {
  return plot.findChild<QLabel*>(QString(), Qt::FindDirectChildrenOnly)->text();
}

}  // namespace

class SeveralQuantitiesTest : public QObject {
  Q_OBJECT

  MetricStore store_;

  QCustomPlot* inner(const MetricPlot& plot) { return plot.findChild<QCustomPlot*>(); }

 private slots:
  void init() {
    store_ = {};
    applyTheme(*qApp, ThemeMode::Light);
  }

  void eachHasItsAxis() {
    store_.add(waveOf("loss", 0, 2));
    store_.add(waveOf("gpu_percent", 0, 90));
    MetricPlot plot(lossAndGpu());
    plot.setSamples(store_.snapshot());
    const QImage image = pictureOf(plot);
    QVERIFY(inner(plot)->yAxis2->visible());
    QVERIFY(inner(plot)->yAxis->range().upper < 5);
    QVERIFY(inner(plot)->yAxis2->range().lower > 80);
    QVERIFY(pixelsNear(image, rankColor(Rank(0), plot.palette())) > 150);
    QVERIFY(titleOf(plot).contains(QStringLiteral("gpu_percent")));
    QVERIFY(titleOf(plot).contains(QStringLiteral("right axis")));
    QCOMPARE(plot.accessibleName(), QStringLiteral("loss, gpu_percent"));
  }

  void anAxisAloneStandsOnTheLeft() {
    store_.add(waveOf("loss", 0, 2));
    MetricPlot plot(ChartSpec({}, {{quantityOf("loss"), ValueAxis::Right}}));
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    QVERIFY(!inner(plot)->yAxis2->visible());
    QVERIFY(inner(plot)->yAxis->range().lower > 1);
  }

  void theyAreReadOutAndToldTogether() {
    store_.add(waveOf("loss", 0, 2));
    store_.add(waveOf("gpu_percent", 0, 90));
    MetricPlot plot(lossAndGpu());
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    const QString all = plot.readoutAt(50).join(QLatin1Char('\n'));
    for (const char* part : {"step 50", "loss", "gpu_percent"})
      QVERIFY2(all.contains(QString::fromUtf8(part)), qPrintable(all));
    QCOMPARE(plot.readoutAt(50).size(), 5);  // the step, and of each its name and its value
    QVERIFY(plot.textAlternative().contains(QStringLiteral("gpu_percent of 1 rank")));
    QCOMPARE(plot.samplesInSight().size(), std::size_t{2});
    QCOMPARE(plot.samplesInSight()[1].name, std::string("gpu_percent"));
  }

  void ranksKeepTheirColoursAndQuantitiesHaveDashes() {
    for (const int rank : {0, 1}) {
      store_.add(waveOf("loss", rank, 2 + rank));
      store_.add(waveOf("other", rank, 12 + rank));
    }
    MetricPlot plot(ChartSpec({}, {{quantityOf("loss")}, {quantityOf("other")}}));
    plot.setSamples(store_.snapshot());
    const QImage image = pictureOf(plot);
    const QImage upper = image.copy(0, 40, image.width(), image.height() / 2 - 40);
    const QImage lower = image.copy(0, image.height() / 2, image.width(), image.height() / 2);
    for (const int rank : {0, 1}) {
      const QColor color = rankColor(Rank(rank), plot.palette());
      const int solid = pixelsNear(lower, color), dashed = pixelsNear(upper, color);
      QVERIFY2(solid > 300 && dashed > 150 && dashed < solid * 4 / 5,
               qPrintable(QStringLiteral("%1 %2").arg(solid).arg(dashed)));
    }
  }

  void ofManyRanksTheFirstHasABandAndTheOthersAMedian() {
    for (int rank = 0; rank < 40; ++rank) {
      store_.add(waveOf("loss", rank, 2 + 0.02 * rank));
      store_.add(waveOf("other", rank, 12 + 0.02 * rank));
    }
    MetricPlot plot(ChartSpec({}, {{quantityOf("loss")}, {quantityOf("other")}}));
    plot.setSamples(store_.snapshot());
    const QImage image = pictureOf(plot);
    const QColor most = tinted(tinted(cardColor(plot.palette()), accentColor(plot.palette()), 0.16),
                               accentColor(plot.palette()), 0.30);
    const QImage upper = image.copy(0, 40, image.width(), image.height() / 2 - 40);
    const QImage lower = image.copy(0, image.height() / 2, image.width(), image.height() / 2);
    QVERIFY(pixelsNear(lower, most) > 500);
    QVERIFY(pixelsNear(upper, most) < 100);
    QVERIFY(pixelsNear(upper, accentColor(plot.palette())) > 100);
  }

  void aSpecCanChange() {
    store_.add(waveOf("loss", 0, 2));
    store_.add(waveOf("other", 0, 12));
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    plot.setSpec(ChartSpec(quantityOf("other")));
    pictureOf(plot);
    QCOMPARE(plot.accessibleName(), QStringLiteral("other"));
    QVERIFY(inner(plot)->yAxis->range().lower > 10);
    std::vector<ChartLine> many(ChartSpec::kMaxLines + 3, ChartLine{quantityOf("loss")});
    plot.setSpec({QStringLiteral("All"), many});
    pictureOf(plot);
    QCOMPARE(plot.samplesInSight().size(), ChartSpec::kMaxLines);
    QCOMPARE(plot.accessibleName(), QStringLiteral("All"));
  }

  void quantitiesWithoutSamplesDoNoHarm() {
    store_.add(waveOf("loss", 0, 2));
    MetricPlot plot(lossAndGpu());
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    QVERIFY(plot.hasData());
    plot.setSpec(ChartSpec());
    pictureOf(plot);
    QVERIFY(!plot.hasData());
  }

  void whatStandsBelowChangesButNotTheSteps() {
    auto batch = waveOf("loss", 0, 2);
    store_.add(batch);
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    const QCPRange steps = inner(plot)->xAxis->range();
    QVERIFY(plot.isMeasured(ChartXAxis::RelativeTime));
    QVERIFY(!plot.isMeasured(ChartXAxis::Epoch));
    plot.setXAxis(ChartXAxis::RelativeTime);
    pictureOf(plot);
    QCOMPARE(inner(plot)->xAxis->range(), steps);
    QVERIFY(inner(plot)->xAxis->tickVectorLabels().contains(QStringLiteral("1:00")));
    QVERIFY(titleOf(plot).contains(QStringLiteral("since the first sample")));
    QVERIFY(plot.readoutAt(50).front().contains(QStringLiteral("50 s")));
    plot.setXAxis(ChartXAxis::Epoch);
    pictureOf(plot);
    QVERIFY(titleOf(plot).contains(QStringLiteral("not measured")));
    QVERIFY(titleOf(plot).contains(QStringLiteral("by step")));
  }

  void everySmoothingKeepsTheRawCurve() {
    store_.add(waveOf("loss", 0, 2));
    for (int rank = 0; rank < 30; ++rank) store_.add(waveOf("other", rank, 2));
    for (const auto kind : {SmoothingKind::Debiased, SmoothingKind::TimeWeighted, SmoothingKind::Gaussian,
                            SmoothingKind::RunningMedian}) {
      MetricPlot one(quantityOf("loss"));
      one.setSamples(store_.snapshot());
      one.setSmoothing({kind, 0.9});
      const QColor color = rankColor(Rank(0), one.palette());
      const QImage image = pictureOf(one);
      QVERIFY(pixelsNear(image, color) > 100);
      QVERIFY(pixelsNear(image, tinted(cardColor(one.palette()), color, 0.28)) > 20);
      MetricPlot many(quantityOf("other"));
      many.setSamples(store_.snapshot());
      many.setSmoothing({kind, 0.9});
      QVERIFY(pixelsNear(pictureOf(many), accentColor(many.palette())) > 100);
    }
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::SeveralQuantitiesTest)
#include "several_quantities_test.moc"
