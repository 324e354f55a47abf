// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <memory>
#include <optional>

#include "app/desktop/support/background_task.h"
#include "diagnosis/diagnosis.h"
#include "runs/run_summary.h"

namespace lockstep {

/// Keeps what was found in the run that is followed in the history, so that lists show it: written when it differs from what was
/// written last, in a thread. UI thread; blocks nothing.
class KeptFindings : public QObject {
  Q_OBJECT
 public:
  explicit KeptFindings(QObject* parent = nullptr);
  /// The newest look at a run. `report` is not null.
  void take(const RunId& id, std::shared_ptr<const DiagnosisReport> report);

 signals:
  void kept(const lockstep::RunId& id, const lockstep::RunFindings& findings);
  void failed(const lockstep::Error& error);

 private:
  struct Look {
    RunId id;
    std::shared_ptr<const DiagnosisReport> report;
  };
  using Written = std::pair<RunId, RunFindings>;
  void write(const Look& look);
  void finish(const Result<Written>& written);

  BackgroundTask task_;
  std::optional<Look> next_;        // while one is being written
  std::optional<Written> written_;  // what stands in the history of the last run
};

}  // namespace lockstep
