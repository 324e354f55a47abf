// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/limits/service_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "rehearsal/shapes/shape_table.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kOther = "ds-other-count";
constexpr long long kGpus = 512, kNodes = 2000;  // room for any rehearsal; a smaller one is set on purpose

std::vector<LimitDefinition> makeDefinitions() {
  std::vector<LimitDefinition> all;
  for (const ShapeLimitRow& row : shapeTable().limits)
    all.push_back({row.name,
                   fmt::format("{} of {} shapes in Data Science", row.countsGpus ? "GPUs" : "Nodes", row.of),
                   row.countsGpus ? kGpus : kNodes});
  all.push_back({kOther, "Nodes of other shapes in Data Science", kNodes});
  std::sort(all.begin(), all.end(),
            [](const LimitDefinition& a, const LimitDefinition& b) { return a.name < b.name; });
  return all;
}

}  // namespace

const std::vector<LimitDefinition>& limitDefinitions() {
  static const std::vector<LimitDefinition> all = makeDefinitions();
  return all;
}

const LimitDefinition* findLimit(const std::string& name) {
  for (const LimitDefinition& definition : limitDefinitions())
    if (definition.name == name) return &definition;
  return nullptr;
}

ShapeLimit limitOfShape(const std::string& shapeName) {
  const JobShape* shape = shapeTable().findShape(shapeName);
  const ShapeLimitRow* limit = shape == nullptr ? nullptr : shapeTable().findLimit(shape->limit);
  if (limit == nullptr) return {kOther, 1};
  return {limit->name, limit->countsGpus ? shape->gpus : 1};
}

long long limitValue(Transaction& transaction, const std::string& tenancyId, const std::string& name) {
  auto& select = transaction.sql("SELECT value FROM service_limits WHERE tenancy = ? AND name = ?");
  select.bind(1, tenancyId);
  select.bind(2, name);
  if (select.executeStep()) return select.getColumn(0).getInt64();
  const LimitDefinition* definition = findLimit(name);
  return definition == nullptr ? 0 : definition->value;
}

long long limitUsage(Transaction& transaction, const std::string& tenancyId, const std::string& name) {
  auto& sum =
      transaction.sql("SELECT COALESCE(SUM(amount), 0) FROM limit_usage WHERE tenancy = ? AND name = ?");
  sum.bind(1, tenancyId);
  sum.bind(2, name);
  return sum.executeStep() ? sum.getColumn(0).getInt64() : 0;
}

void setLimit(Transaction& transaction, const std::string& tenancyId, const std::string& name,
              long long value) {
  auto& save = transaction.sql("INSERT OR REPLACE INTO service_limits(tenancy, name, value) VALUES(?,?,?)");
  save.bind(1, tenancyId);
  save.bind(2, name);
  save.bind(3, static_cast<int64_t>(value));
  save.exec();
}

std::optional<ServiceError> checkServiceLimit(Transaction& transaction, const std::string& tenancyId,
                                              const std::string& shapeName, int nodes) {
  const ShapeLimit limit = limitOfShape(shapeName);
  const long long wanted = static_cast<long long>(nodes) * limit.perNode;
  const long long value = limitValue(transaction, tenancyId, limit.name);
  const long long used = limitUsage(transaction, tenancyId, limit.name);
  if (used + wanted <= value) return std::nullopt;
  return ServiceError{
      400, "LimitExceeded",
      fmt::format("The following service limits were exceeded: {}. Request a service limit increase "
                  "from the service limits page in the console. (limit {}, in use {}, asked for {})",
                  limit.name, value, used, wanted)};
}

void addUsage(Transaction& transaction, const std::string& tenancyId, const std::string& holder,
              const std::string& shapeName, int nodes) {
  const ShapeLimit limit = limitOfShape(shapeName);
  auto& add = transaction.sql(
      "INSERT INTO limit_usage(holder, tenancy, name, amount) VALUES(?,?,?,?) "
      "ON CONFLICT(holder, name) DO UPDATE SET amount = amount + excluded.amount");
  add.bind(1, holder);
  add.bind(2, tenancyId);
  add.bind(3, limit.name);
  add.bind(4, static_cast<int64_t>(nodes) * limit.perNode);
  add.exec();
}

void releaseUsage(Transaction& transaction, const std::string& holder) {
  auto& release = transaction.sql("DELETE FROM limit_usage WHERE holder = ?");
  release.bind(1, holder);
  release.exec();
}

}  // namespace lockstep::rehearsal
