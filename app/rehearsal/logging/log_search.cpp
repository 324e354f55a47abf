// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>

#include "base/time_text.h"
#include "rehearsal/front/body_reader.h"
#include "rehearsal/identity/access.h"
#include "rehearsal/logging/log_query.h"
#include "rehearsal/services.h"

namespace lockstep::rehearsal {
namespace {

constexpr long long kLongestSpanMs = 14LL * 24 * 3600 * 1000;

struct SearchRequest {
  long long from = 0, to = 0;  // ms, both within
  LogQuery query;
  int limit = 100;
  std::optional<std::pair<long long, long long>> after;  // time, row
  bool fieldInfo = false;
};

std::optional<long long> readTime(BodyReader& body, const char* name) {
  const std::string text = body.text(name);
  const auto time = parseRfc3339(text);
  if (!time && !text.empty()) body.invalid(name, "'" + text + "' is not an RFC 3339 time");
  if (!time) return std::nullopt;
  return toMillis(*time);
}

std::optional<long long> toNumber(const std::string& text) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

tl::expected<std::optional<std::pair<long long, long long>>, Refusal> readPage(const Call& call) {
  const auto found = call.query.find("page");
  if (found == call.query.end()) return std::nullopt;
  const auto parts = decodePage(found->second);
  const auto time = parts && parts->size() == 2 ? toNumber((*parts)[0]) : std::nullopt;
  const auto row = parts && parts->size() == 2 ? toNumber((*parts)[1]) : std::nullopt;
  if (!time || !row) return invalidParameter("The parameter 'page' is not a page token of this search.");
  return std::make_pair(*time, *row);
}

tl::expected<SearchRequest, Refusal> readRequest(const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  SearchRequest r;
  r.from = readTime(body, "timeStart").value_or(0);
  r.to = readTime(body, "timeEnd").value_or(0);
  const std::string text = body.text("searchQuery", 100'000);
  r.fieldInfo = body.optionalFlag("isReturnFieldInfo").value_or(false);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  if (r.to < r.from) return invalidParameter("The parameter 'timeEnd' is before 'timeStart'.");
  if (r.to - r.from > kLongestSpanMs) return invalidParameter("The time range is longer than 14 days.");
  auto query = parseLogQuery(text);
  if (!query) return invalidParameter("The parameter 'searchQuery' is invalid: " + query.error() + ".");
  r.query = std::move(*query);
  const auto limit = call.limit(100, 1000);
  if (!limit) return tl::unexpected(limit.error());
  r.limit = *limit;
  const auto page = readPage(call);
  if (!page) return tl::unexpected(page.error());
  r.after = *page;
  return r;
}

// The logs that a stream names, by OCID or display name.
std::vector<std::string> logsOf(Session& session, const LogStream& stream) {
  std::string text =
      "SELECT l.id FROM resources l JOIN resources g ON g.id = l.parent WHERE l.kind = 'log' AND "
      "g.compartment = ?1";
  if (!stream.group.empty()) text += " AND (g.id = ?2 OR g.name = ?2)";
  if (!stream.log.empty()) text += " AND (l.id = ?3 OR l.name = ?3)";
  auto& select = session.sql(text);
  select.bind(1, stream.compartment);
  if (!stream.group.empty()) select.bind(2, stream.group);
  if (!stream.log.empty()) select.bind(3, stream.log);
  std::vector<std::string> logs;
  while (select.executeStep()) logs.push_back(select.getColumn(0).getString());
  return logs;
}

tl::expected<nlohmann::json, Refusal> logsOf(Session& session, const Call& call, const LogQuery& query) {
  nlohmann::json logs = nlohmann::json::array();
  for (const LogStream& stream : query.streams) {
    if (!mayIn(session, call, stream.compartment)) return notFound();
    const std::vector<std::string> found = logsOf(session, stream);
    if (found.empty() && !stream.log.empty()) return notFound();
    for (const std::string& log : found) logs.push_back(log);
  }
  return logs;
}

SearchedRecord readRecord(SQLite::Statement& row, const std::string& tenancy) {
  SearchedRecord record;
  record.time = row.getColumn(1).getInt64();
  record.id = row.getColumn(2).getString();
  record.source = row.getColumn(3).getString();
  record.type = row.getColumn(4).getString();
  record.subject = row.getColumn(5).getString();
  record.content = {{"id", record.id},
                    {"time", timeText(record.time)},
                    {"source", record.source},
                    {"type", record.type},
                    {"subject", record.subject},
                    {"specversion", "1.0"},
                    {"data", nlohmann::json::parse(row.getColumn(7).getString())},
                    {"oracle",
                     {{"compartmentid", row.getColumn(9).getString()},
                      {"loggroupid", row.getColumn(10).getString()},
                      {"logid", row.getColumn(8).getString()},
                      {"tenantid", tenancy},
                      {"ingestedtime", timeText(row.getColumn(6).getInt64())}}}};
  return record;
}

SQLite::Statement& selectRecords(Session& session, const SearchRequest& r, const nlohmann::json& logs) {
  const bool down = r.query.descending;
  std::string text =
      "SELECT r.seq, r.time, r.id, r.source, r.type, r.subject, r.ingested, r.data, l.id, l.compartment, "
      "l.parent "
      "FROM log_records r JOIN resources l ON l.id = r.log WHERE r.log IN (SELECT value FROM json_each(?1)) "
      "AND r.time BETWEEN ?2 AND ?3";
  if (r.after) text += std::string(" AND (r.time, r.seq) ") + (down ? "<" : ">") + " (?4, ?5)";
  text += down ? " ORDER BY r.time DESC, r.seq DESC" : " ORDER BY r.time, r.seq";
  auto& select = session.sql(text);
  select.bind(1, logs.dump());
  select.bind(2, static_cast<int64_t>(r.from));
  select.bind(3, static_cast<int64_t>(r.to));
  if (r.after) {
    select.bind(4, static_cast<int64_t>(r.after->first));
    select.bind(5, static_cast<int64_t>(r.after->second));
  }
  return select;
}

nlohmann::json fieldInfo() {
  nlohmann::json fields = nlohmann::json::array();
  for (const char* name :
       {"id", "time", "source", "type", "subject", "specversion", "data.message", "oracle.compartmentid",
        "oracle.loggroupid", "oracle.logid", "oracle.tenantid", "oracle.ingestedtime"})
    fields.push_back({{"fieldName", std::string("logContent.") + name}, {"fieldType", "STRING"}});
  fields.push_back({{"fieldName", "datetime"}, {"fieldType", "NUMBER"}});
  return fields;
}

Answer search(Database& database, const Call& call) {
  const auto request = readRequest(call);
  if (!request) return tl::unexpected(request.error());
  Session session(database);
  const auto logs = logsOf(session, call, request->query);
  if (!logs) return tl::unexpected(logs.error());
  nlohmann::json results = nlohmann::json::array();
  std::string nextPage, last;
  auto& rows = selectRecords(session, *request, *logs);
  while (rows.executeStep()) {
    SearchedRecord record = readRecord(rows, call.principal.tenancyId);
    if (!request->query.accepts(record)) continue;
    if (!call.visibility.sees(rows.getColumn(6).getInt64(), record.id, toMillis(call.now))) continue;
    if (static_cast<int>(results.size()) == request->limit) {
      nextPage = last;
      break;
    }
    last = encodePage({std::to_string(record.time), std::to_string(rows.getColumn(0).getInt64())});
    results.push_back({{"data", {{"datetime", record.time}, {"logContent", std::move(record.content)}}}});
  }
  const nlohmann::json fields = request->fieldInfo ? fieldInfo() : nlohmann::json::array();
  Reply reply = jsonReply({{"summary", {{"resultCount", results.size()}, {"fieldCount", fields.size()}}},
                           {"results", std::move(results)},
                           {"fields", fields}});
  if (!nextPage.empty()) reply.headers.emplace_back("opc-next-page", nextPage);
  return reply;
}

}  // namespace

void addLogSearch(Router& router, Database& database) {
  router.add("POST", "/20190909/search", "SearchLogs", [&](const Call& c) { return search(database, c); });
}

}  // namespace lockstep::rehearsal
