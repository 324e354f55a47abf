// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/run_price.h"

#include "cluster/document/cluster_document.h"
#include "launch/rehearsal_profile.h"

namespace lockstep {
namespace {

constexpr const char* kRehearsalRealm = ".rehearsal.";  // in an OCID, where its region stands

}  // namespace

std::optional<double> pricePerHour(const std::string& trainYaml, const PriceTable& prices) {
  if (trainYaml.empty()) return std::nullopt;
  const ClusterDocument document(trainYaml);
  if (!document.isParsable()) return std::nullopt;
  const CostEstimate estimate = estimateCost(document.spec(), prices);
  return estimate.lines.empty() ? std::nullopt : estimate.perHour;
}

Result<void> fillPrices(RunStore& store, std::vector<RunSummary>& runs, const PriceTable& prices,
                        std::size_t most) {
  for (RunSummary& run : runs) {
    if (run.isPriced) continue;
    if (most-- == 0) break;
    if (run.hasText) {
      const auto whole = store.find(run.id.value);
      if (!whole) continue;  // forgotten meanwhile, or not readable: the next list asks again
      run.perHour = pricePerHour(whole->trainYaml, prices);
    }
    run.isPriced = true;
    run.currency = run.perHour ? prices.currency : "";
    if (auto kept = store.keepPrice(run.id, run.perHour, prices.currency); !kept) return kept;
  }
  return {};
}

bool isRehearsal(const RunSummary& run) {
  // A run that was imported has no profile, and its job still says where it was.
  return run.profile == kRehearsalProfile || run.jobId.value.find(kRehearsalRealm) != std::string::npos;
}

RunCost costOf(const RunSummary& run, TimePoint now, std::optional<std::chrono::nanoseconds> remaining) {
  RunCost cost{costUntil(run, now), {}, run.currency, isRehearsal(run)};
  if (cost.soFar && remaining && !isTerminal(run.state) && run.nodeTime.live > 0)
    cost.forecast = costUntil(run, now + *remaining);
  return cost;
}

std::optional<double> costPerMillion(const RunSummary& run, double samplesPerSecond) {
  if (!run.perHour || !(samplesPerSecond > 0)) return std::nullopt;
  return *run.perHour / 3600 / samplesPerSecond * 1e6;
}

}  // namespace lockstep
