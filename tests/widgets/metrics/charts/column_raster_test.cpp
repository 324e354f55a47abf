// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/column_raster.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <random>

namespace lockstep {
namespace {

QImage canvas(int width, int height) {
  QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  return image;
}

}  // namespace

class ColumnRasterTest : public QObject {
  Q_OBJECT

 private slots:
  // Whatever line goes through them, with its points anywhere: no column misses where it is highest or lowest.
  void everyExtremeIsInItsColumn() {
    for (unsigned seed = 0; seed < 50; ++seed) {
      std::mt19937 random(seed);
      ColumnExtents extents(40);
      double x = -5, y = 50;
      std::vector<std::pair<double, double>> points{{x, y}};
      while (x < 45) {
        x += std::uniform_real_distribution(0.0, seed % 2 == 0 ? 0.7 : 6.0)(random);
        y = std::uniform_real_distribution(0.0, 100.0)(random);
        extents.addLine(points.back().first, points.back().second, x, y);
        points.emplace_back(x, y);
      }
      for (std::size_t i = 1; i < points.size(); ++i) {
        for (double share = 0; share <= 1; share += 0.125) {
          const double atX = points[i - 1].first + (points[i].first - points[i - 1].first) * share;
          const double atY = points[i - 1].second + (points[i].second - points[i - 1].second) * share;
          if (atX < 0 || atX >= 40) continue;
          const auto& extent = extents.columns()[static_cast<std::size_t>(atX)];
          QVERIFY2(extent.top <= atY + 1e-3 && extent.bottom >= atY - 1e-3,
                   qPrintable(QString::number(seed)));
        }
      }
    }
  }

  void aLineHasItsWidthAndItsColour() {
    QImage image = canvas(10, 20);
    ColumnExtents line(10);
    line.addLine(0, 10, 10, 10);
    strokeColumns(image, line, 2, Qt::red, {});
    for (int x = 0; x < 10; ++x) {
      QCOMPARE(image.pixelColor(x, 9), QColor(Qt::red));
      QCOMPARE(image.pixelColor(x, 10), QColor(Qt::red));
      QCOMPARE(qAlpha(image.pixel(x, 8)), 0);
      QCOMPARE(qAlpha(image.pixel(x, 11)), 0);
    }
  }

  void partOfAPixelIsPartOfTheColour() {
    QImage image = canvas(1, 10);
    ColumnExtents line(1);
    line.addLine(0, 5, 1, 5);
    strokeColumns(image, line, 1, Qt::blue, {});
    for (const int y : {4, 5})
      QVERIFY2(std::abs(qAlpha(image.pixel(0, y)) - 128) < 4,
               qPrintable(QString::number(qAlpha(image.pixel(0, y)))));
  }

  void dashesLeaveColumnsOut() {
    QImage image = canvas(12, 10);
    ColumnExtents line(12);
    line.addLine(0, 5, 12, 5);
    strokeColumns(image, line, 2, Qt::red, {4, 2});
    for (int x = 0; x < 12; ++x) QCOMPARE(qAlpha(image.pixel(x, 5)) > 0, x % 6 < 4);
  }

  void anAreaLiesBetweenItsLines() {
    QImage image = canvas(10, 40);
    ColumnExtents upper(10), lower(10);
    upper.addLine(0, 10, 10, 10);
    lower.addLine(0, 30, 10, 30);
    QColor faint(Qt::red);
    faint.setAlpha(51);
    fillBetween(image, upper, lower, faint);
    QCOMPARE(qAlpha(image.pixel(4, 20)), 51);
    QCOMPARE(qAlpha(image.pixel(4, 9)), 0);
    QCOMPARE(qAlpha(image.pixel(4, 30)), 0);
    fillBetween(image, upper, lower, faint);
    QVERIFY(std::abs(qAlpha(image.pixel(4, 20)) - 92) <= 2);  // laid over itself
  }

  void oddNumbersDoNoHarm() {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    QImage image = canvas(10, 10);
    ColumnExtents line(10);
    for (const double odd : {nan, inf, -inf, 1e308, -1e308, 1e18}) {
      line.addLine(0, odd, 5, 5);
      line.addLine(odd, 1, 5, 5);
      line.addLine(0, 5, odd, 5);
    }
    strokeColumns(image, line, 2, Qt::red, {});
    ColumnExtents none(0);
    none.addLine(0, 0, 1, 1);
    fillBetween(image, none, line, Qt::red);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::ColumnRasterTest)
#include "column_raster_test.moc"
