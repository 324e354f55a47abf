// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/shape_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/embedded_file.h"
#include "base/json_fields.h"
#include "cluster/reading/train_yaml_keys.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

tl::unexpected<Error> broken(const std::string& what) {
  return failure(ErrorCode::DataLoss, "the catalogue of shapes cannot be read", what);
}

/// Every flex shape starts at one OCPU, with 1 to 64 GB for each.
Result<FlexRange> flexRangeOf(const Json& object, const std::string& name) {
  if (!object.is_object()) return broken(fmt::format("flex of '{}' is no object", name));
  const auto ocpus = numberField(object, "mostOcpus");
  const auto memory = numberField(object, "mostMemoryInGBs");
  if (!ocpus || !memory)
    return broken(fmt::format("flex of '{}' needs the numbers mostOcpus and mostMemoryInGBs", name));
  FlexRange range;
  range.maxOcpus = *ocpus;
  range.maxMemoryInGBs = *memory;
  range.minOcpus = numberField(object, "leastOcpus").value_or(range.minOcpus);
  range.minMemoryInGBs = numberField(object, "leastMemoryInGBs").value_or(range.minMemoryInGBs);
  range.minMemoryPerOcpu = numberField(object, "leastMemoryPerOcpu").value_or(range.minMemoryPerOcpu);
  range.maxMemoryPerOcpu = numberField(object, "mostMemoryPerOcpu").value_or(range.maxMemoryPerOcpu);
  return range;
}

Result<Shape> shapeOf(const Json& object) {
  if (!object.is_object() || !object.contains("name") || !object["name"].is_string())
    return broken("a shape is no object with a name: " + object.dump());
  Shape shape;
  shape.name = object["name"].get<std::string>();
  shape.gpus = static_cast<int>(numberField(object, "gpus").value_or(0));
  if (shape.gpus < 0 || shape.gpus > 64)
    return broken(fmt::format("gpus of '{}' is {}", shape.name, shape.gpus));
  shape.gpuType = stringField(object, "gpuType");
  shape.gpuMemoryInGBs = numberField(object, "gpuMemoryInGBs").value_or(0);
  shape.ocpus = numberField(object, "ocpus");
  shape.memoryInGBs = numberField(object, "memoryInGBs");
  shape.networkInGbps = numberField(object, "networkInGbps");
  shape.rdma = boolField(object, "rdma", false);
  shape.isBareMetal = shape.name.starts_with("BM.");
  if (object.contains("flex")) {
    auto range = flexRangeOf(object["flex"], shape.name);
    if (!range) return failure(range.error());
    shape.flex = *range;
  }
  return shape;
}

}  // namespace

Result<ShapeCatalogue> ShapeCatalogue::parse(std::string_view json) {
  const Json document = Json::parse(json, nullptr, false);
  if (!document.is_object()) return broken("it is no JSON object");
  const auto shapes = document.find("shapes");
  if (shapes == document.end() || !shapes->is_array()) return broken("shapes is no list");
  ShapeCatalogue catalogue;
  catalogue.asOf_ = stringField(document, "asOf");
  catalogue.source_ = stringField(document, "source");
  for (const Json& object : *shapes) {
    auto shape = shapeOf(object);
    if (!shape) return failure(shape.error());
    catalogue.shapes_.push_back(std::move(*shape));
  }
  return catalogue;
}

const ShapeCatalogue& ShapeCatalogue::builtIn() {
  // What is compiled in was tested; were it broken all the same, no shape would be known.
  static const ShapeCatalogue kCatalogue =
      parse(embedded::catalogues().front().content).value_or(ShapeCatalogue());
  return kCatalogue;
}

const Shape* ShapeCatalogue::find(std::string_view name) const {
  const auto found =
      std::find_if(shapes_.begin(), shapes_.end(), [&](const Shape& shape) { return shape.name == name; });
  return found == shapes_.end() ? nullptr : &*found;
}

std::vector<std::string> ShapeCatalogue::nearestNames(std::string_view name, std::size_t max) const {
  std::vector<std::pair<std::size_t, const Shape*>> near;
  for (const Shape& shape : shapes_) {
    const std::size_t distance = wordDistance(name, shape.name);
    if (distance <= std::max<std::size_t>(2, name.size() / 4)) near.emplace_back(distance, &shape);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < near.size() && i < max; ++i) names.push_back(near[i].second->name);
  return names;
}

std::optional<int> gpusOfShape(std::string_view name) {
  if (const Shape* shape = ShapeCatalogue::builtIn().find(name)) return shape->gpus;
  if (name.find("GPU") == std::string_view::npos) return 0;
  constexpr int kMaxGpus = 64;
  const std::size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  int count = 0;
  const auto [stop, error] = std::from_chars(last.data(), last.data() + last.size(), count);
  const bool number = error == std::errc() && stop == last.data() + last.size();
  if (last.empty() || !number || count < 1 || count > kMaxGpus) return std::nullopt;
  return count;
}

}  // namespace lockstep
