// SPDX-License-Identifier: GPL-3.0-or-later
// Charts that have little room.
#include <qcustomplot.h>

#include <QLabel>

#include "chart_test_tools.h"

namespace lockstep {

class NarrowChartsTest : public QObject {
  Q_OBJECT

  MetricStore store_;

  static void showAt(MetricPlot& plot, QSize size) {
    plot.resize(size);
    plot.show();
    QTest::qWait(10);
    plot.refreshNow();
  }

 private slots:
  void init() { store_ = {}; }

  void theNumbersOfANarrowPlotDoNotRunIntoEachOther() {
    MetricSeriesBatch batch{"loss", Rank(0), {}};
    for (Step i = 0; i < 2'000'000; i += 10'000)
      batch.points.push_back({i, TimePoint{}, static_cast<double>(i % 7)});
    store_.add(batch);
    MetricPlot plot(quantityOf("loss"));
    QFont large = plot.font();
    large.setPointSizeF(large.pointSizeF() * 2);
    plot.setFont(large);
    plot.setSamples(store_.snapshot());
    plot.resize(340, 160);
    plot.show();
    plot.refreshNow();
    plot.refreshNow();  // the first one has laid it out
    auto* const inner = plot.findChild<QCustomPlot*>();
    const QFontMetrics letters(inner->xAxis->tickLabelFont());
    const auto labels = inner->xAxis->tickVectorLabels();
    const auto ticks = inner->xAxis->tickVector();
    QVERIFY(labels.size() >= 2);
    for (int i = 1; i < labels.size(); ++i) {
      const double apart = inner->xAxis->coordToPixel(ticks[i]) - inner->xAxis->coordToPixel(ticks[i - 1]);
      const int needed =
          (letters.horizontalAdvance(labels[i]) + letters.horizontalAdvance(labels[i - 1])) / 2;
      QVERIFY2(
          apart > needed,
          qPrintable(
              QStringLiteral("%1 %2: %3 px of %4").arg(labels[i - 1], labels[i]).arg(apart).arg(needed)));
    }
  }

  void aTitleWithoutRoomLeavesOutWhatMattersLeast() {
    for (int rank = 0; rank < 40; ++rank) store_.add(waveOf("loss", rank, rank == 17 ? 90 : 1));
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    const auto* const title = plot.findChild<QLabel*>(QStringLiteral("plotTitle"));
    showAt(plot, {900, 200});
    QVERIFY2(title->text().contains(QStringLiteral("40 ranks: median")), qPrintable(title->text()));
    QVERIFY(title->text().contains(QStringLiteral("by step")) && title->toolTip().isEmpty());
    const QString all = title->text();
    const QString apart = QStringLiteral("</span> 17");
    QVERIFY(all.contains(apart));
    for (const int width : {300, 240}) {
      showAt(plot, {width, 200});
      QVERIFY2(title->sizeHint().width() <= title->width() && title->text() != all,
               qPrintable(title->text()));
      QVERIFY2(title->text().contains(QStringLiteral("40 ranks")) && title->text().contains(apart),
               qPrintable(title->text()));
      QVERIFY2(title->toolTip().contains(QStringLiteral("by step · 40 ranks: median")),
               qPrintable(title->toolTip()));
    }
    showAt(plot, {80, 200});
    QVERIFY2(title->sizeHint().width() <= title->width(), qPrintable(title->text()));
    QVERIFY2(!title->text().contains(QStringLiteral("40 ranks")), qPrintable(title->text()));
    showAt(plot, {900, 200});
    QCOMPARE(title->text(), all);
    QVERIFY(title->toolTip().isEmpty());
  }

  void whatTheCursorSaysIsNotCutOff() {
    for (int rank = 0; rank < 40; ++rank) store_.add(waveOf("loss", rank, 1));
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    showAt(plot, {170, 200});
    plot.setCursor(ChartCursor{50, {}});
    auto* const inner = plot.findChild<QCustomPlot*>();
    auto* const box = inner->findChild<QLabel*>();
    QVERIFY(box != nullptr && box->isVisible());
    QVERIFY2(box->geometry().left() >= 0 && box->width() <= inner->width(), qPrintable(box->text()));
    QVERIFY(box->heightForWidth(box->width()) <= box->height() || !box->wordWrap());
  }

  void aPictureThatIsDrawnAtOnceHasTheTicksOfItsSize() {
    store_.add(waveOf("loss", 0, 1));
    MetricPlot plot(quantityOf("loss"));
    plot.setSamples(store_.snapshot());
    plot.resize(600, 300);
    plot.grab();  // lays it out, without an event of the plot within
    plot.refreshNow();
    auto* const inner = plot.findChild<QCustomPlot*>();
    const auto steps = inner->xAxis->tickVector(), values = inner->yAxis->tickVector();
    plot.show();
    QTest::qWait(10);
    plot.refreshNow();
    QCOMPARE(inner->xAxis->tickVector(), steps);
    QCOMPARE(inner->yAxis->tickVector(), values);
    QVERIFY2(steps.size() > 2 && values.size() > 2,
             qPrintable(QStringLiteral("%1 %2").arg(steps.size()).arg(values.size())));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::NarrowChartsTest)
#include "narrow_charts_test.moc"
