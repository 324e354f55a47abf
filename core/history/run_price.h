// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "plan/cost.h"
#include "runs/run_store.h"
#include "runs/search/run_index.h"

namespace lockstep {

/// What the nodes of a run of this train.yaml cost in an hour (estimateCost); absent: not every part has a price known, or there
/// is no text. Pure.
[[nodiscard]] std::optional<double> pricePerHour(const std::string& trainYaml, const PriceTable& prices);

/// Gives the newest of those runs that nobody has looked for a price of yet one, in `runs` and in the store, `most` at a time:
/// each is a train.yaml that is read, some milliseconds. So a run keeps the price of the day when it was first listed. Blocks
/// on disk.
Result<void> fillPrices(RunStore& store, std::vector<RunSummary>& runs, const PriceTable& prices,
                        std::size_t most = 64);

/// A run that was rehearsed: nothing was charged for it.
[[nodiscard]] bool isRehearsal(const RunSummary& run);

/// What a run costs. Absent: no price is known, or no end can be told.
struct RunCost {
  std::optional<double> soFar;     // the time of each of its nodes until now, or until it ended
  std::optional<double> forecast;  // of the whole run, while it goes on and its end can be told
  std::string currency;
  bool isRehearsal = false;  // it is what the same would have cost in the service
};
/// `remaining`: RunProgress::remaining(). Pure.
[[nodiscard]] RunCost costOf(const RunSummary& run, TimePoint now,
                             std::optional<std::chrono::nanoseconds> remaining = std::nullopt);
/// What a million samples cost at that rate (samples a second of all ranks). Absent: no price, or no rate above zero.
[[nodiscard]] std::optional<double> costPerMillion(const RunSummary& run, double samplesPerSecond);

}  // namespace lockstep
