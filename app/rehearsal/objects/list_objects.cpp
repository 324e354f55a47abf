// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "rehearsal/objects/list_fields.h"

namespace lockstep::rehearsal {
namespace {

/// Walks names in byte order from a lower bound; jumps over what a folder has already summed up.
class Walk {
 public:
  Walk(Transaction& transaction, long long bucket)
      : statement_(transaction.sql(
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

nlohmann::json collect(Walk& walk, const ObjectListRequest& r, const Call& call) {
  nlohmann::json objects = nlohmann::json::array();
  nlohmann::json prefixes = nlohmann::json::array();
  nlohmann::json nextStartWith;
  walk.from(std::max({r.prefix, r.start, r.startAfter}));
  while (walk.next()) {
    const std::string name = walk.row().getColumn(0).getString();
    if (!name.starts_with(r.prefix) || (!r.end.empty() && name >= r.end)) break;
    if (!r.startAfter.empty() && name <= r.startAfter) continue;
    if (!call.visibility.sees(walk.row().getColumn(5).getInt64(), name, toMillis(call.now))) continue;
    const std::string folder = folderOf(name, r);
    // A page may have begun inside a folder that startAfter names itself.
    const bool shown = !folder.empty() && folder == r.startAfter;
    if (!shown && static_cast<int>(objects.size() + prefixes.size()) == r.limit) {
      nextStartWith = name;
      break;
    }
    if (folder.empty()) {
      objects.push_back(summaryOfObject(walk.row(), r.fields));
      continue;
    }
    if (!shown) prefixes.push_back(folder);
    walk.from(folder.substr(0, folder.size() - 1) + static_cast<char>('/' + 1));
  }
  nlohmann::json list{{"objects", objects}, {"nextStartWith", nextStartWith}};
  if (r.folders) list["prefixes"] = prefixes;
  return list;
}

}  // namespace

OperationResult listObjects(Database& database, const Call& call) {
  const auto request = readObjectListRequest(call);
  if (!request) return tl::unexpected(request.error());
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  Walk walk(transaction, bucket->seq);
  return jsonResponse(collect(walk, *request, call));
}

void addListObjects(Router& router, Database& database) {
  router.add("GET", "/n/{ns}/b/{b}/o", "ListObjects",
             [&](const Call& call) { return listObjects(database, call); });
}

}  // namespace lockstep::rehearsal
