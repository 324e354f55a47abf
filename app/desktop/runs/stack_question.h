// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <chrono>
#include <string>
#include <vector>

#include "app/desktop/runs/run_access.h"
#include "app/desktop/support/background_task.h"
#include "widgets/diagnosis/stack_answer.h"

namespace lockstep {

/// Asks the nodes of a run where in their code some ranks are, and waits for what they answer (StackReader), in a thread. One
/// question at a time: the next one ends the one before, which nodes would not answer any more. UI thread.
class StackQuestion : public QObject {
  Q_OBJECT
 public:
  static constexpr std::chrono::seconds kWait{90};  // as long as `lockstep stacks` waits

  explicit StackQuestion(std::chrono::milliseconds wait = kWait, QObject* parent = nullptr);
  /// `finding`: the key of the one it is about, which comes back with the answers. `ranks` is not empty.
  void ask(const TrainingRun& run, const std::string& finding, std::vector<Rank> ranks,
           const PassPhrases& passPhrases);
  /// Nothing is told any more.
  void cancel() { task_.cancel(); }

 signals:
  /// All that has come until now; the last one does not wait.
  void answered(const lockstep::RunId& run, const std::string& finding, const lockstep::StackAnswer& answer);

 private:
  std::chrono::milliseconds wait_;
  RunId run_;
  std::string finding_;
  StackAnswer asked_;
  BackgroundTask task_;
};

}  // namespace lockstep
