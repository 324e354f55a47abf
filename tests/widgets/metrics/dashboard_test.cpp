// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/dashboard.h"

#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "made_up_log.h"
#include "made_up_run.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/charts/metric_plot.h"
#include "widgets/metrics/charts/metric_texts.h"
#include "widgets/metrics/rank_table.h"
#include "widgets/metrics/tiles/rank_page.h"
#include "widgets/metrics/tiles/rank_tiles.h"

namespace lockstep {

class DashboardTest : public QObject {
  Q_OBJECT

  /// What is out of sight is not kept up to date.
  static QList<MetricPlot*> shownPlots(Dashboard& dashboard) {
    QList<MetricPlot*> plots = dashboard.findChildren<MetricPlot*>();
    plots.removeIf([&](MetricPlot* plot) { return !plot->isVisibleTo(&dashboard); });
    return plots;
  }

 private slots:
  void cleanup() { applyTheme(*qApp, ThemeMode::Light); }

  void showsARun() {
    Dashboard dashboard;
    dashboard.resize(1280, 800);
    dashboard.show();
    dashboard.setNodes(madeUpNodes(3));
    dashboard.setSamples(samplesOf(madeUpMetrics(3, 300)));
    dashboard.setLog(snapshotOf(madeUpLines(3, 50)));
    dashboard.refreshNow();
    QCOMPARE(dashboard.findChild<RankTableModel*>()->rowCount(), 3);
    QCOMPARE(dashboard.logView()->model()->rowCount(), 50);
    QCOMPARE(dashboard.samples().series("loss", Rank(2)).size(), std::size_t{300});
    const QImage image = dashboard.grab().toImage();
    for (int rank = 0; rank < 3; ++rank) {
      int count = 0;
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
          count += image.pixelColor(x, y) == rankColor(Rank(rank), dashboard.palette());
      QVERIFY2(count > 200, qPrintable(QString::number(rank)));
    }
  }

  void plotsAreNamedByTheCatalogue() {
    const Dashboard dashboard;
    QStringList names;
    for (const auto* plot : dashboard.findChildren<MetricPlot*>()) names << plot->accessibleName();
    names.sort();
    QCOMPARE(names.join(QLatin1Char('|')),
             QStringLiteral("CPU utilization, % of one core|GPU utilization, %|Loss|Samples per second"));
  }

  void aQuantityOfAScriptIsItsOwnTitle() {
    const PlotQuantity own = plotQuantity("validation_f1");
    QCOMPARE(own.title, QStringLiteral("validation_f1"));
    QCOMPARE(own.text(0.5), QStringLiteral("0.5000"));
    const PlotQuantity memory = plotQuantity(metric::kGpuMemoryBytes);
    QCOMPARE(memory.text(1.2e9), QStringLiteral("1.2 GB"));
    QVERIFY(memory.fromZero);
    QCOMPARE(plotQuantity(metric::kStepMs).text(12.5), QStringLiteral("12.50 ms"));
  }

  void manyRanksAreABandWithThoseThatAreChosen() {
    Dashboard dashboard;
    dashboard.resize(1280, 800);
    dashboard.show();
    dashboard.setSamples(samplesOf(madeUpMetrics(64, 100)));
    dashboard.refreshNow();
    auto* picker = dashboard.findChild<QLineEdit*>(QStringLiteral("rankPicker"));
    QVERIFY(picker->isVisible());
    const auto drawn = [&] {
      std::vector<Rank> ranks;
      for (auto* plot : dashboard.findChildren<MetricPlot*>())
        if (plot->accessibleName() == QStringLiteral("CPU utilization, % of one core"))
          ranks = plot->drawnRanks();
      return ranks;
    };
    QVERIFY(drawn().size() <= MetricPlot::kMaxOutliers);
    picker->setText(QStringLiteral("2-4, 40"));
    for (const int rank : {2, 3, 4, 40}) {
      const auto ranks = drawn();
      QVERIFY(std::find(ranks.begin(), ranks.end(), Rank(rank)) != ranks.end());
    }
    picker->setText(QStringLiteral("99"));
    QVERIFY(picker->accessibleDescription().contains(QStringLiteral("no rank 99")));
    QVERIFY(drawn().size() >= 4);
    dashboard.clear();
    QVERIFY(!picker->isVisible());
  }

  void theGpuPlotComesWithTheFirstGpuSample() {
    Dashboard dashboard;
    dashboard.show();
    const auto gpuIsShown = [&] {
      for (auto* plot : dashboard.findChildren<MetricPlot*>())
        if (plot->accessibleName().startsWith(QStringLiteral("GPU"))) return plot->isVisibleTo(&dashboard);
      return false;
    };
    dashboard.setSamples(samplesOf(madeUpMetrics(1, 10, false)));
    QVERIFY(!gpuIsShown());
    dashboard.setSamples(samplesOf(madeUpMetrics(1, 10, true)));
    QVERIFY(gpuIsShown());
    dashboard.clear();
    QVERIFY(!gpuIsShown());
  }

  void emptyPlacesSayWhatTheyWaitFor() {
    Dashboard dashboard;
    dashboard.resize(1280, 800);
    dashboard.show();
    dashboard.refreshNow();
    for (auto* plot : shownPlots(dashboard))
      QVERIFY(plot->textAlternative().contains(QStringLiteral("first step")));
    dashboard.setFilling(Filling::Loading);
    for (auto* plot : shownPlots(dashboard))
      QVERIFY(plot->textAlternative().contains(QStringLiteral("Loading")));
    dashboard.setFilling(Filling::Unreadable);
    for (auto* plot : shownPlots(dashboard))
      QVERIFY(plot->textAlternative().contains(QStringLiteral("cannot be read")));
    dashboard.setFilling(Filling::Ended);
    for (auto* plot : shownPlots(dashboard))
      QVERIFY(plot->textAlternative().contains(QStringLiteral("no samples")));
  }

  void zoomingOnePlotZoomsAll() {
    Dashboard dashboard;
    dashboard.resize(1280, 800);
    dashboard.show();
    dashboard.setSamples(samplesOf(madeUpMetrics(2, 300)));
    dashboard.refreshNow();
    const auto plots = shownPlots(dashboard);
    QCOMPARE(plots.size(), 3);
    auto* showAll = dashboard.findChild<QToolButton*>(QStringLiteral("showAll"));
    QVERIFY(!showAll->isEnabled());
    const auto isLoss = [](MetricPlot* plot) { return plot->accessibleName() == QStringLiteral("Loss"); };
    MetricPlot* loss = *std::find_if(plots.begin(), plots.end(), isLoss);
    QTest::keyClick(loss, Qt::Key_Plus);
    QVERIFY(!loss->view().showsAll);
    for (auto* plot : plots) QCOMPARE(plot->view(), loss->view());
    QVERIFY(showAll->isEnabled());
    showAll->click();
    for (auto* plot : plots) QVERIFY(plot->view().showsAll);
    QVERIFY(!showAll->isEnabled());
  }

  void viewsAreGoneBackTo() {
    Dashboard dashboard;
    dashboard.resize(1280, 800);
    dashboard.show();
    dashboard.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dashboard));
    dashboard.setSamples(samplesOf(madeUpMetrics(2, 300)));
    dashboard.refreshNow();
    auto* const plot = dashboard.findChild<MetricPlot*>();
    auto* const back = dashboard.findChild<QToolButton*>(QStringLiteral("viewBack"));
    auto* const forward = dashboard.findChild<QToolButton*>(QStringLiteral("viewForward"));
    QVERIFY(!back->isEnabled() && !forward->isEnabled());
    plot->setFocus();
    QTest::keyClick(plot, Qt::Key_Plus);
    const PlotView near = plot->view();
    QVERIFY(back->isEnabled());
    QTest::keyClick(plot, Qt::Key_Left, Qt::AltModifier);
    QVERIFY(plot->view().showsAll);
    QVERIFY(!back->isEnabled() && forward->isEnabled());
    forward->click();
    QCOMPARE(plot->view(), near);
    dashboard.clear();
    QVERIFY(!back->isEnabled() && !forward->isEnabled());
  }

  void layoutsAndFiltersComeBack() {
    QByteArray state;
    {
      Dashboard dashboard;
      QVERIFY(dashboard.showLayout(QStringLiteral("learning")));
      dashboard.findChild<QComboBox*>(QStringLiteral("smoothing"))->setCurrentIndex(3);
      dashboard.findChild<QLineEdit*>(QStringLiteral("textFilter"))->setText(QStringLiteral("loss"));
      state = dashboard.saveState();
    }
    Dashboard dashboard;
    dashboard.restoreState(state);
    const auto* const layout = dashboard.findChild<QComboBox*>(QStringLiteral("layoutChoice"));
    QCOMPARE(layout->currentText(), QStringLiteral("Learning (changed)"));
    QCOMPARE(dashboard.findChild<QComboBox*>(QStringLiteral("smoothing"))->currentIndex(), 3);
    dashboard.setLog(snapshotOf(madeUpLines(3, 50)));
    QVERIFY(dashboard.logView()->model()->hiddenCount() > 0);
    for (const QByteArray& odd :
         {QByteArray(), QByteArray("garbage"), QByteArray("[1]"), QByteArray("{\"cards\":99,\"rows\":7}")})
      dashboard.restoreState(odd);
    QCOMPARE(layout->currentText(), QStringLiteral("Overview"));
  }

  void layoutsAreShownByTheirNames() {
    Dashboard dashboard;
    dashboard.resize(1280, 800);
    dashboard.show();
    dashboard.setSamples(samplesOf(madeUpMetrics(3, 100)));
    QVERIFY(!dashboard.showLayout(QStringLiteral("Unicorns")));
    QVERIFY(dashboard.showLayout(QStringLiteral("Speed")));
    const auto shown = [&] {
      QStringList names;
      for (auto* plot : dashboard.findChildren<MetricPlot*>())
        if (plot->isVisibleTo(&dashboard)) names << plot->accessibleName();
      return names;
    };
    QTRY_COMPARE(shown(), QStringList{QStringLiteral("Samples per second")});
    dashboard.showCharts(3);
    QTRY_COMPARE(shown().size(), 3);
  }

  void aMaximizedCardTakesTheWholePage() {
    Dashboard dashboard;
    dashboard.resize(1280, 800);
    dashboard.show();
    dashboard.setSamples(samplesOf(madeUpMetrics(3, 100)));
    dashboard.refreshNow();
    auto* const plot = dashboard.findChild<MetricPlot*>();
    const int width = plot->width();
    QTest::keyClick(plot, Qt::Key_Return);
    QVERIFY(!dashboard.logView()->isVisible());
    QTRY_VERIFY(plot->width() > 1200);
    QTest::keyClick(plot, Qt::Key_Escape);
    QVERIFY(dashboard.logView()->isVisible());
    QTRY_COMPARE(plot->width(), width);
  }

  void activatingARankShowsItsPage() {
    Dashboard dashboard;
    dashboard.resize(1280, 800);
    dashboard.show();
    dashboard.setNodes(madeUpNodes(3));
    dashboard.setSamples(samplesOf(madeUpMetrics(3, 100)));
    emit dashboard.findChild<RankTable*>()->rankActivated(1);
    auto* const page = dashboard.findChild<RankPage*>();
    QVERIFY(page->isVisible());
    QCOMPARE(page->rank(), Rank(1));
    dashboard.refreshNow();
    QVERIFY(page->tiles()->tileText(0).contains(QStringLiteral("median of all ranks")));
    QTest::keyClick(page, Qt::Key_Escape);
    QVERIFY(!page->isVisible());
    dashboard.showRank(Rank(2));
    dashboard.clear();
    QVERIFY(!page->isVisible());
  }

  void activatingARankShowsItsLines() {
    Dashboard dashboard;
    dashboard.setLog(snapshotOf(madeUpLines(3, 60)));
    emit dashboard.findChild<RankTable*>()->rankActivated(1);
    for (int row = 0; row < dashboard.logView()->model()->rowCount(); ++row)
      QCOMPARE(dashboard.logView()->model()->lineAt(row).rank, std::optional(Rank(1)));
    QVERIFY(dashboard.logView()->model()->rowCount() > 0);
  }

  void clearForgetsTheRun() {
    Dashboard dashboard;
    dashboard.setNodes(madeUpNodes(2));
    dashboard.setSamples(samplesOf(madeUpMetrics(2, 20)));
    dashboard.setLog(snapshotOf(madeUpLines(2, 20)));
    dashboard.clear();
    QCOMPARE(dashboard.samples().sampleCount(), std::size_t{0});
    QCOMPARE(dashboard.logView()->model()->lineCount(), std::uint64_t{0});
    QCOMPARE(dashboard.findChild<RankTableModel*>()->rowCount(), 0);
  }

  void fitsASmallWindowInBothThemes() {
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
      applyTheme(*qApp, mode);
      Dashboard dashboard;
      dashboard.setSamples(samplesOf(madeUpMetrics(3, 100, true)));
      QVERIFY(dashboard.layout()->totalMinimumSize().width() <= 900);
      QVERIFY2(dashboard.layout()->totalMinimumSize().height() <= 560,
               qPrintable(QString::number(dashboard.layout()->totalMinimumSize().height())));
    }
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::DashboardTest)
#include "dashboard_test.moc"
