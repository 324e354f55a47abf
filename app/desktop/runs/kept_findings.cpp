// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/kept_findings.h"

#include <utility>

#include "app/desktop/runs/run_access.h"
#include "diagnosis/findings_summary.h"
#include "diagnosis/muted_findings.h"

namespace lockstep {

KeptFindings::KeptFindings(QObject* parent) : QObject(parent) {
  connect(&task_, &BackgroundTask::finished, this, [this] {
    if (const auto look = std::exchange(next_, std::nullopt)) write(*look);
  });
}

void KeptFindings::take(const RunId& id, std::shared_ptr<const DiagnosisReport> report) {
  const Look look{id, std::move(report)};
  // One after the other, so that the newest look is what stands there at last.
  task_.isRunning() ? void(next_ = look) : write(look);
}

void KeptFindings::write(const Look& look) {
  const auto work = [look, written = written_](const std::stop_token&) -> Result<Written> {
    // A list that cannot be read mutes nothing.
    const auto muted = readMutedFindings(mutedFindingsFile());
    const auto keys = muted ? muted->keysOf(look.id, look.report->time) : std::set<std::string>();
    Written now{look.id, findingsOf(*look.report, keys)};
    if (now == written) return now;
    auto store = openRunStore();
    if (!store) return failure(store.error());
    if (auto done = (*store)->keepFindings(now.first, now.second); !done) return failure(done.error());
    return now;
  };
  task_.start(work, [this](const Result<Written>& written) { finish(written); });
}

void KeptFindings::finish(const Result<Written>& written) {
  if (written) {
    if (written_ == *written) return;
    written_ = *written;
    emit kept(written->first, written->second);
  } else if (written.error().code != ErrorCode::NotFound) {
    emit failed(written.error());
  }
}

}  // namespace lockstep
