// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/tiles/sparkline.h"

#include <QImage>
#include <QPainter>
#include <QTest>
#include <cmath>
#include <limits>

namespace lockstep {

class SparklineTest : public QObject {
  Q_OBJECT

  static void add(MetricStore& store, std::string_view name, int rank, const std::vector<double>& values) {
    MetricSeriesBatch batch{std::string(name), Rank(rank), {}};
    for (std::size_t i = 0; i < values.size(); ++i)
      batch.points.push_back({static_cast<Step>(i), TimePoint(std::chrono::seconds(100 + i)), values[i]});
    store.add(batch);
  }
  static int colored(const QImage& image, int x) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y) count += image.pixelColor(x, y) != QColor(Qt::white);
    return count;
  }
  static QImage drawn(const Sparkline& line, const SparkRange& range) {
    QImage image(100, 40, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintSparkline(painter, QRectF(0, 1, 100, 38), line, range, Qt::black);
    return image;
  }

 private slots:
  void oneRankHasItsOwnValues() {
    MetricStore store;
    add(store, metric::kCpuPercent, 0, {10, 20, 90, 40});
    const std::vector<Rank> ranks{Rank(0)};
    const Sparkline line = sparklineOf(store, metric::kCpuPercent, ranks, {}, 50);
    QCOMPARE(line.newest, std::optional(40.0));
    QCOMPARE(newestText(metric::kCpuPercent, line), QStringLiteral("40 %"));
    const SparkRange range = rangeOf(metric::kCpuPercent, {&line});
    QCOMPARE(range.low, 0.0);
    QCOMPARE(range.high, 100.0);  // as the catalogue says
  }

  void ofMoreRanksItIsTheMedianWithTheExtremes() {
    MetricStore store;
    for (int rank = 0; rank < 5; ++rank)
      add(store, metric::kNetworkInBytesPerSecond, rank, {1e6 * rank, 1e6 * rank});
    std::vector<Rank> ranks;
    for (int rank = 0; rank < 5; ++rank) ranks.emplace_back(rank);
    const Sparkline line = sparklineOf(store, metric::kNetworkInBytesPerSecond, ranks, {}, 10);
    QVERIFY(!line.points.empty());
    QCOMPARE(line.points.front().middle, 2e6);
    QCOMPARE(line.points.front().low, 0.0);
    QCOMPARE(line.points.front().high, 4e6);
    QCOMPARE(line.newest, std::optional(4e6));  // the largest, since all ranks of a node measure the same
  }

  void aSpikeIsSeenAndAGapIsNone() {
    MetricStore store;
    std::vector<double> values(10'000, 1.0);
    values[5000] = 100;
    for (std::size_t i = 8000; i < 9000; ++i) values[i] = std::numeric_limits<double>::quiet_NaN();
    add(store, "own", 0, values);
    const std::vector<Rank> ranks{Rank(0)};
    const Sparkline line = sparklineOf(store, "own", ranks, {}, 100);
    const QImage image = drawn(line, rangeOf("own", {&line}));
    int highest = 0;
    for (int x = 48; x <= 52; ++x) highest = std::max(highest, colored(image, x));
    QVERIFY2(highest > 25, qPrintable(QString::number(highest)));
    QVERIFY(colored(image, 20) > 0);
    QCOMPARE(colored(image, 85), 0);
  }

  void nothingMeasuredIsSaid() {
    const MetricStore store;
    const std::vector<Rank> ranks{Rank(0)};
    const Sparkline line = sparklineOf(store, metric::kGpuPercent, ranks, {}, 100);
    QVERIFY(!line.isMeasured());
    QCOMPARE(newestText(metric::kGpuPercent, line), QStringLiteral("–"));
    const SparkRange range = rangeOf(metric::kGpuPercent, {&line});
    QVERIFY(range.low < range.high);
  }

  void oneValueIsNotAtTheEdge() {
    MetricStore store;
    add(store, "own", 0, {5});
    const std::vector<Rank> ranks{Rank(0)};
    const Sparkline line = sparklineOf(store, "own", ranks, {}, 100);
    const SparkRange range = rangeOf("own", {&line});
    QVERIFY(range.low < 5 && range.high > 5);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::SparklineTest)
#include "sparkline_test.moc"
