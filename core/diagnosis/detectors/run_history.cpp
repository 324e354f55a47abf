// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/detectors/run_history.h"

#include <cmath>

namespace lockstep {
namespace {
constexpr std::string_view kOfRun[] = {metric::kStepMs, metric::kTransferMs, metric::kLoss};
constexpr std::string_view kOfRanks[] = {metric::kMemoryBytes, metric::kNodeMemoryPercent,
                                         metric::kNodeDiskPercent};
}  // namespace

void ValueTrail::add(const Entry& entry) {
  if (++skipped_ < stride_) return;
  skipped_ = 0;
  entries_.push_back(entry);
  if (entries_.size() < kMost) return;
  for (std::size_t i = 0; 2 * i + 1 < entries_.size(); ++i) entries_[i] = entries_[2 * i + 1];
  entries_.resize(kMost / 2);
  stride_ *= 2;
}

void RunHistory::add(const RecentSamples& recent) {
  if (recent.attempts() != attempts_) {
    run_.erase(metric::kStepMs);
    run_.erase(metric::kTransferMs);
    ranks_.clear();
    attempts_ = recent.attempts();
  }
  if (recent.isWarm())
    for (const std::string_view metric : kOfRun)
      if (const double value = recent.median(metric); std::isfinite(value))
        run_[metric].add({recent.newest(), recent.step(), value});
  for (const std::string_view metric : kOfRanks) {
    const auto column = recent.of(metric);
    for (std::size_t i = 0; i < column.size(); ++i)
      if (column[i].count > 0 && std::isfinite(column[i].median))
        ranks_[recent.ranks()[i]][metric].add({column[i].lastTime, column[i].lastStep, column[i].median});
  }
}

std::span<const ValueTrail::Entry> RunHistory::of(std::string_view metric) const {
  const auto found = run_.find(metric);
  return found == run_.end() ? std::span<const ValueTrail::Entry>() : found->second.entries();
}

std::span<const ValueTrail::Entry> RunHistory::of(std::string_view metric, Rank rank) const {
  const auto ofRank = ranks_.find(rank);
  if (ofRank == ranks_.end()) return {};
  const auto found = ofRank->second.find(metric);
  return found == ofRank->second.end() ? std::span<const ValueTrail::Entry>() : found->second.entries();
}

}  // namespace lockstep
