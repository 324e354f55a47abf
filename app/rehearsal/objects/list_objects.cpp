// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>
#include <sstream>

#include "rehearsal/objects/object_store.h"

namespace lockstep::rehearsal {
namespace {

struct ListRequest {
  std::string prefix, start, startAfter, end;
  bool folders = false;  // delimiter=/
  int limit = 1000;
  std::set<std::string> fields;  // lower case
};

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

tl::expected<ListRequest, Refusal> readRequest(const Call& call) {
  ListRequest r;
  r.prefix = call.parameter("prefix").value_or("");
  r.start = call.parameter("start").value_or("");
  r.startAfter = call.parameter("startAfter").value_or("");
  r.end = call.parameter("end").value_or("");
  if (const auto delimiter = call.parameter("delimiter")) {
    if (*delimiter != "/") return invalidParameter("The parameter 'delimiter' must be '/'.");
    r.folders = true;
  }
  const auto limit = call.limit(1000, 1000);
  if (!limit) return tl::unexpected(limit.error());
  r.limit = *limit;
  static const std::set<std::string> kKnown{"name",        "size",         "etag",        "md5",
                                            "timecreated", "timemodified", "storagetier", "archivalstate"};
  std::istringstream fields(call.parameter("fields").value_or(""));
  for (std::string field; std::getline(fields, field, ',');) {
    if (!kKnown.contains(lowerCase(field)))
      return invalidParameter("The parameter 'fields' has an unknown field '" + field + "'.");
    r.fields.insert(lowerCase(field));
  }
  return r;
}

nlohmann::json summaryOf(SQLite::Statement& row, const std::set<std::string>& fields) {
  nlohmann::json object{{"name", row.getColumn(0).getString()}};
  if (fields.contains("size")) object["size"] = row.getColumn(1).getInt64();
  if (fields.contains("etag")) object["etag"] = row.getColumn(2).getString();
  if (fields.contains("md5")) {
    const std::string md5 = row.getColumn(3).getString();
    object["md5"] = md5.empty() ? row.getColumn(4).getString() : md5;
  }
  if (fields.contains("timecreated")) object["timeCreated"] = timeText(row.getColumn(5).getInt64());
  if (fields.contains("timemodified")) object["timeModified"] = timeText(row.getColumn(6).getInt64());
  if (fields.contains("storagetier"))
    object["storageTier"] =
        nlohmann::json::parse(row.getColumn(7).getString()).value("storage-tier", "Standard");
  return object;
}

/// Walks names in byte order from a lower bound; jumps over what a folder has already summed up.
class Walk {
 public:
  Walk(Session& session, long long bucket)
      : statement_(session.sql(
            "SELECT name, size, etag, md5, multipart_md5, created, modified, headers FROM objects "
            "WHERE bucket = ? AND name >= ? ORDER BY name")),
        bucket_(bucket) {}
  void from(const std::string& name) {
    statement_.reset();
    statement_.bind(1, static_cast<int64_t>(bucket_));
    statement_.bind(2, name);
  }
  bool next() { return statement_.executeStep(); }
  SQLite::Statement& row() { return statement_; }

 private:
  SQLite::Statement& statement_;
  long long bucket_;
};

nlohmann::json collect(Walk& walk, const ListRequest& r, const Call& call) {
  nlohmann::json objects = nlohmann::json::array();
  nlohmann::json prefixes = nlohmann::json::array();
  nlohmann::json nextStartWith;
  walk.from(std::max({r.prefix, r.start, r.startAfter}));
  while (walk.next()) {
    const std::string name = walk.row().getColumn(0).getString();
    if (!name.starts_with(r.prefix) || (!r.end.empty() && name >= r.end)) break;
    if (!r.startAfter.empty() && name <= r.startAfter) continue;
    if (!call.visibility.sees(walk.row().getColumn(5).getInt64(), name, toMillis(call.now))) continue;
    const std::size_t slash = r.folders ? name.find('/', r.prefix.size()) : std::string::npos;
    const std::string folder = slash == std::string::npos ? "" : name.substr(0, slash + 1);
    // A page may have begun inside a folder that startAfter names itself.
    const bool shown = !folder.empty() && folder == r.startAfter;
    if (!shown && static_cast<int>(objects.size() + prefixes.size()) == r.limit) {
      nextStartWith = name;
      break;
    }
    if (folder.empty()) {
      objects.push_back(summaryOf(walk.row(), r.fields));
      continue;
    }
    if (!shown) prefixes.push_back(folder);
    walk.from(folder.substr(0, folder.size() - 1) + static_cast<char>('/' + 1));
  }
  nlohmann::json list{{"objects", objects}, {"nextStartWith", nextStartWith}};
  if (r.folders) list["prefixes"] = prefixes;
  return list;
}

Answer listObjects(Database& database, const Call& call) {
  const auto request = readRequest(call);
  if (!request) return tl::unexpected(request.error());
  Session session(database);
  const auto bucket = visibleBucket(session, call);
  if (!bucket) return tl::unexpected(bucket.error());
  Walk walk(session, bucket->seq);
  return jsonReply(collect(walk, *request, call));
}

}  // namespace

void addListObjects(Router& router, Database& database) {
  router.add("GET", "/n/{ns}/b/{b}/o", "ListObjects",
             [&](const Call& call) { return listObjects(database, call); });
}

}  // namespace lockstep::rehearsal
