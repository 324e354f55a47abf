// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/tiles/rank_page.h"

#include <QImage>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "many_ranks.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/metrics/tiles/rank_tiles.h"

namespace lockstep {

class RankPageTest : public QObject {
  Q_OBJECT

  static int countOf(const QImage& image, const QColor& color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == color;
    return count;
  }

 private slots:
  void everyQuantityIsShownBesideTheMedianOfAll() {
    RankPage page;
    page.resize(800, 500);
    page.show();
    page.setNodes(nodesOfEight(64));
    page.setMetrics(manyRanks(64, 400));
    page.setRank(Rank(17));
    page.refreshNow();
    QCOMPARE(page.tiles()->tileCount(), 7);
    QCOMPARE(page.tiles()->tileText(0), QStringLiteral("Step: 130 ms, median of all ranks 130 ms"));
    const QString waiting = page.tiles()->tileText(4);
    QVERIFY2(waiting.startsWith(QStringLiteral("Waiting for peers: 1 ms, median of all ranks 3")),
             qPrintable(waiting));
    QVERIFY(countOf(page.grab().toImage(), rankColor(Rank(17), page.palette())) > 50);
  }

  void whatTheRankHasNotIsSaid() {
    MetricStore store;
    store.add({std::string(metric::kLoss), Rank(0), {{0, TimePoint{}, 1.0}}});
    store.add({std::string(metric::kStepMs), Rank(1), {{0, TimePoint{}, 5.0}}});
    RankPage page;
    page.resize(600, 400);
    page.setMetrics(store.snapshot());
    page.setRank(Rank(1));
    page.grab();  // lays out what was never shown
    page.refreshNow();
    QVERIFY2(page.tiles()->tileText(0).contains(QStringLiteral("not measured by this rank")),
             qPrintable(page.tiles()->tileText(0)));
    QVERIFY2(page.tiles()->tileText(1).startsWith(QStringLiteral("Step: 5 ms, ")),
             qPrintable(page.tiles()->tileText(1)));
  }

  void whereAnotherPartOfThePagePointsIsALineAndItsValuesAreSaid() {
    MetricStore store;
    for (int rank = 0; rank < 3; ++rank) {
      MetricSeriesBatch batch{std::string(metric::kStepMs), Rank(rank), {}};
      for (Step step = 0; step < 100; ++step)
        batch.points.push_back({step, TimePoint{}, static_cast<double>(step + 100 * rank)});
      store.add(batch);
    }
    RankPage page;
    page.resize(800, 300);
    page.show();
    page.setMetrics(store.snapshot());
    page.setRank(Rank(2));
    page.refreshNow();
    const QImage before = page.grab().toImage();
    const QString newest = page.tiles()->tileText(0);
    QVERIFY2(newest.startsWith(QStringLiteral("Step: 299 ms, median of all ranks 199")), qPrintable(newest));
    page.tiles()->setPointed(Step(50));
    const QString at = page.tiles()->tileText(0);
    QVERIFY2(at.startsWith(QStringLiteral("Step: 25")) && at.contains(QStringLiteral("ranks 15")),
             qPrintable(at));
    QVERIFY(page.grab().toImage() != before);
    page.tiles()->setPointed(std::nullopt);
    QCOMPARE(page.tiles()->tileText(0), newest);
    QCOMPARE(page.grab().toImage(), before);
  }

  void tenThousandQuantitiesHaveATileEach() {
    std::vector<MetricSeriesBatch> batches;
    for (int i = 0; i < 10'000; ++i)
      batches.push_back(
          {"layer." + std::to_string(i) + ".norm", Rank(0), {{0, TimePoint{}, 1.0}, {1, TimePoint{}, 2.0}}});
    MetricStore store;
    store.add(batches);
    RankPage page;
    page.resize(800, 500);
    page.show();
    page.setMetrics(store.snapshot());
    page.setRank(Rank(0));
    page.refreshNow();
    QCOMPARE(page.tiles()->tileCount(), 10'000);
    QVERIFY2(page.tiles()->tileText(0).contains(QStringLiteral(": 2")),
             qPrintable(page.tiles()->tileText(0)));
    QVERIFY(page.tiles()->tileText(9999).startsWith(QStringLiteral("layer.")));
  }

  void otherRanksAreAButtonAway() {
    RankPage page;
    page.setMetrics(manyRanks(4, 50));
    page.setRank(Rank(2));
    const auto buttons = page.findChildren<QToolButton*>();
    const auto named = [&](const QString& name) {
      for (QToolButton* const button : buttons)
        if (button->accessibleName() == name) return button;
      return static_cast<QToolButton*>(nullptr);
    };
    named(QStringLiteral("The next rank"))->click();
    QCOMPARE(page.rank(), Rank(3));
    QVERIFY(!named(QStringLiteral("The next rank"))->isEnabled());
    named(QStringLiteral("The rank before"))->click();
    QCOMPARE(page.rank(), Rank(2));
  }

  void escapeGoesBack() {
    RankPage page;
    page.show();
    QSignalSpy back(&page, &RankPage::backRequested);
    QTest::keyClick(page.tiles(), Qt::Key_Escape);
    QCOMPARE(back.size(), 1);
    page.findChild<QToolButton*>(QStringLiteral("backToCards"))->click();
    QCOMPARE(back.size(), 2);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RankPageTest)
#include "rank_page_test.moc"
