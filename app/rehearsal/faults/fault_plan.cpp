// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/faults/fault_plan.h"

#include <fnmatch.h>

#include <algorithm>

#include "base/digest.h"
#include "rehearsal/api/visibility.h"
#include "rehearsal/faults/fault_fields.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

bool covers(const Fault& fault, const std::string& operation) {
  return operation.empty() || ::fnmatch(fault.operation.c_str(), operation.c_str(), 0) == 0;
}

bool spent(const Fault& fault, int struck) {
  return fault.times >= 0 && struck >= fault.times;
}

void addFields(json& object, const Fault& fault) {
  const Fault usual;
  if (fault.operation != usual.operation) object["operation"] = fault.operation;
  if (fault.probability != usual.probability) object["probability"] = fault.probability;
  if (fault.after != usual.after) object["after"] = fault.after;
  if (fault.times != usual.times) object["times"] = fault.times;
  if (fault.delay != usual.delay) object["delay"] = static_cast<double>(fault.delay.count()) / 1000;
  if (fault.retryAfter) object["retryAfter"] = *fault.retryAfter;
  if (fault.status != usual.status) object["status"] = fault.status;
  if (fault.bytes != usual.bytes) object["bytes"] = fault.bytes;
  if (fault.bytesPerSecond != usual.bytesPerSecond) object["bytesPerSecond"] = fault.bytesPerSecond;
  if (fault.node != usual.node) object["node"] = fault.node;
}

}  // namespace

json FaultPlan::toJson() const {
  json list = json::array();
  for (const Fault& fault : faults) {
    json object{{"kind", nameOf(fault.kind)}};
    addFields(object, fault);
    list.push_back(std::move(object));
  }
  return {{"seed", seed}, {"faults", std::move(list)}};
}

void Faults::set(FaultPlan plan) {
  const std::lock_guard lock(mutex_);
  plan_ = std::move(plan);
  counts_.assign(plan_.faults.size(), {});
  endedTokens_.clear();
  any_ = !plan_.faults.empty();
}

FaultPlan Faults::plan() const {
  const std::lock_guard lock(mutex_);
  return plan_;
}

std::vector<int> Faults::strikes() const {
  const std::lock_guard lock(mutex_);
  std::vector<int> all;
  for (const Counted& count : counts_) all.push_back(count.struck);
  return all;
}

std::optional<Fault> Faults::strike(FaultKind kind, const std::string& operation,
                                    const std::function<bool(const Fault&)>& which) {
  if (!any_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  std::optional<Fault> struck;
  for (std::size_t i = 0; i < plan_.faults.size(); ++i) {
    const Fault& fault = plan_.faults[i];
    if (fault.kind != kind || !covers(fault, operation) || (which && !which(fault))) continue;
    const int n = counts_[i].seen++;
    if (struck || n < fault.after || spent(fault, counts_[i].struck)) continue;
    if (drawn(plan_.seed, i, static_cast<std::uint64_t>(n)) >= fault.probability) continue;
    ++counts_[i].struck;
    struck = fault;
  }
  return struck;
}

bool Faults::endsToken(const std::string& token, const std::string& operation) {
  if (!any_) return false;
  const std::string digest = sha256(token);
  {
    const std::lock_guard lock(mutex_);
    if (endedTokens_.contains(digest)) return true;
  }
  if (!strike(FaultKind::ExpiredToken, operation)) return false;
  const std::lock_guard lock(mutex_);
  endedTokens_.insert(digest);
  return true;
}

std::optional<Fault> Faults::active(FaultKind kind, const std::string& operation) const {
  if (!any_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < plan_.faults.size(); ++i) {
    const Fault& fault = plan_.faults[i];
    if (fault.kind == kind && covers(fault, operation) && !spent(fault, counts_[i].struck)) return fault;
  }
  return std::nullopt;
}

}  // namespace lockstep::rehearsal
