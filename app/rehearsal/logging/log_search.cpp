// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <map>

#include "base/time_text.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/logging/log_query.h"
#include "rehearsal/logging/logging.h"
#include "rehearsal/service/body_reader.h"

namespace lockstep::rehearsal {
namespace {

constexpr long long kMaxScanned = 1'000'000;  // lines that one search looks at
constexpr long long kLongestSpanMs = 14LL * 24 * 3600 * 1000;

struct SearchRequest {
  long long from = 0, to = 0;  // ms, both within
  LogQuery query;
  int limit = 100;
  std::optional<std::pair<long long, long long>> after;  // time, row: of a query that works row by row
  long long skipped = 0;                                 // rows of earlier pages: of any other
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

std::optional<ServiceError> readPage(const Call& call, SearchRequest& request) {
  const auto found = call.query.find("page");
  if (found == call.query.end()) return std::nullopt;
  const auto parts = decodePage(found->second);
  const auto first = parts && parts->size() == 2 ? toNumber((*parts)[0]) : std::nullopt;
  const auto second = parts && parts->size() == 2 ? toNumber((*parts)[1]) : std::nullopt;
  const bool isCount = parts && parts->size() == 2 && (*parts)[0] == "skip";
  if (!second || (request.query.isRowWise ? !first : !isCount))
    return invalidParameter("The parameter 'page' is not a page token of this search.").value();
  if (isCount) {
    request.skipped = *second;
  } else {
    request.after = std::make_pair(*first, *second);
  }
  return std::nullopt;
}

tl::expected<SearchRequest, ServiceError> readRequest(const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  SearchRequest r;
  r.from = readTime(body, "timeStart").value_or(0);
  r.to = readTime(body, "timeEnd").value_or(0);
  const std::string text = body.text("searchQuery", 100'000);
  r.fieldInfo = body.optionalFlag("isReturnFieldInfo").value_or(false);
  if (body.error()) return tl::unexpected(*body.error());
  if (r.to < r.from) return invalidParameter("The parameter 'timeEnd' is before 'timeStart'.");
  if (r.to - r.from > kLongestSpanMs) return invalidParameter("The time range is longer than 14 days.");
  auto query = parseLogQuery(text);
  if (!query) return invalidParameter("The parameter 'searchQuery' is invalid: " + query.error() + ".");
  r.query = std::move(*query);
  const auto limit = call.limit(100, 1000);
  if (!limit) return tl::unexpected(limit.error());
  r.limit = *limit;
  if (auto serviceError = readPage(call, r)) return tl::unexpected(*serviceError);
  return r;
}

// The logs that a stream names, by OCID or display name.
std::vector<std::string> logsOf(Transaction& transaction, const LogStream& stream) {
  std::string text =
      "SELECT l.id FROM resources l JOIN resources g ON g.id = l.parent WHERE l.kind = 'log' AND "
      "g.compartment = ?1";
  if (!stream.group.empty()) text += " AND (g.id = ?2 OR g.name = ?2)";
  if (!stream.log.empty()) text += " AND (l.id = ?3 OR l.name = ?3)";
  auto& select = transaction.sql(text);
  select.bind(1, stream.compartment);
  if (!stream.group.empty()) select.bind(2, stream.group);
  if (!stream.log.empty()) select.bind(3, stream.log);
  std::vector<std::string> logs;
  while (select.executeStep()) logs.push_back(select.getColumn(0).getString());
  return logs;
}

tl::expected<nlohmann::json, ServiceError> logsOf(Transaction& transaction, const Call& call,
                                                  const LogQuery& query) {
  nlohmann::json logs = nlohmann::json::array();
  for (const LogStream& stream : query.streams) {
    if (!mayIn(transaction, call, stream.compartment)) return notFound();
    const std::vector<std::string> found = logsOf(transaction, stream);
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

// One log's lines are read in the order of the index, no more of them than a page needs. Those of several have to be
// sorted, all that are left, for each page.
std::string textOfSelect(const SearchRequest& r, bool isOneLog) {
  const bool down = r.query.descending;
  std::string text =
      "SELECT r.seq, r.time, r.id, r.source, r.type, r.subject, r.ingested, r.data, l.id, l.compartment, "
      "l.parent "
      "FROM log_records r JOIN resources l ON l.id = r.log WHERE r.log ";
  text += isOneLog ? "= ?1" : "IN (SELECT value FROM json_each(?1))";
  text += " AND r.time BETWEEN ?2 AND ?3";
  if (r.after) text += std::string(" AND (r.time, r.seq) ") + (down ? "<" : ">") + " (?4, ?5)";
  text += down ? " ORDER BY r.time DESC, r.seq DESC" : " ORDER BY r.time, r.seq";
  return text;
}

SQLite::Statement& selectRecords(Transaction& transaction, const SearchRequest& r,
                                 const nlohmann::json& logs) {
  const bool isOneLog = logs.size() == 1;
  auto& select = transaction.sql(textOfSelect(r, isOneLog));
  select.bind(1, isOneLog ? logs.front().get<std::string>() : logs.dump());
  long long from = r.from, to = r.to;
  if (r.after) {  // the index is searched by these bounds alone
    if (r.query.descending)
      to = std::min(to, r.after->first);
    else
      from = std::max(from, r.after->first);
    select.bind(4, static_cast<int64_t>(r.after->first));
    select.bind(5, static_cast<int64_t>(r.after->second));
  }
  select.bind(2, static_cast<int64_t>(from));
  select.bind(3, static_cast<int64_t>(to));
  return select;
}

const char* typeOf(const nlohmann::json& value) {
  if (value.is_array()) return "ARRAY";
  if (value.is_boolean()) return "BOOLEAN";
  return value.is_number() ? "NUMBER" : "STRING";
}

// The fields that the results have, by their paths.
void collectFields(const nlohmann::json& value, const std::string& path,
                   std::map<std::string, const char*>& fields) {
  if (!value.is_object()) {
    if (!value.is_null()) fields.emplace(path, typeOf(value));
    return;
  }
  for (const auto& [name, inner] : value.items())
    collectFields(inner, path.empty() ? name : path + "." + name, fields);
}

struct Results {
  nlohmann::json list = nlohmann::json::array();
  std::string nextPage;
};

nlohmann::json shownResult(const LogRow& row) {
  return {{"data", shownRow(row)}};
}

LogRow rowOf(SQLite::Statement& rows, const Call& call) {
  return LogRow{std::make_shared<const SearchedRecord>(readRecord(rows, call.principal.tenancyId))};
}

bool isSeen(SQLite::Statement& rows, const Call& call) {
  return call.visibility.sees(rows.getColumn(6).getInt64(), rows.getColumn(2).getString(),
                              toMillis(call.now));
}

tl::unexpected<ServiceError> tooLarge() {
  return invalidParameter("The search result is too large: search a shorter time, or for less.");
}

// Reads until the page is full; a page token is the place of the last line that was shown.
tl::expected<Results, ServiceError> readPageOf(SQLite::Statement& rows, const SearchRequest& request,
                                               const Call& call) {
  Results results;
  LogPipeline pipeline(request.query);
  std::string last;
  long long scanned = 0;
  while (rows.executeStep()) {
    if (++scanned > kMaxScanned) return tooLarge();
    if (!isSeen(rows, call)) continue;
    pipeline.take(rowOf(rows, call));
    if (pipeline.rows().empty()) continue;
    if (static_cast<int>(results.list.size()) == request.limit) {
      results.nextPage = last;
      break;
    }
    last = encodePage(
        {std::to_string(rows.getColumn(1).getInt64()), std::to_string(rows.getColumn(0).getInt64())});
    results.list.push_back(shownResult(pipeline.rows().front()));
    pipeline.rows().clear();
  }
  return results;
}

// Runs everything through, for what depends on all of it; a page token is a count of rows.
tl::expected<Results, ServiceError> runWhole(SQLite::Statement& rows, const SearchRequest& request,
                                             const Call& call) {
  LogPipeline pipeline(request.query);
  long long scanned = 0;
  while (rows.executeStep()) {
    if (!isSeen(rows, call)) continue;
    pipeline.take(rowOf(rows, call));
    if (++scanned > kMaxScanned || pipeline.isTooLarge()) return tooLarge();
  }
  pipeline.finish();
  Results results;
  const auto total = static_cast<long long>(pipeline.rows().size());
  const long long first = std::clamp(request.skipped, 0LL, total);
  const long long end = std::min(first + request.limit, total);
  for (long long i = first; i < end; ++i)
    results.list.push_back(shownResult(pipeline.rows()[static_cast<std::size_t>(i)]));
  if (end < total) results.nextPage = encodePage({"skip", std::to_string(end)});
  return results;
}

OperationResult search(Database& database, const Call& call) {
  const auto request = readRequest(call);
  if (!request) return tl::unexpected(request.error());
  Transaction transaction(database);
  const auto logs = logsOf(transaction, call, request->query);
  if (!logs) return tl::unexpected(logs.error());
  auto& rows = selectRecords(transaction, *request, *logs);
  const auto results =
      request->query.isRowWise ? readPageOf(rows, *request, call) : runWhole(rows, *request, call);
  if (!results) return tl::unexpected(results.error());
  std::map<std::string, const char*> found;
  if (request->fieldInfo)
    for (const auto& result : results->list) collectFields(result["data"], "", found);
  nlohmann::json fields = nlohmann::json::array();
  for (const auto& [name, type] : found) fields.push_back({{"fieldName", name}, {"fieldType", type}});
  Response response =
      jsonResponse({{"summary", {{"resultCount", results->list.size()}, {"fieldCount", fields.size()}}},
                    {"results", results->list},
                    {"fields", fields}});
  if (!results->nextPage.empty()) response.headers.emplace_back("opc-next-page", results->nextPage);
  return response;
}

}  // namespace

void addLogSearch(Router& router, Database& database) {
  router.add("POST", "/20190909/search", "SearchLogs", [&](const Call& c) { return search(database, c); });
}

}  // namespace lockstep::rehearsal
