// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/metric_index.h"

#include <nlohmann/json.hpp>

#include "base/bounds.h"
#include "base/outside_json.h"

namespace lockstep {
namespace {

constexpr int kVersion = 1;
// 48 days of one rank at one a second; 77 days of all of them at twenty a second.
constexpr std::uint64_t kMaxOfARank = std::uint64_t{1} << 22;
constexpr std::uint64_t kMaxOfAll = std::uint64_t{1} << 27;
constexpr std::int64_t kMaxWritten = std::int64_t{1} << 53;

tl::unexpected<Error> refuse(std::string cause) {
  return failure(ErrorCode::DataLoss, "cannot read the index of the metrics", std::move(cause));
}

}  // namespace

std::string toText(const MetricIndex& index) {
  return nlohmann::json{{"version", kVersion}, {"written", index.written}, {"segments", index.segments}}
      .dump();
}

Result<MetricIndex> parseMetricIndex(std::string_view text) {
  const auto json = parseOutsideJson(text, kMaxIndexBytes, "the index of the metrics");
  if (!json) return failure(json.error());
  const auto written = outsideNumber(*json, "written", 0, kMaxWritten);
  const auto segments = json->find("segments");
  if (!outsideNumber(*json, "version", kVersion, kVersion) || !written || segments == json->end() ||
      !segments->is_array() || segments->size() > static_cast<std::size_t>(kMaxRanks))
    return refuse("it has not the members of one that this program knows");
  MetricIndex index{static_cast<std::uint64_t>(*written)};
  std::uint64_t all = 0;
  for (const auto& number : *segments) {
    const bool isOne = number.is_number_unsigned() && number.get<std::uint64_t>() <= kMaxOfARank;
    all += isOne ? number.get<std::uint64_t>() : 0;
    if (!isOne || all > kMaxOfAll) return refuse("it names more segments than a run has");
    index.segments.push_back(number.get<std::uint64_t>());
  }
  return index;
}

}  // namespace lockstep
