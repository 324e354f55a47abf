// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/metric_texts.h"

#include <QCoreApplication>
#include <cmath>

#include "widgets/common/text/number_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

/// The context under which the texts of the catalogue are filed.
struct MetricTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::MetricTexts)
};

// Qt takes an empty text for the question after the head of the translations.
QString translated(const char* text) {
  return *text == '\0' ? QString() : MetricTexts::tr(text);
}

}  // namespace

QString titleOfMetric(const MetricInfo& metric) {
  return translated(metric.title);
}

QString headingOfMetric(const MetricInfo& metric) {
  const QString symbol = translated(symbolInHeading(metric.unit));
  return symbol.isEmpty() ? titleOfMetric(metric)
                          : QStringLiteral("%1, %2").arg(titleOfMetric(metric), symbol);
}

QString shortTitleOfMetric(const MetricInfo& metric) {
  return *metric.shortTitle == '\0' ? titleOfMetric(metric) : translated(metric.shortTitle);
}

QString noteOfMetric(const MetricInfo& metric) {
  return translated(metric.note);
}

QString titleOfGroup(MetricGroup group) {
  return translated(titleOf(group));
}

QString metricValueText(MetricUnit unit, double value) {
  if (!std::isfinite(value)) return valueText(value);
  switch (unit) {
    case MetricUnit::Percent:
    case MetricUnit::PercentOfOneCore:
      return percentText(value);
    case MetricUnit::Bytes:
      return bytesText(value);
    case MetricUnit::BytesPerSecond:
      return bytesText(value) + QStringLiteral("/s");
    case MetricUnit::Count:
    case MetricUnit::PerSecond:
      return countText(value);
    case MetricUnit::None:
      return valueText(value);
    case MetricUnit::Milliseconds:
    case MetricUnit::Watts:
    case MetricUnit::Celsius:
    case MetricUnit::Megahertz:
      break;
  }
  return QStringLiteral("%1 %2").arg(valueText(value), translated(symbolOf(unit)));
}

PlotQuantity plotQuantity(std::string_view name) {
  const MetricInfo* metric = findMetric(name);
  if (metric == nullptr) return {std::string(name), toShownLine(name), valueText, false, 0};
  const auto text = [unit = metric->unit](double value) { return metricValueText(unit, value); };
  return {std::string(name), headingOfMetric(*metric), text, metric->axis.fromZero, metric->axis.atLeastTo};
}

}  // namespace lockstep
