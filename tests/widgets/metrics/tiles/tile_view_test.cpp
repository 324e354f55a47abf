// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/tiles/tile_view.h"

#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <map>

namespace lockstep {
namespace {

class NumberedTiles final : public TileView {
 public:
  int count = 1024;
  std::map<int, int> computed, painted;

  [[nodiscard]] int tileCount() const override { return count; }
  [[nodiscard]] QString tileText(int tile) const override { return QStringLiteral("tile %1").arg(tile); }
  using TileView::setOld;

 protected:
  [[nodiscard]] QSize tileSize() const override { return {100, 50}; }
  void computeTile(int tile, int) override { ++computed[tile]; }
  void paintTile(QPainter&, const QRect&, int tile) override { ++painted[tile]; }
};

}  // namespace

class TileViewTest : public QObject {
  Q_OBJECT
 private slots:
  void onlyWhatIsInSightIsComputedAndDrawn() {
    NumberedTiles tiles;
    tiles.resize(360, 170);  // three columns and a scroll bar
    tiles.show();
    tiles.setOld();
    QVERIFY(QTest::qWaitForWindowExposed(&tiles));
    QTRY_VERIFY(!tiles.computed.empty());
    tiles.refreshNow();
    const auto [first, end] = tiles.tilesInSight();
    QCOMPARE(first, 0);
    QVERIFY(end >= 9 && end <= 12);
    for (const auto& [tile, times] : tiles.computed)
      QVERIFY2(tile < end && times == 1, qPrintable(QString::number(tile)));
    for (const auto& [tile, times] : tiles.painted) QVERIFY(tile < end);
    tiles.computed.clear();
    tiles.verticalScrollBar()->setValue(tiles.verticalScrollBar()->maximum());
    tiles.refreshNow();
    QVERIFY(tiles.computed.contains(1023));
    QVERIFY(tiles.computed.size() <= 12);
  }

  void oldTilesAreComputedAgain() {
    NumberedTiles tiles;
    tiles.count = 2;
    tiles.resize(330, 170);
    tiles.refreshNow();
    tiles.refreshNow();
    QCOMPARE(tiles.computed[0], 1);
    tiles.setOld();
    tiles.refreshNow();
    QCOMPARE(tiles.computed[0], 2);
  }

  void arrowsGoThroughThemAndAScreenReaderReadsThem() {
    NumberedTiles tiles;
    tiles.count = 30;
    tiles.resize(330, 170);
    tiles.show();
    QSignalSpy activated(&tiles, &TileView::tileActivated);
    QTest::keyClick(&tiles, Qt::Key_Right);
    QTest::keyClick(&tiles, Qt::Key_Down);
    QCOMPARE(tiles.currentTile(), 4);
    QCOMPARE(tiles.accessibleDescription(), QStringLiteral("tile 4"));
    QTest::keyClick(&tiles, Qt::Key_End);
    QCOMPARE(tiles.currentTile(), 29);
    QCOMPARE(tiles.verticalScrollBar()->value(), tiles.verticalScrollBar()->maximum());
    QTest::keyClick(&tiles, Qt::Key_Right);
    QCOMPARE(tiles.currentTile(), 29);
    QTest::keyClick(&tiles, Qt::Key_Return);
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated[0][0].toInt(), 29);
    QTest::keyClick(&tiles, Qt::Key_Home);
    QTest::mouseDClick(tiles.viewport(), Qt::LeftButton, {}, QPoint(150, 20));
    QCOMPARE(activated[1][0].toInt(), 1);
  }

  void withoutTilesItSaysWhy() {
    NumberedTiles tiles;
    tiles.count = 0;
    tiles.setEmptyText(QStringLiteral("Nothing here"));
    tiles.resize(300, 200);
    const QImage said = tiles.grab().toImage();
    tiles.setEmptyText({});
    QVERIFY(tiles.grab().toImage() != said);
    QTest::keyClick(&tiles, Qt::Key_Return);
    QTest::keyClick(&tiles, Qt::Key_End);
    QCOMPARE(tiles.currentTile(), 0);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::TileViewTest)
#include "tile_view_test.moc"
