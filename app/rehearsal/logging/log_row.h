// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::rehearsal {

/// One stored line, as a query sees it.
struct SearchedRecord {
  long long time = 0;  // ms
  std::string id, source, type, subject;
  nlohmann::json content;  // the whole logContent
};

/// A value in a query: null, text, number, flag or array.
using LogValue = nlohmann::json;

/// What runs through the operators of a query: a stored line with what `extend` added to it, or, after
/// `select`, `count` and `summarize`, only the names that these made.
struct LogRow {
  std::shared_ptr<const SearchedRecord> record;  // null: names alone
  nlohmann::json names = nlohmann::json::object();
};

/// A field by its path: {"data", "message"}; null when there is none.
[[nodiscard]] LogValue fieldOf(const LogRow& row, const std::vector<std::string>& path);
/// The row as the service shows it.
[[nodiscard]] nlohmann::json shownRow(const LogRow& row);

using LogExpression = std::function<LogValue(const LogRow&)>;

/// = != < <= > >=; a text with '*' on the right of = and != is a pattern.
[[nodiscard]] bool compareLogValues(const std::string& op, const LogValue& a, const LogValue& b);
/// A strict order over values of all kinds: null, flags, numbers, texts, the rest.
[[nodiscard]] bool logValueLess(const LogValue& a, const LogValue& b);

}  // namespace lockstep::rehearsal
