// SPDX-License-Identifier: GPL-3.0-or-later
// One record as one line of JSON.
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/text/encoding.h"
#include "base/time_text.h"
#include "oci/calls/call_log.h"

namespace lockstep::oci {
namespace {

// What a server sent comes in here; a line stays short enough to be appended in one piece.
constexpr std::size_t kMaxText = 256;

std::string cut(const std::string& text) {
  return toValidUtf8(std::string_view(text).substr(0, kMaxText));
}

}  // namespace

std::string toLine(const CallRecord& record) {
  nlohmann::ordered_json line;
  line["at"] = toRfc3339(record.at);
  line["method"] = cut(record.method);
  line["service"] = cut(record.service);
  line["operation"] = cut(record.operation);
  line["host"] = cut(record.host);
  line["attempt"] = record.attempt;
  line["status"] = record.httpStatus;
  if (!record.errorCode.empty()) line["errorCode"] = cut(record.errorCode);
  line["ms"] = static_cast<double>(record.duration / std::chrono::microseconds(1)) / 1000;
  line["requestId"] = cut(record.requestId);
  return line.dump();
}

std::optional<CallRecord> callRecordOf(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto at = parseRfc3339(stringField(json, "at"));
  if (!at || stringField(json, "method").empty()) return std::nullopt;
  CallRecord record;
  record.at = *at;
  record.method = stringField(json, "method");
  record.service = stringField(json, "service");
  record.operation = stringField(json, "operation");
  record.host = stringField(json, "host");
  record.attempt = static_cast<int>(numberField(json, "attempt").value_or(0));
  record.httpStatus = static_cast<int>(numberField(json, "status").value_or(0));
  record.errorCode = stringField(json, "errorCode");
  record.requestId = stringField(json, "requestId");
  const double milliseconds = numberField(json, "ms").value_or(0);
  record.duration = std::chrono::microseconds(static_cast<std::int64_t>(milliseconds * 1000));
  return record;
}

}  // namespace lockstep::oci
