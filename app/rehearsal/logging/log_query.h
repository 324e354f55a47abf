// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace lockstep::rehearsal {

/// One stored line, as a query sees it.
struct SearchedRecord {
  long long time = 0;  // ms
  std::string id, source, type, subject;
  nlohmann::json content;  // the whole logContent
};

/// "compartment[/log group[/log]]"
struct LogStream {
  std::string compartment, group, log;  // group, log: OCID, name or empty
};

/// A parsed query: `search "…"[, "…"] | where <bool> | sort by datetime [asc|desc]` (oci-rest-contract 4.7),
/// any number of where operators, `where` itself optional. The other operators of the language are refused by
/// name.
struct LogQuery {
  std::vector<LogStream> streams;
  std::vector<std::function<bool(const SearchedRecord&)>> conditions;
  bool descending = false;
  [[nodiscard]] bool accepts(const SearchedRecord& record) const;
};

/// The error is a sentence with the place.
tl::expected<LogQuery, std::string> parseLogQuery(std::string_view text);

/// '*' stands for any characters.
[[nodiscard]] bool matchesWildcard(std::string_view pattern, std::string_view text);

}  // namespace lockstep::rehearsal
