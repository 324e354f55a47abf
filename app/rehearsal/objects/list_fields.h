// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <set>
#include <string>

#include "rehearsal/objects/object_store.h"

namespace lockstep::rehearsal {

/// What ListObjects and ListObjectVersions are asked for alike (oci-rest-contract 4.3).
struct ObjectListRequest {
  std::string prefix, start, startAfter, end;
  bool folders = false;  // delimiter=/
  int limit = 1000;
  std::set<std::string> fields;  // lower case
};
tl::expected<ObjectListRequest, ServiceError> readObjectListRequest(const Call& call);

/// The folder, with its '/', that stands for a name in a listing by folders; empty: the name itself is shown.
std::string folderOf(const std::string& name, const ObjectListRequest& request);

/// From a row: name, size, etag, md5, multipart_md5, created, modified, headers.
nlohmann::json summaryOfObject(SQLite::Statement& row, const std::set<std::string>& fields);

}  // namespace lockstep::rehearsal
