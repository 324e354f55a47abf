// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/diagnosis/finding_texts.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "diagnosis/findings/finding_catalogue.h"
#include "widgets/common/text/number_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/charts/metric_texts.h"

namespace lockstep {
namespace {

struct FindingWords {
  Q_DECLARE_TR_FUNCTIONS(FindingWords)
};

/// The contexts under which the texts of core are filed; what a stall is about stands in the second.
struct FindingTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::FindingTexts)
};
struct HealthTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::HealthTexts)
};
struct RankPhaseTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::RankPhaseTexts)
};

QString translated(const char* english) {
  const QString text = FindingTexts::tr(english);
  return text == QLatin1String(english) ? HealthTexts::tr(english) : text;
}

QString argumentText(const FindingArgument& argument) {
  switch (argument.kind) {
    case FindingArgument::Kind::Metric: {
      const MetricInfo* metric = findMetric(argument.text);
      return metric == nullptr ? toShownLine(argument.text) : titleOfMetric(*metric);
    }
    case FindingArgument::Kind::Phase:
      return RankPhaseTexts::tr(argument.text.c_str());
    case FindingArgument::Kind::Plain:
      break;
  }
  return toShownLine(argument.text);
}

}  // namespace

// By hand: what stands in for "%1" may hold a "%2" of its own.
QString textOf(const FindingText& text) {
  if (text.isEmpty()) return {};
  const QString pattern = translated(text.english);
  QString shown;
  for (qsizetype i = 0; i < pattern.size(); ++i) {
    const int place = i + 1 < pattern.size() ? pattern[i + 1].digitValue() - 1 : -1;
    const bool isPlace = pattern[i] == QLatin1Char('%') && place >= 0 &&
                         static_cast<std::size_t>(place) < text.arguments.size();
    if (isPlace) {
      shown += argumentText(text.arguments[static_cast<std::size_t>(place)]);
      ++i;
    } else {
      shown += pattern[i];
    }
  }
  return shown;
}

QString sentenceOf(const FindingText& text) {
  const QString clause = textOf(text);
  return clause.isEmpty() ? QString() : asSentence(toStdString(clause)) + QLatin1Char('.');
}

QString kindText(FindingKind kind) {
  return FindingTexts::tr(infoOf(kind).title);
}

QString severityText(FindingSeverity severity) {
  return FindingTexts::tr(titleOf(severity));
}

QString confidenceText(double confidence) {
  return FindingWords::tr("%1 (%2)").arg(FindingTexts::tr(wordForConfidence(confidence)),
                                         percentText(100 * confidence));
}

QString sinceText(const RunFinding& finding, TimePoint now) {
  const QString begin = clockTimeText(finding.since);
  if (finding.end) return FindingWords::tr("%1 to %2").arg(begin, clockTimeText(*finding.end));
  QStringList parts{begin};
  if (finding.step) parts << FindingWords::tr("step %1").arg(QLocale().toString(*finding.step));
  const auto lasting = std::chrono::floor<std::chrono::seconds>(now - finding.since);
  if (lasting.count() > 0) parts << FindingWords::tr("for %1").arg(lagText(lasting));
  return parts.join(QStringLiteral(", "));
}

BadgeTone toneOf(FindingSeverity severity) {
  switch (severity) {
    case FindingSeverity::Critical:
      return BadgeTone::Error;
    case FindingSeverity::Warning:
      return BadgeTone::Warning;
    case FindingSeverity::Notice:
      break;
  }
  return BadgeTone::Info;
}

QString plainText(const RunFinding& finding, TimePoint now) {
  QStringList lines{sentenceOf(finding.what)};
  lines << FindingWords::tr("Since: %1").arg(sinceText(finding, now));
  for (const FindingText& fact : finding.evidence)
    lines << FindingWords::tr("Measured: %1").arg(textOf(fact));
  for (const FindingText& gap : finding.unmeasured)
    lines << FindingWords::tr("Not measured: %1").arg(textOf(gap));
  if (!finding.cause.isEmpty()) lines << FindingWords::tr("Likely: %1").arg(sentenceOf(finding.cause));
  if (!finding.remedy.isEmpty()) lines << FindingWords::tr("To do: %1").arg(sentenceOf(finding.remedy));
  lines << FindingWords::tr("How sure: %1").arg(confidenceText(finding.confidence));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace lockstep
