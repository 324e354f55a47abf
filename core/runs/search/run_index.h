// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runs/search/run_query.h"

namespace lockstep {

/// What a run has cost by then: the time of its nodes at the price of one. Absent: no price is known.
[[nodiscard]] std::optional<double> costUntil(const RunSummary& run, TimePoint now);

/// Whether a query wants a run. Unknown names of quantities are no mistake: what is absent does not hold, and neither does its
/// opposite with a sign (only `-loss<1` holds for a run without a loss). Pure.
[[nodiscard]] bool isWanted(const RunSummary& run, const RunQuery& query, TimePoint now);

/// Summaries, ready to be searched while somebody types. Memory: twice their texts. Not thread-safe.
class RunIndex {
 public:
  RunIndex() = default;
  explicit RunIndex(std::vector<RunSummary> runs);

  [[nodiscard]] const std::vector<RunSummary>& runs() const { return runs_; }
  [[nodiscard]] std::size_t size() const { return runs_.size(); }
  /// In place of the one at `place`.
  void replace(std::size_t place, RunSummary run);
  /// Before all others.
  void addFirst(RunSummary run);
  /// The places of the runs that are wanted, ascending. Archived runs are only among them where the query names them, or
  /// `withArchived`. Cost: some 0.05 µs a run and word, 0.5 µs a run and field of a long text.
  [[nodiscard]] std::vector<std::uint32_t> search(const RunQuery& query, TimePoint now,
                                                  bool withArchived = false) const;
  [[nodiscard]] bool isWantedAt(std::size_t place, const RunQuery& query, TimePoint now,
                                bool withArchived = false) const;

 private:
  std::vector<RunSummary> runs_;
  std::vector<std::string> texts_;  // what words are looked for in, folded, parts separated by a line end
};

}  // namespace lockstep
