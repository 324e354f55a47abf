// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QImage>
#include <QTest>
#include <cmath>
#include <string>

#include "metrics/metric_sample.h"
#include "widgets/common/text/number_text.h"
#include "widgets/metrics/charts/metric_plot.h"

namespace lockstep {

/// A quantity under its own name.
inline PlotQuantity quantityOf(const char* name) {
  return {name, QString::fromUtf8(name), valueText, false, 0};
}

/// A step a second, from the first second on. Slightly waved: a level line may fall between two rows of pixels and have its
/// colour in neither.
inline MetricSeriesBatch waveOf(const char* name, int rank, double value, Step steps = 200) {
  MetricSeriesBatch batch{name, Rank(rank), {}};
  for (Step i = 0; i < steps; ++i)
    batch.points.push_back(
        {i, TimePoint(std::chrono::seconds(i + 1)), value + 0.2 * std::sin(static_cast<double>(i) * 0.1)});
  return batch;
}

inline QImage pictureOf(MetricPlot& plot) {
  plot.resize(600, 300);
  plot.show();
  QTest::qWait(10);
  plot.refreshNow();
  return plot.grab().toImage();
}

inline int pixelsNear(const QImage& image, const QColor& color) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel = image.pixelColor(x, y);
      count += std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
                   std::abs(pixel.blue() - color.blue()) <
               24;
    }
  return count;
}

}  // namespace lockstep
