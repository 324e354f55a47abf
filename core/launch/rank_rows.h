// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "metrics/metric_store.h"
#include "metrics/rank_values.h"
#include "runs/training_run.h"

namespace lockstep {

/// Which node a rank runs on.
struct NodeOfRank {
  std::optional<Rank> rank;       // absent for a parameter server, which has none
  const NodeRun* node = nullptr;  // of the run that was asked about; null: of a node that is not known (yet)
};

/// Where the ranks run, by rank, parameter servers last. Ranks are numbered node by node, the same number on each, and
/// how many that is follows from the highest of `ranks` (those that are known to run, ranksIn()): with none a node has
/// one. A node whose ranks are not known yet has them all the same, by their numbers.
/// The pointers are valid as long as `run.nodes` stays as it is.
[[nodiscard]] std::vector<NodeOfRank> nodesOfRanks(const TrainingRun& run, const std::set<Rank>& ranks);

/// The only rank of a node; absent: it runs several, none, or is not one of `run.nodes`.
[[nodiscard]] std::optional<Rank> onlyRankOf(const TrainingRun& run, const std::set<Rank>& ranks,
                                             const NodeRun& node);

/// The first rank of each job run, by its id; a parameter server has none.
[[nodiscard]] std::map<std::string, Rank> firstRanksOf(const TrainingRun& run, const std::set<Rank>& ranks);

/// What is known of one rank now.
struct RankRow : RankValues {
  std::optional<Rank> rank;                   // absent for a parameter server
  std::string node;                           // labelOf() it; empty: not known (yet)
  JobRunState state = JobRunState::Accepted;  // of its node
};

/// One row per place of nodesOfRanks().
[[nodiscard]] std::vector<RankRow> rankRows(const TrainingRun& run, const MetricStore& metrics);

/// Over all ranks: the mean loss and the sum of the rates; absent: nobody has measured one.
[[nodiscard]] std::optional<double> meanLoss(const std::vector<RankRow>& rows);
[[nodiscard]] std::optional<double> totalRate(const std::vector<RankRow>& rows);

}  // namespace lockstep
