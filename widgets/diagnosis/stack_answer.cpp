// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/diagnosis/stack_answer.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "health/stack_reader.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

struct StackWords {
  Q_DECLARE_TR_FUNCTIONS(StackWords)
};

QString withLineEnd(QString text) {
  if (!text.endsWith(QLatin1Char('\n'))) text += QLatin1Char('\n');
  return text;
}

QString processText(const ProcessStack& process) {
  QString text = withLineEnd(
      StackWords::tr("Process %1: %2").arg(QString::number(process.pid), toShownLine(process.command)));
  if (!process.state.empty()) text += QLatin1String("  ") + withLineEnd(toShownLine(process.state));
  if (process.problem.empty()) return text + withLineEnd(toShownText(process.stack));
  return text + QLatin1String("  ") +
         withLineEnd(StackWords::tr("No stack: %1").arg(toShownLine(process.problem)));
}

QString reportText(const StackReport& report) {
  QString text = withLineEnd(
      StackWords::tr("Rank %1 on %2 (%3)")
          .arg(QString::number(report.rank.value), toShownLine(report.node), toShownLine(report.host)));
  for (const ProcessStack& process : report.processes) text += processText(process);
  return text;
}

}  // namespace

std::vector<Rank> ranksToAsk(const RunFinding& finding) {
  const bool isAboutAPlace = finding.kind == FindingKind::Stall || finding.kind == FindingKind::SilentRank ||
                             finding.kind == FindingKind::Straggler;
  if (!isAboutAPlace || finding.end) return {};
  std::vector<Rank> ranks = finding.ranks;
  if (ranks.size() > kMostAsked) ranks.resize(kMostAsked);
  return ranks;
}

QString stacksText(const StackAnswer& answer) {
  std::vector<const StackReport*> reports;
  for (const StackReport& report : answer.reports) reports.push_back(&report);
  std::stable_sort(reports.begin(), reports.end(),
                   [](const StackReport* a, const StackReport* b) { return a->rank < b->rank; });
  QString text;
  for (const StackReport* report : reports)
    text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + reportText(*report);
  return text;
}

QString stateText(const StackAnswer& answer) {
  if (answer.isEmpty()) return {};
  if (answer.problem) return asSentence(describe(*answer.problem));
  const auto number = [](std::size_t count) { return QLocale().toString(static_cast<qulonglong>(count)); };
  if (answer.isWaiting && answer.reports.empty())
    return StackWords::tr("Asked. The nodes look every %1 seconds whether somebody asks.")
        .arg(number(static_cast<std::size_t>(kStackInterval.count())));
  if (answer.reports.empty())
    return StackWords::tr(
        "No node has answered: the nodes may be gone, may not reach the work dir, run another agent than "
        "lockstep-node or an older one, or were told not to answer (LOCKSTEP_STACKS=0).");
  if (answer.reports.size() >= answer.asked.size()) return {};
  return StackWords::tr("%1 of %2 ranks have answered.")
      .arg(number(answer.reports.size()), number(answer.asked.size()));
}

}  // namespace lockstep
