// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/shapes/shape_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/embedded_file.h"
#include "base/json_fields.h"

namespace lockstep::rehearsal {
namespace {

using Json = nlohmann::json;

tl::unexpected<Error> broken(const std::string& what) {
  return failure(ErrorCode::DataLoss, "the table of shapes cannot be read", what);
}

int wholeNumber(const Json& object, std::string_view key, int otherwise) {
  return static_cast<int>(integerField(object, key).value_or(otherwise));
}

/// The size that the list shows: that of a fixed shape, the smallest of a flexible one.
void readSize(const Json& object, JobShape& shape) {
  if (object.contains("flex")) {
    const Json& flex = objectField(object, "flex");
    shape.cores = wholeNumber(flex, "leastOcpus", 1);
    shape.memoryInGBs = wholeNumber(flex, "leastMemoryInGBs", 1);
    return;
  }
  shape.cores = wholeNumber(object, "ocpus", 0);
  shape.memoryInGBs = wholeNumber(object, "listedMemoryInGBs", wholeNumber(object, "memoryInGBs", 0));
}

Result<void> addShape(const Json& object, bool isGeneric, ShapeTable& table) {
  JobShape shape;
  shape.name = stringField(object, "name");
  shape.series = stringField(object, "series");
  if (shape.name.empty()) return broken("a shape has no name: " + object.dump());
  if (shape.series.empty()) return {};  // not known to run jobs
  if (!isGeneric) readSize(object, shape);
  if (shape.cores < 1 || shape.memoryInGBs < 1)
    return broken(fmt::format("ocpus and memoryInGBs of '{}' must be whole numbers", shape.name));
  shape.gpus = wholeNumber(object, "gpus", 0);
  shape.limit = stringField(object, "limit");
  const ShapeLimitRow* limit = table.findLimit(shape.limit);
  if (!shape.limit.empty() && limit == nullptr)
    return broken(fmt::format("'{}' of '{}' is not in limits", shape.limit, shape.name));
  if (limit != nullptr && limit->countsGpus && shape.gpus < 1)
    return broken(fmt::format("'{}' counts GPUs, and '{}' has none", shape.limit, shape.name));
  shape.isFastLaunch = boolField(object, "fastLaunch", false);
  table.shapes.push_back(std::move(shape));
  return {};
}

Result<ShapeLimitRow> limitOf(const Json& object) {
  const std::string counts = stringField(object, "counts");
  ShapeLimitRow row{stringField(object, "name"), stringField(object, "of"), counts == "GPUs"};
  if (row.name.empty() || row.of.empty() || (counts != "GPUs" && counts != "Nodes"))
    return broken("a limit needs name, of, and counts (GPUs or Nodes): " + object.dump());
  return row;
}

template <class Row>
const Row* rowNamed(const std::vector<Row>& rows, std::string_view name) {
  const auto found = std::ranges::find_if(rows, [&](const Row& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

const JobShape* ShapeTable::findShape(std::string_view name) const {
  return rowNamed(shapes, name);
}

const ShapeLimitRow* ShapeTable::findLimit(std::string_view name) const {
  return rowNamed(limits, name);
}

Result<ShapeTable> parseShapeTable(std::string_view json) {
  const Json document = Json::parse(json, nullptr, false);
  ShapeTable table;
  for (const Json& object : arrayField(document, "limits")) {
    auto row = limitOf(object);
    if (!row) return failure(row.error());
    table.limits.push_back(std::move(*row));
  }
  for (const char* list : {"shapes", "genericShapes"})
    for (const Json& object : arrayField(document, list))
      if (auto added = addShape(object, list == std::string_view("genericShapes"), table); !added)
        return failure(added.error());
  if (table.shapes.empty()) return broken("no shape runs jobs");
  return table;
}

const ShapeTable& shapeTable() {
  // What is compiled in was tested; were it broken all the same, the region would have no shape.
  static const ShapeTable kTable =
      parseShapeTable(embedded::regionShapes().front().content).value_or(ShapeTable());
  return kTable;
}

}  // namespace lockstep::rehearsal
