// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/atomic_file.h"
#include "base/embedded_file.h"
#include "cluster/reading/shape_catalogue.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxPriceBytes = 1U << 20U;
constexpr std::size_t kMaxPriceRows = 10'000;
constexpr double kHoursPerMonth = 730;
constexpr double kDefaultBlockStorageInGBs = 50;  // ads-contract 1.2

tl::unexpected<Error> noTable(const std::string& cause) {
  return failure(ErrorCode::DataLoss, "this is no price table", cause,
                 R"(write {"currency": "USD", "asOf": "2026-01-31", "source": "...", "shapes": )"
                 R"([{"name": "VM.GPU.A10.*", "perGpuHour": 2.0}], "blockStoragePerGbMonth": 0.0255})");
}

/// A price: a number that is not negative. Absent and null are no price.
Result<std::optional<double>> priceAt(const Json& object, const char* key, const std::string& of) {
  const auto member = object.find(key);
  if (member == object.end() || member->is_null()) return std::nullopt;
  const double value = member->is_number() ? member->get<double>() : -1;
  if (value < 0 || !std::isfinite(value))
    return noTable(fmt::format("{} of {} is {}, which is no price", key, of, member->dump()));
  return value;
}

Result<std::string> textAt(const Json& object, const char* key) {
  const auto member = object.find(key);
  if (member == object.end()) return std::string();
  if (!member->is_string()) return noTable(fmt::format("{} is {}, not a text", key, member->dump()));
  return member->get<std::string>();
}

Result<std::pair<std::string, ShapePrice>> rowOf(const Json& object) {
  if (!object.is_object()) return noTable("a row of shapes is " + object.dump() + ", not an object");
  const auto name = textAt(object, "name");
  if (!name) return failure(name.error());
  if (name->empty()) return noTable("a row of shapes has no name: " + object.dump());
  ShapePrice price;
  for (const auto& [key, value] :
       {std::pair{"perGpuHour", &price.perGpuHour}, std::pair{"perOcpuHour", &price.perOcpuHour},
        std::pair{"perGbHour", &price.perGbHour}}) {
    auto amount = priceAt(object, key, *name);
    if (!amount) return failure(amount.error());
    *value = *amount;
  }
  return std::pair{*name, price};
}

Result<void> readRows(const Json& document, PriceTable& table) {
  const auto shapes = document.find("shapes");
  if (shapes == document.end()) return {};
  if (!shapes->is_array()) return noTable("shapes is no list");
  if (shapes->size() > kMaxPriceRows) return noTable(fmt::format("shapes has {} rows", shapes->size()));
  for (const Json& object : *shapes) {
    auto row = rowOf(object);
    if (!row) return failure(row.error());
    table.shapes.push_back(std::move(*row));
  }
  return {};
}

/// What one node costs per hour, and how that comes about.
struct NodePrice {
  std::optional<double> perHour;
  std::string text;
};

NodePrice gpuPrice(const ShapePrice& price, const std::string& shapeName) {
  const auto gpus = gpusOfShape(shapeName);
  if (!gpus || *gpus == 0) return {std::nullopt, "how many GPUs it has is not known"};
  return {*price.perGpuHour * *gpus,
          fmt::format("{} {} at {}", *gpus, *gpus == 1 ? "GPU" : "GPUs", *price.perGpuHour)};
}

NodePrice cpuPrice(const ShapePrice& price, std::optional<double> ocpus, std::optional<double> memory) {
  if (!ocpus) return {std::nullopt, "its OCPUs are not known"};
  NodePrice node{*price.perOcpuHour * *ocpus, fmt::format("{} OCPU at {}", *ocpus, *price.perOcpuHour)};
  if (!price.perGbHour) return node;
  if (!memory) return {std::nullopt, "its memory is not known"};
  *node.perHour += *price.perGbHour * *memory;
  node.text += fmt::format(", {} GB at {}", *memory, *price.perGbHour);
  return node;
}

NodePrice nodePrice(const PriceTable& prices, const std::string& shapeName,
                    const std::optional<ShapeConfig>& config) {
  const ShapePrice* price = priceOf(prices, shapeName);
  if (price && price->perGpuHour) return gpuPrice(*price, shapeName);
  if (!price || !price->perOcpuHour) return {std::nullopt, "no price known"};
  const Shape* shape = ShapeCatalogue::builtIn().find(shapeName);
  const bool flex = shapeName.ends_with("Flex");
  if (flex)
    return cpuPrice(*price, config ? config->ocpus : std::nullopt,
                    config ? config->memoryInGBs : std::nullopt);
  return cpuPrice(*price, shape ? shape->ocpus : std::nullopt, shape ? shape->memoryInGBs : std::nullopt);
}

/// Nodes that are the same: of one role, or of several roles that share everything that costs.
struct PricedGroup {
  long long count = 0;
  std::string shapeName;
  std::optional<ShapeConfig> shapeConfig;
  double blockStorageInGBs = kDefaultBlockStorageInGBs;

  [[nodiscard]] bool sameAs(const PricedGroup& other) const {
    const auto sizes = [](const PricedGroup& g) {
      return g.shapeConfig ? std::pair{g.shapeConfig->ocpus, g.shapeConfig->memoryInGBs}
                           : std::pair<std::optional<double>, std::optional<double>>{};
    };
    return shapeName == other.shapeName && sizes(*this) == sizes(other) &&
           blockStorageInGBs == other.blockStorageInGBs;
  }
};

const NodeGroupSpec* ownOf(const ClusterSpec& spec, NodeRole role) {
  if (!spec.multiNode) return nullptr;
  if (role == NodeRole::Main) return &spec.multiNode->main;
  return role == NodeRole::Worker ? &spec.multiNode->worker : &spec.multiNode->parameterServer;
}

std::vector<PricedGroup> groupsOf(const ClusterSpec& spec) {
  std::vector<PricedGroup> groups;
  for (const NodeRole role : {NodeRole::Main, NodeRole::Worker, NodeRole::ParameterServer}) {
    const Infrastructure& infra = spec.infrastructure;
    PricedGroup group{std::max(0LL, nodeCount(spec, role)), infra.shapeName.value_or(""), infra.shapeConfig};
    if (infra.blockStorageSizeInGBs)
      group.blockStorageInGBs = static_cast<double>(*infra.blockStorageSizeInGBs);
    if (const NodeGroupSpec* own = ownOf(spec, role)) {
      if (own->shapeName) group.shapeName = *own->shapeName;
      if (own->shapeName || own->shapeConfig) group.shapeConfig = own->shapeConfig;
      if (own->blockStorageSizeInGBs)
        group.blockStorageInGBs = static_cast<double>(*own->blockStorageSizeInGBs);
    }
    if (group.count == 0) continue;
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const PricedGroup& other) { return other.sameAs(group); });
    if (same == groups.end())
      groups.push_back(std::move(group));
    else
      same->count += group.count;
  }
  return groups;
}

std::vector<CostLine> linesOf(const PricedGroup& group, const PriceTable& prices) {
  const NodePrice node = nodePrice(prices, group.shapeName, group.shapeConfig);
  CostLine nodes{fmt::format("{} × {}: {}", group.count,
                             group.shapeName.empty() ? "a shape not yet chosen" : group.shapeName, node.text),
                 std::nullopt};
  const double count = static_cast<double>(group.count);
  if (node.perHour) nodes.perHour = count * *node.perHour;
  CostLine storage{fmt::format("{} × block storage: {} GB at ", group.count, group.blockStorageInGBs),
                   std::nullopt};
  if (prices.blockStoragePerGbMonth) {
    storage.what += fmt::format("{} a month", *prices.blockStoragePerGbMonth);
    storage.perHour = count * group.blockStorageInGBs * *prices.blockStoragePerGbMonth / kHoursPerMonth;
  } else {
    storage.what = fmt::format("{} × block storage: no price known", group.count);
  }
  return {nodes, storage};
}

}  // namespace

const PriceTable& builtInPrices() {
  // What is compiled in was tested; were it broken all the same, no price would be known.
  static const PriceTable kPrices = parsePrices(embedded::prices().front().content).value_or(PriceTable());
  return kPrices;
}

Result<PriceTable> parsePrices(std::string_view json) {
  if (json.size() > kMaxPriceBytes)
    return noTable(fmt::format("it has {} bytes; {} are read", json.size(), kMaxPriceBytes));
  const Json document = Json::parse(json, nullptr, false);
  if (!document.is_object()) return noTable("it is no JSON object");
  PriceTable table;
  for (const auto& [key, text] : {std::pair{"currency", &table.currency}, std::pair{"asOf", &table.asOf},
                                  std::pair{"source", &table.source}}) {
    auto value = textAt(document, key);
    if (!value) return failure(value.error());
    *text = std::move(*value);
  }
  if (table.currency.empty()) return noTable("currency is missing");
  auto storage = priceAt(document, "blockStoragePerGbMonth", "the table");
  if (!storage) return failure(storage.error());
  table.blockStoragePerGbMonth = *storage;
  if (auto rows = readRows(document, table); !rows) return failure(rows.error());
  return table;
}

PriceTable mergedPrices(PriceTable base, const PriceTable& own) {
  if (own.currency != base.currency) return own;
  base.shapes.insert(base.shapes.begin(), own.shapes.begin(), own.shapes.end());
  if (own.blockStoragePerGbMonth) base.blockStoragePerGbMonth = own.blockStoragePerGbMonth;
  const std::string ownName = own.source.empty() ? "own prices" : own.source;
  base.source =
      fmt::format("{}{}; else {}", ownName, own.asOf.empty() ? "" : " (" + own.asOf + ")", base.source);
  return base;
}

Result<PriceTable> loadPrices(const std::filesystem::path& file) {
  std::error_code ignored;  // a folder that cannot be looked into is reported by readFile
  if (std::filesystem::status(file, ignored).type() == std::filesystem::file_type::not_found)
    return builtInPrices();
  const auto text = readFile(file, kMaxPriceBytes);
  if (!text) return failure(text.error());
  const auto own = parsePrices(*text);
  if (own) return mergedPrices(builtInPrices(), *own);
  Error error = own.error();
  error.what = fmt::format("the price table '{}' cannot be read", file.string());
  error.where = file.string();
  return failure(std::move(error));
}

const ShapePrice* priceOf(const PriceTable& prices, std::string_view shapeName) {
  for (const auto& [name, price] : prices.shapes) {
    const bool prefix = name.ends_with('*');
    if (prefix ? shapeName.starts_with(std::string_view(name).substr(0, name.size() - 1)) : shapeName == name)
      return &price;
  }
  return nullptr;
}

CostEstimate estimateCost(const ClusterSpec& spec, const PriceTable& prices) {
  CostEstimate estimate{0.0, prices.currency, prices.asOf, prices.source, {}};
  for (const PricedGroup& group : groupsOf(spec)) {
    for (CostLine& line : linesOf(group, prices)) {
      if (!line.perHour) estimate.perHour.reset();
      if (estimate.perHour) *estimate.perHour += *line.perHour;
      estimate.lines.push_back(std::move(line));
    }
  }
  return estimate;
}

nlohmann::ordered_json toJson(const CostEstimate& estimate) {
  const auto amount = [](const std::optional<double>& value) {
    // Cents and their thousandths: what comes after that is noise of the arithmetic.
    return value ? nlohmann::ordered_json(std::round(*value * 1e5) / 1e5) : nlohmann::ordered_json(nullptr);
  };
  if (std::none_of(estimate.lines.begin(), estimate.lines.end(),
                   [](const CostLine& line) { return line.perHour.has_value(); }))
    return nullptr;
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const CostLine& line : estimate.lines)
    lines.push_back({{"what", line.what}, {"perHour", amount(line.perHour)}});
  return {{"perHour", amount(estimate.perHour)},
          {"currency", estimate.currency},
          {"asOf", estimate.asOf},
          {"source", estimate.source},
          {"lines", lines}};
}

}  // namespace lockstep
