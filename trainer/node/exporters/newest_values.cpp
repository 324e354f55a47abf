// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/newest_values.h"

namespace lockstep::node {

void NewestValues::begin(const std::vector<int>& ranks) {
  const std::lock_guard lock(mutex_);
  ranks_.clear();
  for (const int rank : ranks) {
    ExportedRank& known = ranks_[rank];
    known.rank = Rank(rank);
    known.node = node_;
    known.jobRun = jobRun_;
  }
}

void NewestValues::note(int rank, std::optional<Step> step, TimePoint time,
                        const std::vector<NamedValue>& values) {
  const std::lock_guard lock(mutex_);
  const auto found = ranks_.find(rank);
  if (found == ranks_.end()) return;
  ExportedRank& known = found->second;
  if (step) known.step = step;
  known.newest = std::max(known.newest.value_or(time), time);
  for (const auto& [name, value] : values) {
    auto place = known.values.find(name);
    if (place == known.values.end()) place = known.values.emplace(std::string(name), ExportedValue{}).first;
    if (place->second.time <= time) place->second = {value, time};
  }
}

ExportedRun NewestValues::newest() const {
  ExportedRun run{run_, {}};
  const std::lock_guard lock(mutex_);
  for (const auto& [rank, known] : ranks_) run.ranks.push_back(known);
  return run;
}

}  // namespace lockstep::node
