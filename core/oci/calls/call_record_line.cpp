// SPDX-License-Identifier: GPL-3.0-or-later
// One record as one line of JSON.
#include <nlohmann/json.hpp>

#include "base/encoding.h"
#include "base/time_text.h"
#include "oci/call_log.h"

namespace lockstep::oci {
namespace {

// What a server sent comes in here; a line stays short enough to be appended in one piece.
constexpr std::size_t kMostText = 256;

std::string cut(const std::string& text) {
  return toValidUtf8(std::string_view(text).substr(0, kMostText));
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
  const auto text = [&](const char* name) {
    const auto it = json.find(name);
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  const auto number = [&](const char* name) {
    const auto it = json.find(name);
    return it != json.end() && it->is_number() ? it->get<double>() : 0.0;
  };
  const auto at = parseRfc3339(text("at"));
  if (!at || text("method").empty()) return std::nullopt;
  CallRecord record;
  record.at = *at;
  record.method = text("method");
  record.service = text("service");
  record.operation = text("operation");
  record.host = text("host");
  record.attempt = static_cast<int>(number("attempt"));
  record.httpStatus = static_cast<int>(number("status"));
  record.errorCode = text("errorCode");
  record.requestId = text("requestId");
  record.duration = std::chrono::microseconds(static_cast<std::int64_t>(number("ms") * 1000));
  return record;
}

}  // namespace lockstep::oci
