// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "telling/teller.h"

namespace lockstep::cli {

/// Who is told of news of a run that is followed, besides the terminal.
struct TellingOptions {
  TellingTargets targets;
  std::string least = "warning";
};
/// --on-finding, --webhook (also by the variable LOCKSTEP_WEBHOOK) and --tell-from.
void addTellingOptions(CLI::App& command, TellingOptions& options);

/// Tells them, while a run is followed. One thread.
class FollowedNews {
 public:
  explicit FollowedNews(const TellingOptions& options);
  /// After each look at the run; `report` may be null.
  void look(const TrainingRun& run, const DiagnosisReport* report);
  /// Waits a while for what is still to be told; what was not is said on stderr.
  void finish();

 private:
  TellingTargets targets_;
  NewsOfRun news_;
  std::unique_ptr<Teller> teller_;  // null: there is nobody to tell
};

}  // namespace lockstep::cli
