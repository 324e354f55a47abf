// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/found_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "diagnosis/findings/finding_catalogue.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/diagnosis/finding_texts.h"

namespace lockstep {
namespace {

struct FoundText {
  Q_DECLARE_TR_FUNCTIONS(FoundText)
};

/// A word that is none, of a newer Lockstep, counts for the least.
FindingSeverity worstOf(const RunFindings& findings) {
  for (const auto severity : {FindingSeverity::Critical, FindingSeverity::Warning})
    if (findings.worst == codeOf(severity)) return severity;
  return FindingSeverity::Notice;
}

QString titleOfKind(const std::string& code) {
  const auto kind = findingKindNamed(code);
  return kind ? kindText(*kind) : toShownLine(code);
}

}  // namespace

QString findingsText(const RunSummary& run) {
  return run.findings ? QLocale().toString(run.findings->count) : QString();
}

QString findingsSentence(const RunSummary& run) {
  if (!run.findings) return FoundText::tr("Nobody has looked for findings");
  if (run.findings->count == 0) return FoundText::tr("No findings");
  return FoundText::tr("%Ln finding(s), the worst: %1", nullptr, run.findings->count)
      .arg(severityText(worstOf(*run.findings)));
}

QString findingsToolTip(const RunSummary& run) {
  QStringList lines{findingsSentence(run)};
  if (run.findings)
    for (const std::string& kind : run.findings->kinds) lines << titleOfKind(kind);
  if (lines.size() > 1) lines << FoundText::tr("As of when it was followed last");
  return lines.join(QLatin1Char('\n'));
}

BadgeTone toneOf(const RunFindings& findings) {
  return toneOf(worstOf(findings));
}

double weightOf(const RunFindings& findings) {
  if (findings.count <= 0) return 0;
  constexpr double kMoreThanAnyCount = 1e9;
  return (1 + static_cast<int>(worstOf(findings))) * kMoreThanAnyCount + findings.count;
}

}  // namespace lockstep
