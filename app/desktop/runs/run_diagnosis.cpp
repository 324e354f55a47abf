// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_diagnosis.h"

#include <algorithm>
#include <string>
#include <vector>

#include "diagnosis/run_facts.h"
#include "logs/store/log_reader.h"
#include "logs/store/log_snapshot.h"

namespace lockstep {
namespace {
constexpr std::uint64_t kKeptLines = 100'000;
}  // namespace

void RunDiagnosis::addKept(const std::shared_ptr<const LogSnapshot>& log) {
  const std::uint64_t size = log->size();
  LogReader reader(log);
  std::vector<LogLine> lines;
  for (std::uint64_t i = size - std::min(size, kKeptLines); i < size; ++i) {
    const LogLineView view = reader.line(i);
    LogLine& line = lines.emplace_back();
    line.time = view.time;
    line.node = view.node;
    line.rank = view.rank;
    line.level = view.level;
    line.text = view.text;
  }
  diagnosis_.addLines(lines);
}

void RunDiagnosis::look(RunUpdate& update, const std::shared_ptr<const MetricStore>& samples) {
  if (update.health) health_ = update.health;
  if (update.isBehind() || update.isWaiting || !samples) return;
  const SystemClock clock;
  const SteadyPoint now = clock.steady();
  facts_ = facts_ ? runFactsOf(update.run, *std::move(facts_)) : runFactsOf(update.run);
  const bool hasChanged = facts_->stage != stage_;
  if (next_ && now < *next_ && !hasChanged) return;
  stage_ = facts_->stage;
  next_ = now + Diagnosis::intervalFor(samples->ranks().size());
  update.diagnosis = diagnosis_.look({samples, health_, *facts_, clock.now(), now});
}

}  // namespace lockstep
