// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/findings_summary.h"

#include <algorithm>

#include "diagnosis/findings/finding_catalogue.h"

namespace lockstep {

RunFindings findingsOf(const DiagnosisReport& report, const std::set<std::string>& muted) {
  RunFindings found;
  auto worst = FindingSeverity::Notice;
  for (const RunFinding& finding : report.findings) {
    if (finding.end || muted.contains(finding.key())) continue;
    ++found.count;
    worst = std::max(worst, finding.severity);
    const std::string kind = infoOf(finding.kind).code;
    if (std::find(found.kinds.begin(), found.kinds.end(), kind) == found.kinds.end())
      found.kinds.push_back(kind);
  }
  if (found.count > 0) found.worst = codeOf(worst);
  return found;
}

}  // namespace lockstep
