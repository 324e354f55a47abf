// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/findings/number_texts.h"

#include <fmt/format.h>

#include <cmath>

#include "health/health_text.h"
#include "metrics/rank_list.h"

namespace lockstep {
namespace {

constexpr std::size_t kLongestList = 40;

}  // namespace

FindingArgument plainArgument(std::string text) {
  return {std::move(text)};
}

FindingArgument shareArgument(double share) {
  return {fmt::format("{:.0f} %", share * 100)};
}

FindingArgument millisecondsArgument(double milliseconds) {
  if (std::fabs(milliseconds) >= 1000) return {fmt::format("{:.1f} s", milliseconds / 1000)};
  return {fmt::format("{:.{}f} ms", milliseconds, std::fabs(milliseconds) >= 100 ? 0 : 1)};
}

FindingArgument bytesArgument(double bytes) {
  if (bytes >= 1e9) return {fmt::format("{:.1f} GB", bytes / 1e9)};
  if (bytes >= 1e6) return {fmt::format("{:.0f} MB", bytes / 1e6)};
  return {fmt::format("{:.0f} kB", bytes / 1e3)};
}

FindingArgument numberArgument(double value) {
  return {fmt::format("{:.3g}", value)};
}

FindingArgument stepArgument(Step step) {
  return {fmt::format("{}", step)};
}

FindingArgument rankArgument(Rank rank) {
  return {fmt::format("{}", rank.value)};
}

FindingArgument ranksArgument(std::span<const Rank> ranks) {
  std::string list = rankListText(ranks);
  if (list.size() > kLongestList) {
    list.resize(list.rfind(',', kLongestList) == std::string::npos ? kLongestList
                                                                   : list.rfind(',', kLongestList));
    list += ", …";
  }
  return {std::move(list)};
}

FindingArgument lastingArgument(std::chrono::nanoseconds lasting) {
  return {lastingText(lasting)};
}

}  // namespace lockstep
