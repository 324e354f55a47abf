// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/faults/fault_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

/// What a kind is called, and which fields it has besides those of all kinds.
struct KindRow {
  FaultKind kind;
  const char* name;
  std::vector<std::string_view> needed, optional;
};

const std::array<KindRow, 17>& kinds() {
  static const std::array<KindRow, 17> rows{{
      {FaultKind::Latency, "latency", {"delay"}, {}},
      {FaultKind::TooManyRequests, "throttle", {}, {"retryAfter"}},
      {FaultKind::ServerError, "error", {}, {"status", "retryAfter"}},
      {FaultKind::Reset, "reset", {}, {"bytes"}},
      {FaultKind::LostAnswer, "lost-answer", {}, {}},
      {FaultKind::SlowBody, "slow-body", {"bytesPerSecond"}, {}},
      {FaultKind::WrongLength, "wrong-length", {}, {"bytes"}},
      {FaultKind::LateLogs, "late-logs", {"delay"}, {}},
      {FaultKind::ReorderedLogs, "reordered-logs", {"delay"}, {}},
      {FaultKind::EventualListing, "eventual-listing", {"delay"}, {}},
      {FaultKind::ExpiredToken, "expired-token", {}, {}},
      {FaultKind::ClockSkew, "clock-skew", {"delay"}, {}},
      {FaultKind::OutOfCapacity, "out-of-capacity", {}, {}},
      {FaultKind::QuotaExceeded, "quota", {}, {}},
      {FaultKind::NodeKilled, "node-killed", {}, {"delay", "node"}},
      {FaultKind::NodeFrozen, "node-frozen", {}, {"delay", "node"}},
      {FaultKind::DiskFull, "disk-full", {}, {}},
  }};
  return rows;
}

bool has(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reads the fields of one fault and remembers the first thing wrong.
class FaultReader {
 public:
  FaultReader(const json& object, std::size_t index) : object_(object), index_(index) {}

  Result<Fault> read();

 private:
  void complain(const std::string& why) {
    if (problem_.empty()) problem_ = why;
  }
  const KindRow* readKind();
  void checkNames(const KindRow& row);
  double number(const char* name, double otherwise, double lowest, double highest, bool whole,
                const char* unit);
  double count(const char* name, double otherwise, double lowest, double highest) {
    return number(name, otherwise, lowest, highest, true, "");
  }
  std::string glob();
  void readAll(Fault& fault);

  const json& object_;
  std::size_t index_;
  std::string problem_;
};

const KindRow* FaultReader::readKind() {
  const std::string name =
      object_.contains("kind") && object_["kind"].is_string() ? object_["kind"].get<std::string>() : "";
  std::string names;
  for (const KindRow& row : kinds()) {
    if (name == row.name) return &row;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  complain(fmt::format("its 'kind' is '{}' and must be one of {}", name, names));
  return nullptr;
}

void FaultReader::checkNames(const KindRow& row) {
  static const std::vector<std::string_view> common{"kind", "operation", "probability", "after", "times"};
  for (const auto& [name, value] : object_.items()) {
    if (has(common, name) || has(row.needed, name) || has(row.optional, name)) continue;
    std::string allowed;
    for (const auto* names : {&common, &row.needed, &row.optional})
      for (const std::string_view n : *names) allowed += (allowed.empty() ? "" : ", ") + std::string(n);
    complain(fmt::format("it has a field '{}', but '{}' knows only {}", name, row.name, allowed));
  }
  for (const std::string_view name : row.needed)
    if (!object_.contains(name)) complain(fmt::format("'{}' needs the field '{}'", row.name, name));
}

double FaultReader::number(const char* name, double otherwise, double lowest, double highest, bool whole,
                           const char* unit) {
  if (!object_.contains(name)) return otherwise;
  const json& value = object_[name];
  const double n = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (n >= lowest && n <= highest && (!whole || n == std::floor(n))) return n;
  complain(fmt::format("its '{}' is {} and must be a {}number{} from {} to {}", name, value.dump(),
                       whole ? "whole " : "", unit, lowest, highest));
  return otherwise;
}

std::string FaultReader::glob() {
  if (!object_.contains("operation")) return "*";
  const json& value = object_["operation"];
  if (value.is_string() && !value.get<std::string>().empty()) return value;
  complain(fmt::format("its 'operation' is {} and must be the name of an operation, perhaps with *",
                       value.dump()));
  return "*";
}

void FaultReader::readAll(Fault& fault) {
  constexpr double kDay = 86400, kMax = 1e9;
  const bool skew = fault.kind == FaultKind::ClockSkew;
  fault.operation = glob();
  fault.probability = number("probability", 1, 0, 1, false, "");
  fault.after = static_cast<int>(count("after", 0, 0, kMax));
  fault.times = static_cast<int>(count("times", -1, -1, kMax));
  const double delay = number("delay", 0, skew ? -kDay : 0, kDay, false, " of seconds");
  fault.delay = milliseconds(std::llround(delay * 1000));
  if (object_.contains("retryAfter"))
    fault.retryAfter = number("retryAfter", 0, 0, kDay, false, " of seconds");
  fault.status = static_cast<int>(count("status", 0, 500, 504));
  if (fault.status == 501) complain("its 'status' is 501 and must be 500, 502, 503 or 504");
  fault.bytes = static_cast<std::uint64_t>(count("bytes", 0, 0, 1e12));
  fault.bytesPerSecond = static_cast<std::uint64_t>(count("bytesPerSecond", 0, 1, 1e12));
  fault.node = static_cast<int>(count("node", 0, 0, 100000));
}

Result<Fault> FaultReader::read() {
  Fault fault;
  if (!object_.is_object()) complain("it is no object");
  const KindRow* row = problem_.empty() ? readKind() : nullptr;
  if (row != nullptr) {
    fault.kind = row->kind;
    checkNames(*row);
    readAll(fault);
  }
  if (problem_.empty()) return fault;
  return failure(ErrorCode::InvalidArgument, fmt::format("fault {} of the plan is not valid", index_ + 1),
                 problem_, {}, fmt::format("faults[{}]", index_));
}

tl::unexpected<Error> invalidPlan(const std::string& cause) {
  return failure(ErrorCode::InvalidArgument, "the fault plan is not valid", cause,
                 R"(write {"seed": 1, "faults": [{"kind": "latency", "delay": 0.5}]})");
}

}  // namespace

const char* nameOf(FaultKind kind) {
  for (const KindRow& row : kinds())
    if (row.kind == kind) return row.name;
  return "";
}

Result<FaultPlan> FaultPlan::parse(const json& json) {
  if (!json.is_object()) return invalidPlan("it is no JSON object");
  for (const auto& [name, value] : json.items())
    if (name != "seed" && name != "faults" && name != "strikes")
      return invalidPlan(fmt::format("it has a field '{}', but only seed and faults are known", name));
  FaultPlan plan;
  if (json.contains("seed")) {
    if (!json["seed"].is_number_unsigned())
      return invalidPlan("its 'seed' is " + json["seed"].dump() + " and must be a whole number from 0");
    plan.seed = json["seed"];
  }
  if (!json.contains("faults")) return plan;
  if (!json["faults"].is_array()) return invalidPlan("its 'faults' is no list");
  for (const auto& object : json["faults"]) {
    auto fault = FaultReader(object, plan.faults.size()).read();
    if (!fault) return failure(std::move(fault.error()));
    plan.faults.push_back(*std::move(fault));
  }
  return plan;
}

}  // namespace lockstep::rehearsal
