// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/comparison/verdict_text.h"

#include <QCoreApplication>
#include <QLocale>

#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/charts/metric_texts.h"

namespace lockstep {
namespace {

// A namespace has no tr(); this one stands for all functions of the file.
struct VerdictText {
  Q_DECLARE_TR_FUNCTIONS(lockstep::VerdictText)
};

/// With the user's decimal point.
QString localNumber(const std::string& number) {
  QString text = toQString(number);
  return text.replace(QLatin1Char('.'), QLocale().decimalPoint());
}

QString amountText(double value, const std::optional<double>& uncertainty) {
  const RoundedNumber number = rounded(value, uncertainty);
  if (number.uncertainty.empty()) return localNumber(number.value);
  return QStringLiteral("%1 ± %2").arg(localNumber(number.value), localNumber(number.uncertainty));
}

/// Of a rate that is clearly higher: by how many percent.
QString fasterText(const Verdict& verdict, const std::vector<std::string>& labels) {
  const double base = verdict.share > 0 ? verdict.difference / verdict.share : 0;
  const auto uncertainty = base > 0 ? std::optional(100 * *verdict.uncertainty / base) : std::nullopt;
  return VerdictText::tr("%1 is %2 % faster than %3")
      .arg(toShownLine(labels[verdict.best]), amountText(100 * verdict.share, uncertainty),
           toShownLine(labels[verdict.next]));
}

}  // namespace

QString titleOfResult(const std::string& metric) {
  const MetricInfo* info = findMetric(metric);
  return info == nullptr ? toShownLine(metric) : titleOfMetric(*info);
}

QString verdictText(const Verdict& verdict, const std::vector<std::string>& labels) {
  if (verdict.kind == Verdict::Kind::Unknown) return {};
  const QString title = titleOfResult(verdict.metric);
  const QString best = toShownLine(labels[verdict.best]), next = toShownLine(labels[verdict.next]);
  const QString amount = amountText(verdict.difference, verdict.uncertainty);
  if (verdict.kind == Verdict::Kind::Open && verdict.uncertainty)
    return VerdictText::tr("%1: no difference between %2 and %3 can be told (%4)")
        .arg(title, best, next, amount);
  const QString line = verdict.isLargerBetter
                           ? VerdictText::tr("%1: %2 is %3 higher than %4").arg(title, best, amount, next)
                           : VerdictText::tr("%1: %2 is %3 lower than %4").arg(title, best, amount, next);
  if (verdict.kind == Verdict::Kind::Clear) return line;
  return VerdictText::tr("%1; too few values tell how sure that is").arg(line);
}

QString verdictText(const std::vector<ComparedRun>& runs, const std::string& metric) {
  const auto labels = labelsOf(runs);
  QString line = verdictText(verdictOn(runs, metric), labels);
  for (const std::string_view rate : {metric::kTokensPerSecond, metric::kSamplesPerSecond}) {
    if (metric == rate) continue;
    const Verdict throughput = verdictOn(runs, std::string(rate));
    if (throughput.kind != Verdict::Kind::Clear) continue;
    const QString faster = fasterText(throughput, labels);
    return line.isEmpty() ? faster : VerdictText::tr("%1; %2").arg(line, faster);
  }
  return line.isEmpty() ? VerdictText::tr("Nothing tells which of them is better") : line;
}

QString textOf(DifferenceArea area) {
  switch (area) {
    case DifferenceArea::Arguments:
      return VerdictText::tr("Arguments");
    case DifferenceArea::Environment:
      return VerdictText::tr("Environment");
    case DifferenceArea::Image:
      return VerdictText::tr("Image");
    case DifferenceArea::Code:
      return VerdictText::tr("Code");
    case DifferenceArea::Cluster:
      return VerdictText::tr("Cluster");
  }
  return {};
}

}  // namespace lockstep
