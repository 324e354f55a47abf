// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace lockstep::rehearsal {

/// What a query may ask of a resource: the field's name in lower case ("freeformtags.key") and its values.
using SearchFacts = std::map<std::string, std::vector<std::string>>;
using SearchCondition = std::function<bool(const SearchFacts&)>;

/// A query of the resource search service: `query TYPE[, TYPE] resources [return …] [where CONDITIONS]
/// [matching 'TEXT'] [sorted by FIELD [asc|desc]]`.
struct SearchQuery {
  std::vector<std::string> types;  // in lower case; "all": every one
  SearchCondition holds;           // never empty
  std::string sortedBy = "timecreated";
  bool descending = true;
};

/// Or what is wrong with it, and where. Queries and the brackets in them are bounded.
tl::expected<SearchQuery, std::string> parseSearchQuery(std::string_view text);

/// Whether some value has this text in it, in any case.
[[nodiscard]] bool mentions(const SearchFacts& facts, const std::string& text);
[[nodiscard]] std::string lowerCase(std::string text);

}  // namespace lockstep::rehearsal
