// SPDX-License-Identifier: GPL-3.0-or-later
// What is taken out of a chart: its picture, its drawing, the samples in sight, by its menu.
#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <algorithm>
#include <limits>

#include "chart_test_tools.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/plot_menu.h"

namespace lockstep {
namespace {

PlotQuantity loss() {
  return {"loss", QStringLiteral("Loss"), valueText, false, 0};
}

}  // namespace

class ChartExportTest : public QObject {
  Q_OBJECT

  MetricStore store_;

 private slots:
  void init() {
    store_ = {};
    applyTheme(*qApp, ThemeMode::Light);
  }

  void nothingIsCopiedOrSavedWithoutSamples() {
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    auto* const menu = plot.findChild<PlotMenu*>();
    const auto actions = menu->menu()->actions();
    const auto isEnabled = [](const QAction* action) { return action->isEnabled(); };
    QCOMPARE(actions.size(), 3);
    QVERIFY(std::ranges::none_of(actions, isEnabled));
    QVERIFY(menu->accessibleName().contains(QStringLiteral("Loss")));
    store_.add(waveOf("loss", 0, 1));
    plot.setSamples(store_.snapshot());
    QTRY_VERIFY(std::ranges::all_of(actions, isEnabled));
  }

  void copiesThePictureWithTheColoursOfTheRanks() {
    for (int rank = 0; rank < 3; ++rank) store_.add(waveOf("loss", rank, rank + 1.0));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    plot.setHiddenRanks({Rank(1)});
    pictureOf(plot);
    plot.findChild<QAction*>(QStringLiteral("copyPicture"))->trigger();
    const QImage image = QGuiApplication::clipboard()->image();
    QVERIFY2(image.width() > 1000, qPrintable(QString::number(image.width())));  // twice the plot's pixels
    for (const int rank : {0, 2}) QVERIFY(pixelsNear(image, rankColor(Rank(rank), plot.palette())) > 200);
    QCOMPARE(pixelsNear(image, rankColor(Rank(1), plot.palette())), 0);
    QVERIFY(pixelsNear(image, plot.palette().color(QPalette::WindowText)) > 100);  // the title
    QCOMPARE(image.pixelColor(1, image.height() - 2), cardColor(plot.palette()));
  }

  void theDrawingHasTheSameCurvesAndSaysWhatItShows() {
    for (int rank = 0; rank < 20; ++rank) store_.add(waveOf("loss", rank, rank == 7 ? 40.0 : 1.0));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    const QByteArray svg = plot.svg();
    QVERIFY(svg.contains("<title>Loss"));
    QVERIFY(svg.contains(plot.textAlternative().toHtmlEscaped().toUtf8()));
    QVERIFY2(!svg.contains("<image"), "lines, no pixels");
    QSvgRenderer renderer(svg);
    QVERIFY(renderer.isValid());
    QImage image(renderer.defaultSize() * 2, QImage::Format_ARGB32);
    QPainter painter(&image);
    renderer.render(&painter);
    QVERIFY(pixelsNear(image, rankColor(Rank(7), plot.palette())) > 200);
  }

  void theSamplesInSightAreThoseOfTheViewAndTheRanksShown() {
    for (int rank = 0; rank < 3; ++rank) store_.add(waveOf("loss", rank, rank + 1.0));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    plot.setHiddenRanks({Rank(1)});
    plot.setView({false, false, 9.5, 20});
    QCOMPARE(plot.samplesInSight().size(), std::size_t{1});
    const SampleSelection selection = plot.samplesInSight().front();
    QCOMPARE(selection.name, std::string("loss"));
    QVERIFY((selection.ranks == std::vector{Rank(0), Rank(2)}));
    QCOMPARE(selection.from, Step(10));
    QCOMPARE(selection.to, Step(20));
  }

  void theContextMenuOpensByKey() {
    store_.add(waveOf("loss", 0, 1));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
    QCoreApplication::sendEvent(&plot, &event);
    auto* const menu = plot.findChild<PlotMenu*>()->menu();
    QTRY_VERIFY(menu->isVisible());
    QSignalSpy saves(&plot, &MetricPlot::saveValuesRequested);
    QTest::keyClick(menu, Qt::Key_V);
    QCOMPARE(saves.count(), 1);
    QVERIFY(!menu->isVisible());
  }

  void theContextMenuOpensByTheRightButton() {
    store_.add(waveOf("loss", 0, 1));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    pictureOf(plot);
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    QTest::mouseClick(plot.windowHandle(), Qt::RightButton, {}, plot.rect().center());
    QTRY_VERIFY(plot.findChild<PlotMenu*>()->menu()->isVisible());
  }

  void whereAllStepsAreInSightNoSampleIsLeftOut() {
    store_.add(waveOf("loss", 0, 1));
    MetricPlot plot(loss());
    plot.setSamples(store_.snapshot());
    // A past may have samples behind the last one that is drawn.
    QCOMPARE(plot.samplesInSight().front().from, std::numeric_limits<Step>::min());
    QCOMPARE(plot.samplesInSight().front().to, std::numeric_limits<Step>::max());
    plot.setView({false, true, 0, 20});  // the newest 20
    QCOMPARE(plot.samplesInSight().front().from, Step(179));
    QCOMPARE(plot.samplesInSight().front().to, std::numeric_limits<Step>::max());
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::ChartExportTest)
#include "chart_export_test.moc"
