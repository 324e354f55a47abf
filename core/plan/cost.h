// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cluster/spec/cluster_spec.h"

namespace lockstep {

/// What one thing costs. A GPU shape is priced per GPU and hour; another one per OCPU and per GB of memory
/// and hour; without perGbHour the memory is part of the price of the OCPU.
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
/// The built-in table with what the user's table says over it. A table in another currency replaces it:
/// amounts in two currencies cannot be added up.
[[nodiscard]] PriceTable mergedPrices(PriceTable base, const PriceTable& own);
/// The built-in prices with those of the user's `prices.json` over them; just the built-in ones when there is
/// no such file. DataLoss or Io with the file's path when it cannot be used. Blocks on disk.
[[nodiscard]] Result<PriceTable> loadPrices(const std::filesystem::path& file);
/// The row that counts for a shape; nullptr: no price known.
[[nodiscard]] const ShapePrice* priceOf(const PriceTable& prices, std::string_view shapeName);

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

/// What the nodes of a cluster cost while they run: their shapes, and their block storage with a month of 730
/// hours. Nothing without a price known is ever counted as zero. Pure.
[[nodiscard]] CostEstimate estimateCost(const ClusterSpec& spec, const PriceTable& prices);
/// {"perHour","currency","asOf","source","lines"} or null when no part has a price.
[[nodiscard]] nlohmann::ordered_json toJson(const CostEstimate& estimate);

}  // namespace lockstep
