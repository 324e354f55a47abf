// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_row.h"

#include "rehearsal/support/wildcard.h"

namespace lockstep::rehearsal {
namespace {

LogValue ownFieldOf(const SearchedRecord& record, const std::string& name) {
  if (name == "datetime") return record.time;
  if (name == "source") return record.source;
  if (name == "id") return record.id;
  if (name == "type") return record.type;
  if (name == "subject") return record.subject;
  if (name == "logContent") return record.content.dump(-1, ' ', false, LogValue::error_handler_t::replace);
  return nullptr;
}

LogValue inside(const LogValue& whole, const std::vector<std::string>& path, std::size_t first) {
  const LogValue* value = &whole;
  for (std::size_t i = first; i < path.size(); ++i) {
    if (!value->is_object()) return nullptr;
    const auto found = value->find(path[i]);
    if (found == value->end()) return nullptr;
    value = &*found;
  }
  return *value;
}

bool equals(const LogValue& a, const LogValue& b) {
  if (!a.is_string() || !b.is_string()) return a == b;
  const auto& pattern = b.get_ref<const std::string&>();
  return pattern.find('*') == std::string::npos ? a == b
                                                : matchesWildcard(pattern, a.get_ref<const std::string&>());
}

bool areOrdered(const LogValue& a, const LogValue& b) {
  return (a.is_number() && b.is_number()) || (a.is_string() && b.is_string());
}

int rankOf(const LogValue& value) {
  if (value.is_null()) return 0;
  if (value.is_boolean()) return 1;
  if (value.is_number()) return 2;
  return value.is_string() ? 3 : 4;
}

}  // namespace

LogValue fieldOf(const LogRow& row, const std::vector<std::string>& path) {
  const auto named = row.names.find(path[0]);
  if (named != row.names.end()) return inside(*named, path, 1);
  if (!row.record) return nullptr;
  if (path.size() == 1) {
    LogValue own = ownFieldOf(*row.record, path[0]);
    if (!own.is_null()) return own;
  }
  return inside(row.record->content, path, path[0] == "logContent" ? 1 : 0);
}

nlohmann::json shownRow(const LogRow& row) {
  if (!row.record) return row.names;
  nlohmann::json data = row.names;
  data["datetime"] = row.record->time;
  data["logContent"] = row.record->content;
  return data;
}

bool compareLogValues(const std::string& op, const LogValue& a, const LogValue& b) {
  if (op == "=" || op == "==") return equals(a, b);
  if (op == "!=") return !equals(a, b);
  if (!areOrdered(a, b)) return false;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  return a >= b;
}

bool logValueLess(const LogValue& a, const LogValue& b) {
  const int left = rankOf(a), right = rankOf(b);
  if (left != right) return left < right;
  if (left == 4) return a.dump() < b.dump();
  return a < b;
}

}  // namespace lockstep::rehearsal
