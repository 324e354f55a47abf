// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/logging/logging.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/support/line_capture.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxEntryBytes = 1'000'000;
constexpr std::size_t kMaxCharacters = 10'000;  // of one field: the rest is cut (oci-rest-contract 4.8)
constexpr int kDeepestEntry = 32;

struct LogEntry {
  long long time = 0;
  std::string id, source, type, subject;
  json data;
};

void cutLongTexts(json& value) {
  if (value.is_string()) {
    value = cutToCharacters(value.get_ref<const std::string&>(), kMaxCharacters);
  } else if (value.is_structured()) {
    for (auto& inner : value) cutLongTexts(inner);
  }
}

// Without building anything: whether a text nests so deep that taking it apart would need a deep stack.
bool nestsTooDeep(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth > kDeepestEntry) return true;
  }
  return false;
}

// A JSON object is stored as that object, any other text as its message.
json storedData(const std::string& text) {
  json data = text.starts_with("{") && !nestsTooDeep(text) ? json::parse(text, nullptr, false) : json();
  if (!data.is_object()) data = {{"message", text}};
  cutLongTexts(data);
  return data;
}

long long readTime(BodyReader& body, const char* name, long long fallback) {
  const auto text = body.optionalText(name, 64);
  if (!text) return fallback;
  const auto time = parseRfc3339(*text);
  if (!time) body.invalid(name, "'" + *text + "' is not an RFC 3339 time");
  return time ? toMillis(*time) : fallback;
}

LogEntry readEntry(BodyReader& entry, const LogEntry& common) {
  LogEntry read = common;
  read.id = entry.text("id");
  read.time = readTime(entry, "time", common.time);
  if (!entry.has("data")) entry.missing("data");
  const auto text = entry.optionalText("data", kMaxEntryBytes);
  if (text && !entry.error()) read.data = storedData(*text);
  return read;
}

// The objects of an array; what is none is refused.
const json& objectsOf(BodyReader& body, const char* name) {
  static const json kNone = json::array();
  if (!body.has(name)) {
    body.missing(name);
    return kNone;
  }
  const json& list = body.json()[name];
  if (!list.is_array() || list.empty()) {
    body.invalid(name, "it must be an array with an element or more");
    return kNone;
  }
  for (const json& element : list)
    if (!element.is_object()) {
      body.invalid(name, "its elements must be objects");
      return kNone;
    }
  return list;
}

tl::expected<std::vector<LogEntry>, ServiceError> readBatches(const json& request) {
  std::optional<ServiceError> error;  // the first, of whatever depth
  BodyReader body(request, "", &error);
  std::vector<LogEntry> entries;
  body.choice("specversion", {"1.0"});
  for (const json& batch : objectsOf(body, "logEntryBatches")) {
    BodyReader reader(batch, "logEntryBatches[]", &error);
    LogEntry common;
    common.source = reader.text("source", 1024);
    common.type = reader.text("type", 1024);
    common.subject = reader.optionalText("subject", 1024).value_or("");
    if (!reader.has("defaultlogentrytime")) reader.missing("defaultlogentrytime");
    common.time = readTime(reader, "defaultlogentrytime", 0);
    for (const json& entry : objectsOf(reader, "entries")) {
      BodyReader one(entry, "logEntryBatches[].entries[]", &error);
      entries.push_back(readEntry(one, common));
      if (error) return tl::unexpected(*error);
    }
  }
  if (error) return tl::unexpected(*error);
  return entries;
}

void insertEntry(Transaction& transaction, const std::string& log, const LogEntry& entry, long long now) {
  auto& insert = transaction.sql(
      "INSERT INTO log_records(log, time, id, source, type, subject, ingested, data) "
      "VALUES(?,?,?,?,?,?,?,?)");
  insert.bind(1, log);
  insert.bind(2, static_cast<int64_t>(entry.time));
  insert.bind(3, entry.id);
  insert.bind(4, entry.source);
  insert.bind(5, entry.type);
  insert.bind(6, entry.subject);
  insert.bind(7, static_cast<int64_t>(now));
  insert.bind(8, entry.data.dump(-1, ' ', false, json::error_handler_t::replace));
  insert.exec();
}

OperationResult putLogs(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  const auto entries = readBatches(*parsed);
  if (!entries) return tl::unexpected(entries.error());
  Transaction transaction(database);
  const auto log = findAllowed(transaction, call, kind::kLog, call.path.at("logId"));
  if (!log) return notFound();
  if (log->body.value("logType", "") != "CUSTOM")
    return invalidParameter("Entries can be put into a log of logType CUSTOM only.");
  if (!log->body.value("isEnabled", true))
    return refuse(409, "IncorrectState", "The log '" + log->name + "' is disabled.");
  for (const LogEntry& entry : *entries) insertEntry(transaction, log->id, entry, toMillis(call.now));
  transaction.commit();
  return emptyResponse(200);
}

}  // namespace

void addLogIngestion(Router& router, Database& database) {
  router.add("POST", "/20200831/logs/{logId}/actions/push", "PutLogs",
             [&](const Call& c) { return putLogs(database, c); });
}

}  // namespace lockstep::rehearsal
