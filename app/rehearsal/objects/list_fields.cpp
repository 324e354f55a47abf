// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>
#include <sstream>

#include "rehearsal/objects/list_fields.h"

namespace lockstep::rehearsal {
namespace {

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

tl::expected<ObjectListRequest, ServiceError> readObjectListRequest(const Call& call) {
  ObjectListRequest r;
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

nlohmann::json summaryOfObject(SQLite::Statement& row, const std::set<std::string>& fields) {
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

std::string folderOf(const std::string& name, const ObjectListRequest& request) {
  const std::size_t slash = request.folders ? name.find('/', request.prefix.size()) : std::string::npos;
  return slash == std::string::npos ? "" : name.substr(0, slash + 1);
}

}  // namespace lockstep::rehearsal
