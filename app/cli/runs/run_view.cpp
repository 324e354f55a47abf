// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_view.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/user_dirs.h"
#include "output.h"

namespace lockstep::cli {
namespace {

nlohmann::json amountOrNull(const std::optional<double>& amount) {
  return amount ? nlohmann::json(std::round(*amount * 1e4) / 1e4) : nlohmann::json(nullptr);
}

}  // namespace

PriceTable pricesHere() {
  auto prices = loadPrices(userConfigDir() / "prices.json");
  if (prices) return *std::move(prices);
  warn(describe(prices.error()));
  return builtInPrices();
}

std::string costText(const RunCost& cost) {
  if (!cost.soFar) return "-";
  const int decimals = *cost.soFar > 0 && *cost.soFar < 0.1 ? 4 : 2;
  return fmt::format("{:.{}f} {}{}", *cost.soFar, decimals, cost.currency, cost.isRehearsal ? "*" : "");
}

nlohmann::json toJson(const RunCost& cost) {
  if (!cost.soFar) return nullptr;
  return {{"soFar", amountOrNull(cost.soFar)},
          {"forecast", amountOrNull(cost.forecast)},
          {"currency", cost.currency},
          {"rehearsal", cost.isRehearsal}};
}

std::string numberText(const std::optional<double>& value) {
  return value ? fmt::format("{:.4g}", *value) : "-";
}

std::string resultText(const std::vector<RunResult>& results) {
  for (const std::string_view metric : {metric::kAccuracy, metric::kLoss, metric::kMeanLoss})
    if (const RunResult* result = resultNamed(results, metric))
      return fmt::format("{} {}", metric, numberText(result->last));
  if (results.empty()) return {};
  return fmt::format("{} {}", results.front().metric, numberText(results.front().last));
}

}  // namespace lockstep::cli
