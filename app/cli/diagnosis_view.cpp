// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis_view.h"

#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "diagnosis/findings/finding_catalogue.h"
#include "diagnosis/findings/finding_words.h"
#include "diagnosis/run_facts.h"
#include "output.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

constexpr int kMostPolls = 16;  // of the log of a failed run

/// Where they cannot be read now, the finding says that there are no lines.
void addLines(const TrainingRun& run, RunServices& services, Diagnosis& diagnosis) {
  const auto source = services.lines(run);
  for (int i = 0; source && i < kMostPolls; ++i) {
    const auto lines = source->poll({});
    if (!lines) return;
    diagnosis.addLines(*lines);
    if (!source->isBehind()) return;
  }
}

}  // namespace

std::shared_ptr<const DiagnosisReport> diagnose(const TrainingRun& run,
                                                std::shared_ptr<const MetricStore> samples,
                                                const RunHealth& health, RunServices& services) {
  Diagnosis diagnosis;
  const RunFacts facts = runFactsOf(run);
  if (facts.stage == RunStage::Failed) addLines(run, services, diagnosis);
  const SystemClock clock;
  return diagnosis.look(
      {std::move(samples), std::make_shared<RunHealth>(health), facts, clock.now(), clock.steady()});
}

MutedFindings mutedFindings() {
  auto muted = readMutedFindings(mutedFindingsFile());
  if (!muted) warn(describe(muted.error()));
  return muted.value_or(MutedFindings());
}

void addFindings(const DiagnosisReport& report, const RunId& run, const MutedFindings& muted,
                 json& document) {
  document["findings"] = json::array();
  for (const RunFinding& finding : report.findings) {
    json one = toJson(finding);
    const auto until = muted.mutedUntil(run, finding.key(), report.time);
    one["muted"] = until ? json(toRfc3339(*until)) : json(nullptr);
    document["findings"].push_back(std::move(one));
  }
  document["unmeasured"] = json::array();
  for (const FindingKind kind : report.unmeasured) document["unmeasured"].push_back(infoOf(kind).code);
}

FindingsWatch::News FindingsWatch::look(const TrainingRun& run, MetricStore& samples,
                                        std::shared_ptr<const RunHealth> health) {
  const SystemClock clock;
  const SteadyPoint now = clock.steady();
  facts_ = facts_ ? runFactsOf(run, *std::move(facts_)) : runFactsOf(run);
  const bool isOver = facts_->stage != RunStage::Running;
  if (next_ && now < *next_ && isOver == isOver_) return {};
  isOver_ = isOver;
  next_ = now + Diagnosis::intervalFor(samples.ranks().size());
  const auto report = diagnosis_.look({samples.snapshot(), std::move(health), *facts_, clock.now(), now});
  News news;
  news.report = report;
  std::map<std::string, RunFinding> found;
  for (const RunFinding& finding : report->findings) {
    std::string key = finding.key();
    if (finding.end) {
      if (known_.contains(key)) news.over.push_back(finding);
      continue;
    }
    if (!known_.contains(key)) news.begun.push_back(finding);
    found.emplace(std::move(key), finding);
  }
  known_ = std::move(found);
  return news;
}

}  // namespace lockstep::cli
