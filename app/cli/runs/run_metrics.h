// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/diagnosis.h"
#include "launch/run_services.h"
#include "metrics/lines/printed_samples.h"
#include "metrics/metric_store.h"
#include "metrics/read_to_end.h"

namespace lockstep::cli {

/// Reads all samples of a run into `into`; where that takes long, a bar on stderr says how far it is. Blocks.
[[nodiscard]] ReadToEnd readAllMetrics(MetricReader& reader, MetricStore& into, const std::stop_token& stop);
/// How samples were read, and which rules have read lines for them.
struct ReadSamples {
  ReadToEnd read;
  std::vector<LineRuleUse> rules;
};
/// The samples that the nodes of a run have left, or, where they have left none, those that its lines report by the rules of
/// that choice; that the lines cannot be read is said on stderr; there, also what Monitoring has of the job runs. Blocks.
[[nodiscard]] Result<ReadSamples> readSamples(const TrainingRun& run, RunServices& services,
                                              const LineChoice& lines, MetricStore& into);
/// --lines: which rules read the lines of runs whose nodes leave no metrics. `text` is what lineChoiceFrom() reads, and checked.
void addLinesOption(CLI::App& command, std::string& text);
/// Keeps what a run that is over came to with it, if it is one that this machine knows; that it cannot be kept is said on stderr.
void keepResults(const TrainingRun& run, const MetricStore& metrics);
/// Keeps what goes on in a run with it, if it is one that this machine knows, so that lists show it; what the user has muted
/// does not count. That it cannot be kept is said on stderr.
void keepFindings(const TrainingRun& run, const DiagnosisReport& report);
/// What of it is missing or none of the run's, on stderr. Its problem is not: that is the command's failure.
void warnOfGaps(const ReadToEnd& read);
/// "loading 1240 of 2600 segments"
[[nodiscard]] std::string loadingText(std::uint64_t read, std::uint64_t known);
/// 0…1
[[nodiscard]] double loadedShare(std::uint64_t read, std::uint64_t known);

}  // namespace lockstep::cli
