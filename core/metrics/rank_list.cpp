// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/rank_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

namespace lockstep {
namespace {

constexpr std::string_view kBetween = ", \t";

std::optional<int> numberIn(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// "3" or "0-3".
std::optional<std::pair<int, int>> rangeIn(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = numberIn(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : numberIn(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return std::pair(*first, *last);
}

}  // namespace

Result<std::vector<Rank>> parseRankList(std::string_view text, int end) {
  std::set<Rank> ranks;
  for (std::size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos;
       at = text.find_first_not_of(kBetween, at)) {
    const std::size_t length = std::min(text.find_first_of(kBetween, at), text.size()) - at;
    const std::string_view part = text.substr(at, length);
    at += length;
    const auto range = rangeIn(part);
    if (!range)
      return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is no rank", part.substr(0, 40)),
                     "write ranks and ranges, such as 0-3, 17");
    if (range->second >= end)
      return failure(ErrorCode::InvalidArgument, fmt::format("there is no rank {}", range->second),
                     fmt::format("the ranks are 0 to {}", end - 1));
    for (int rank = range->first; rank <= range->second; ++rank) ranks.insert(Rank(rank));
  }
  return std::vector<Rank>(ranks.begin(), ranks.end());
}

std::string rankListText(std::span<const Rank> ranks) {
  std::string text;
  for (std::size_t first = 0, end = 0; first < ranks.size(); first = end) {
    end = first + 1;
    while (end < ranks.size() && ranks[end].value == ranks[end - 1].value + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", ranks[first].value);
    if (end - first > 1) text += fmt::format("-{}", ranks[end - 1].value);
  }
  return text;
}

}  // namespace lockstep
