// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>
#include <set>

#include "rehearsal/objects/list_fields.h"
#include "rehearsal/objects/versions.h"

namespace lockstep::rehearsal {
namespace {

constexpr long long kCurrent = std::numeric_limits<long long>::max();  // comes before all kept versions

struct Position {
  std::string name;
  long long rank = kCurrent;
  bool isPast = false;  // true: after this one; false: this one too
};

tl::expected<Position, ServiceError> readStart(const Call& call, const ObjectListRequest& r) {
  Position position{std::max(r.prefix, r.start), kCurrent, false};
  if (r.startAfter >= position.name && !r.startAfter.empty()) position = {r.startAfter, 0, true};
  const auto page = call.parameter("page");
  if (!page) return position;
  const auto parts = decodePage(*page);
  if (!parts || parts->size() != 2)
    return invalidParameter("The parameter 'page' is not a page token of this list.");
  return Position{(*parts)[0], std::strtoll((*parts)[1].c_str(), nullptr, 10), true};
}

SQLite::Statement& selectVersions(Transaction& transaction, const Bucket& bucket, const Position& from) {
  auto& select = transaction.sql(
      "SELECT name, size, etag, md5, multipart_md5, created, modified, headers, 0 AS marker, ?4 AS rank, '' "
      "AS version FROM objects WHERE bucket = ?1 AND name >= ?2 UNION ALL SELECT name, size, etag, md5, "
      "multipart_md5, created, modified, headers, marker, seq AS rank, version FROM object_versions WHERE "
      "bucket = ?1 AND name >= ?2 ORDER BY name, rank DESC");
  select.bind(1, static_cast<int64_t>(bucket.seq));
  select.bind(2, from.name);
  select.bind(4, static_cast<int64_t>(kCurrent));
  return select;
}

bool isBefore(const std::string& name, long long rank, const Position& from) {
  if (name != from.name || !from.isPast) return false;
  return rank >= from.rank;
}

nlohmann::json shownVersion(SQLite::Statement& row, const std::set<std::string>& fields) {
  nlohmann::json item = summaryOfObject(row, fields);
  const std::string kept = row.getColumn(10).getString();
  const nlohmann::json headers = nlohmann::json::parse(row.getColumn(7).getString());
  item["versionId"] = kept.empty() ? headers.value(kVersionHeader, row.getColumn(2).getString()) : kept;
  item["isDeleteMarker"] = row.getColumn(8).getInt() != 0;
  item["timeModified"] = timeText(row.getColumn(6).getInt64());
  return item;
}

OperationResult listVersions(Database& database, const Call& call) {
  const auto request = readObjectListRequest(call);
  if (!request) return tl::unexpected(request.error());
  const auto from = readStart(call, *request);
  if (!from) return tl::unexpected(from.error());
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  nlohmann::json items = nlohmann::json::array();
  std::set<std::string> prefixes;
  std::string nextPage, last;
  auto& rows = selectVersions(transaction, *bucket, *from);
  while (rows.executeStep()) {
    const std::string name = rows.getColumn(0).getString();
    const long long rank = rows.getColumn(9).getInt64();
    if (isBefore(name, rank, *from)) continue;
    if (!name.starts_with(request->prefix) || (!request->end.empty() && name >= request->end)) break;
    const std::string folder = folderOf(name, *request);
    const bool isShown =
        prefixes.contains(folder) || (from->isPast && folder == folderOf(from->name, *request));
    if (!folder.empty() && isShown) continue;
    if (static_cast<int>(items.size() + prefixes.size()) == request->limit) {
      nextPage = last;
      break;
    }
    if (folder.empty()) {
      items.push_back(shownVersion(rows, request->fields));
    } else {
      prefixes.insert(folder);
    }
    last = encodePage({name, std::to_string(rank)});
  }
  Response response = jsonResponse({{"items", items}, {"prefixes", prefixes}});
  if (!nextPage.empty()) response.headers.emplace_back("opc-next-page", nextPage);
  return response;
}

}  // namespace

void addObjectVersions(Router& router, Database& database) {
  router.add("GET", "/n/{ns}/b/{b}/objectversions", "ListObjectVersions",
             [&](const Call& call) { return listVersions(database, call); });
}

}  // namespace lockstep::rehearsal
