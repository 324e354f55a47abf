// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/limits/service_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::rehearsal {
namespace {

/// The family of a shape, and how many GPUs one node has (oci-rest-contract 6). The first prefix counts.
struct Family {
  const char* prefix;
  const char* limit;
  int gpus;  // 0: nodes are counted; -1: the number after the last dot
};
constexpr Family kFamilies[] = {
    {"VM.GPU.A10.", "ds-gpu-a10-count", -1},
    {"BM.GPU.A10.", "ds-gpu-a10-count", -1},
    {"BM.GPU4.8", "ds-gpu4-count", 8},
    {"BM.GPU.B4.8", "ds-gpu4-count", 8},
    {"VM.GPU2.", "ds-gpu2-count", -1},
    {"BM.GPU2.", "ds-gpu2-count", -1},
    {"VM.GPU3.", "ds-gpu3-count", -1},
    {"BM.GPU3.", "ds-gpu3-count", -1},
    {"BM.GPU.A100-v2.", "ds-gpu-a100-v2-count", -1},
    {"BM.GPU.L40S", "ds-gpu-l40s-count", -1},
    {"BM.GPU.H100.", "ds-gpu-h100-count", -1},
    {"BM.GPU.H200.", "ds-gpu-h200-count", -1},
    {"BM.GPU.B200.", "ds-gpu-b200-count", -1},
    {"BM.GPU.GB200.", "ds-gpu-gb200-count", -1},
    {"BM.GPU.MI300X.", "ds-gpu-mi300x-count", -1},
    {"VM.Standard.A1.", "ds-standard-a1-count", 0},
    {"VM.Standard.A2.", "ds-standard-a2-count", 0},
    {"VM.Standard.E3", "ds-standard-e3-count", 0},
    {"VM.Standard.E4", "ds-standard-e4-count", 0},
    {"VM.Standard.E5", "ds-standard-e5-count", 0},
    {"VM.Standard2.", "ds-standard2-count", 0},
    {"VM.Standard3.", "ds-standard3-count", 0},
    {"VM.Optimized3.", "ds-optimized3-count", 0},
};
constexpr const char* kOther = "ds-other-count";
constexpr long long kGpus = 512, kNodes = 2000;  // room for any rehearsal; a smaller one is set on purpose

const Family* familyOf(const std::string& shapeName) {
  for (const Family& family : kFamilies)
    if (shapeName.starts_with(family.prefix)) return &family;
  return nullptr;
}

LimitDefinition definitionOf(const Family& family) {
  const bool gpus = family.gpus != 0;
  return {family.limit,
          fmt::format("{} of {} shapes in Data Science", gpus ? "GPUs" : "Nodes",
                      std::string_view(family.prefix)
                          .substr(0, std::string_view(family.prefix).find_last_not_of('.') + 1)),
          gpus ? kGpus : kNodes};
}

std::vector<LimitDefinition> makeDefinitions() {
  std::vector<LimitDefinition> all;
  for (const Family& family : kFamilies) {
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const LimitDefinition& one) { return one.name == family.limit; });
    if (!known) all.push_back(definitionOf(family));
  }
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
  const Family* family = familyOf(shapeName);
  if (family == nullptr) return {kOther, 1};
  if (family->gpus >= 0) return {family->limit, std::max(1, family->gpus)};
  return {family->limit, std::max(1, std::atoi(shapeName.c_str() + shapeName.rfind('.') + 1))};
}

long long limitValue(Session& session, const std::string& tenancyId, const std::string& name) {
  auto& select = session.sql("SELECT value FROM service_limits WHERE tenancy = ? AND name = ?");
  select.bind(1, tenancyId);
  select.bind(2, name);
  if (select.executeStep()) return select.getColumn(0).getInt64();
  const LimitDefinition* definition = findLimit(name);
  return definition == nullptr ? 0 : definition->value;
}

long long limitUsage(Session& session, const std::string& tenancyId, const std::string& name) {
  auto& sum = session.sql("SELECT COALESCE(SUM(amount), 0) FROM limit_usage WHERE tenancy = ? AND name = ?");
  sum.bind(1, tenancyId);
  sum.bind(2, name);
  return sum.executeStep() ? sum.getColumn(0).getInt64() : 0;
}

void setLimit(Session& session, const std::string& tenancyId, const std::string& name, long long value) {
  auto& save = session.sql("INSERT OR REPLACE INTO service_limits(tenancy, name, value) VALUES(?,?,?)");
  save.bind(1, tenancyId);
  save.bind(2, name);
  save.bind(3, static_cast<int64_t>(value));
  save.exec();
}

std::optional<Refusal> checkServiceLimit(Session& session, const std::string& tenancyId,
                                         const std::string& shapeName, int nodes) {
  const ShapeLimit limit = limitOfShape(shapeName);
  const long long wanted = static_cast<long long>(nodes) * limit.perNode;
  const long long value = limitValue(session, tenancyId, limit.name);
  const long long used = limitUsage(session, tenancyId, limit.name);
  if (used + wanted <= value) return std::nullopt;
  return Refusal{
      400, "LimitExceeded",
      fmt::format("The following service limits were exceeded: {}. Request a service limit increase "
                  "from the service limits page in the console. (limit {}, in use {}, asked for {})",
                  limit.name, value, used, wanted)};
}

void addUsage(Session& session, const std::string& tenancyId, const std::string& holder,
              const std::string& shapeName, int nodes) {
  const ShapeLimit limit = limitOfShape(shapeName);
  auto& add = session.sql(
      "INSERT INTO limit_usage(holder, tenancy, name, amount) VALUES(?,?,?,?) "
      "ON CONFLICT(holder, name) DO UPDATE SET amount = amount + excluded.amount");
  add.bind(1, holder);
  add.bind(2, tenancyId);
  add.bind(3, limit.name);
  add.bind(4, static_cast<int64_t>(nodes) * limit.perNode);
  add.exec();
}

void releaseUsage(Session& session, const std::string& holder) {
  auto& release = session.sql("DELETE FROM limit_usage WHERE holder = ?");
  release.bind(1, holder);
  release.exec();
}

}  // namespace lockstep::rehearsal
