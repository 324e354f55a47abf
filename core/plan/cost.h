// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cluster/cluster_spec.h"

namespace lockstep {

/// What one thing costs. A GPU shape is priced per GPU and hour, a flex shape per OCPU and GB of memory and
/// hour.
struct ShapePrice {
  std::optional<double> perGpuHour, perOcpuHour, perGbHour;
};

/// resources/prices.json (compiled in), or the user's own `prices.json` of the same form in the config
/// folder.
struct PriceTable {
  std::string currency;                                    // "USD"
  std::string asOf;                                        // "2026-07-21"
  std::string source;                                      // for people
  std::vector<std::pair<std::string, ShapePrice>> shapes;  // name or prefix ending in '*', first match counts
  std::optional<double> blockStoragePerGbMonth;
};
[[nodiscard]] const PriceTable& builtInPrices();
/// DataLoss that names the member and its value when the text is not such a table. Bounded: 1 MiB.
[[nodiscard]] Result<PriceTable> parsePrices(std::string_view json);
/// The built-in table with what the user's table says over it.
[[nodiscard]] PriceTable mergedPrices(PriceTable base, const PriceTable& own);

/// One line of an estimate: "3 × VM.GPU.A10.2: 2 GPUs at 2.00".
struct CostLine {
  std::string what;
  std::optional<double> perHour;  // absent: no price known
};

struct CostEstimate {
  std::optional<double> perHour;  // absent when any part of it has no price known
  std::string currency, asOf, source;
  std::vector<CostLine> lines;
};

/// What the nodes of a cluster cost while they run. Pure.
[[nodiscard]] CostEstimate estimateCost(const ClusterSpec& spec, const PriceTable& prices);
/// {"perHour","currency","asOf","source","lines"} or null when no part has a price.
[[nodiscard]] nlohmann::ordered_json toJson(const CostEstimate& estimate);

}  // namespace lockstep
