// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "rehearsal/search/search_query.h"

namespace lockstep {

std::string trySearchQuery(std::string_view input) {
  using namespace rehearsal;
  Parts parts(input);
  const std::string_view text = parts.text();
  const std::string value(parts.text());
  const auto query = parseSearchQuery(text);
  if (!query) return query.error().empty() ? "refused without a word" : "";
  if (query->types.empty() || !query->holds) return "a query without types or conditions";
  const SearchFacts facts{{"identifier", {value}}, {"freeformtags.key", {value, "a"}}, {"displayname", {}}};
  const bool holds = query->holds(facts);
  if (query->holds(facts) != holds) return "the same resource is found and not found";
  return {};
}

}  // namespace lockstep
