// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/request_audit.h"

#include <algorithm>
#include <charconv>

#include "base/time_text.h"

namespace lockstep::rehearsal {
namespace {

const char* nameOf(Principal::Kind kind) {
  switch (kind) {
    case Principal::Kind::User:
      return "user";
    case Principal::Kind::JobRun:
      return "datasciencejobrun";
    case Principal::Kind::Instance:
      return "instance";
    case Principal::Kind::Service:
      return "service";
  }
  return "";
}

nlohmann::json toJson(const AuditEntry& entry, std::uint64_t number) {
  nlohmann::json json{{"number", number},
                      {"time", toRfc3339(entry.time)},
                      {"method", entry.method},
                      {"path", entry.path},
                      {"operation", entry.operation},
                      {"status", entry.status},
                      {"code", entry.code},
                      {"requestId", entry.requestId},
                      {"microseconds", entry.duration.count()},
                      {"isMutating", isMutating(entry.method, entry.operation)}};
  if (!entry.why.empty()) json["why"] = entry.why;
  json["principal"] = entry.principal ? nlohmann::json(entry.principal->id) : nlohmann::json(nullptr);
  if (entry.principal)
    json.update({{"principalKind", nameOf(entry.principal->kind)}, {"tenancy", entry.principal->tenancyId}});
  return json;
}

}  // namespace

bool isMutating(const std::string& method, const std::string& operation) {
  if (method == "GET" || method == "HEAD") return false;
  constexpr const char* reads[] = {"SearchLogs", "SummarizeMetricsData", "ListMetrics", ""};
  return std::ranges::none_of(reads, [&](const char* name) { return operation == name; });
}

void RequestAudit::record(const AuditEntry& entry) {
  const std::scoped_lock lock(mutex_);
  ++last_;
  entries_.push_back(entry);
  if (entries_.size() > max_) entries_.pop_front();
}

nlohmann::json RequestAudit::since(std::uint64_t since, std::size_t limit) const {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t first = last_ + 1 - entries_.size();  // number of entries_.front()
  const std::uint64_t from = std::max(since + 1, first);
  nlohmann::json list = nlohmann::json::array();
  for (std::uint64_t number = from; number <= last_ && list.size() < limit; ++number)
    list.push_back(toJson(entries_[number - first], number));
  const std::uint64_t shown = list.empty() ? std::min(since, last_) : from + list.size() - 1;
  return {
      {"entries", std::move(list)}, {"last", shown}, {"dropped", from > since + 1 ? from - since - 1 : 0}};
}

void addAuditAdmin(Router& admin, const RequestAudit& audit) {
  admin.add("GET", "/rehearsal/audit", "GetAudit", [&audit](const Call& call) -> OperationResult {
    const std::string text = call.parameter("since").value_or("0");
    std::uint64_t since = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), since);
    if (error != std::errc{} || end != text.data() + text.size())
      return invalidParameter("The parameter 'since' must be the number of an entry.");
    const auto limit = call.limit(1000, 10000);
    if (!limit) return tl::unexpected(limit.error());
    return jsonResponse(audit.since(since, static_cast<std::size_t>(*limit)));
  });
}

}  // namespace lockstep::rehearsal
