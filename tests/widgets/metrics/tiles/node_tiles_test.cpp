// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/tiles/node_tiles.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

namespace lockstep {

class NodeTilesTest : public QObject {
  Q_OBJECT

  static void add(MetricStore& store, std::string_view name, int rank, double value) {
    MetricSeriesBatch batch{std::string(name), Rank(rank), {}};
    for (Step i = 0; i < 20; ++i) batch.points.push_back({i, TimePoint(std::chrono::seconds(i)), value});
    store.add(batch);
  }
  static std::shared_ptr<const MetricStore> runOf(int ranks, bool hasGpus) {
    MetricStore store;
    for (int rank = 0; rank < ranks; ++rank) {
      add(store, metric::kCpuPercent, rank, 10.0 + rank);
      add(store, metric::kNetworkInBytesPerSecond, rank, 5e6);
      if (hasGpus) add(store, metric::kGpuTemperatureCelsius, rank, 60 + rank % 8);
    }
    return store.snapshot();
  }
  static std::vector<RankNode> nodesOf(int ranks, int perNode) {
    std::vector<RankNode> nodes;
    for (int rank = 0; rank < ranks; ++rank)
      nodes.push_back({Rank(rank), QStringLiteral("node_%1").arg(rank / perNode), {}});
    return nodes;
  }

 private slots:
  void eachNodeIsFollowedByItsGpus() {
    NodeTiles tiles;
    tiles.setNodes(nodesOf(4, 2));
    tiles.setMetrics(runOf(4, true));
    QCOMPARE(tiles.tileCount(), 2 + 4);
    QVERIFY(tiles.tileText(0).startsWith(QStringLiteral("node_0")));
    QVERIFY(tiles.tileText(1).contains(QStringLiteral("GPU of rank 0")));
    QVERIFY(tiles.tileText(3).startsWith(QStringLiteral("node_1")));
  }

  void withoutGpusThereAreNodesAlone() {
    NodeTiles tiles;
    tiles.setMetrics(runOf(3, false));
    QCOMPARE(tiles.tileCount(), 3);  // nobody has said which node a rank is on
    tiles.setNodes(nodesOf(3, 3));
    QTRY_COMPARE(tiles.tileCount(), 1);
    tiles.setMetrics(nullptr);
    QCOMPARE(tiles.tileCount(), 0);
  }

  void whatIsMeasuredIsSaidAndWhatIsNotToo() {
    NodeTiles tiles;
    tiles.resize(800, 400);
    tiles.setNodes(nodesOf(2, 2));
    tiles.setMetrics(runOf(2, true));
    tiles.refreshNow();
    QVERIFY2(tiles.tileText(0).contains(QStringLiteral("5 MB/s")), qPrintable(tiles.tileText(0)));
    QVERIFY(tiles.tileText(0).contains(QStringLiteral("Disk reads: not measured")));
    QVERIFY2(tiles.tileText(2).contains(QStringLiteral("61")), qPrintable(tiles.tileText(2)));
    QVERIFY(tiles.tileText(2).contains(QStringLiteral("GPU power: not measured")));
  }

  void aTileAsksForItsRanks() {
    NodeTiles tiles;
    tiles.setNodes(nodesOf(4, 2));
    tiles.setMetrics(runOf(4, true));
    std::vector<Rank> asked;
    connect(&tiles, &NodeTiles::ranksActivated, &tiles,
            [&](const std::vector<Rank>& ranks) { asked = ranks; });
    emit tiles.tileActivated(3);
    QVERIFY((asked == std::vector{Rank(2), Rank(3)}));
    emit tiles.tileActivated(4);
    QVERIFY(asked == std::vector{Rank(2)});
  }

  void aThousandRanksCostWhatIsInSight() {
    NodeTiles tiles;
    tiles.resize(900, 500);
    tiles.setNodes(nodesOf(1024, 8));
    tiles.setMetrics(runOf(1024, true));
    QCOMPARE(tiles.tileCount(), 128 + 1024);
    QElapsedTimer spent;
    spent.start();
    tiles.refreshNow();
    QVERIFY2(spent.elapsed() < 1500, qPrintable(QString::number(spent.elapsed())));
    const auto [first, end] = tiles.tilesInSight();
    QVERIFY(end - first < 20);
    QVERIFY2(!tiles.tileText(600).contains(QLatin1Char('\n')), "what nobody sees is not computed");
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::NodeTilesTest)
#include "node_tiles_test.moc"
