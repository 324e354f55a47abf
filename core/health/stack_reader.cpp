// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/stack_reader.h"

#include <algorithm>
#include <utility>

#include "base/bounds.h"
#include "base/outside_json.h"
#include "base/text/encoding.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

constexpr std::size_t kIdBytes = 8;
constexpr std::size_t kMaxDescriptionBytes = 1 << 20;

}  // namespace

StackReader::StackReader(std::shared_ptr<ObjectStore> store, std::string jobId)
    : store_(std::move(store)), jobId_(std::move(jobId)) {}

Result<void> StackReader::ask(std::vector<Rank> ranks, const std::stop_token& stop) {
  StackRequest request{toHex(randomBytes(kIdBytes)), std::move(ranks)};
  if (auto put = store_->put(layout::stackRequest(jobId_), toJsonText(request), stop); !put) return put;
  id_ = request.id;
  read_.clear();
  return {};
}

Result<std::optional<int>> StackReader::rankCount(const std::stop_token& stop) {
  const auto text = store_->get(layout::runDescription(jobId_), stop);
  if (!text && text.error().code == ErrorCode::NotFound) return std::nullopt;
  if (!text) return failure(text.error());
  const auto json = parseOutsideJson(*text, kMaxDescriptionBytes, "the description of the run");
  const auto count = json ? outsideNumber(*json, "worldSize", 1, kMaxRanks) : std::nullopt;
  return count ? std::optional(static_cast<int>(*count)) : std::nullopt;
}

Result<std::vector<StackReport>> StackReader::read(const std::stop_token& stop) {
  std::vector<StackReport> reports;
  if (id_.empty()) return reports;
  const auto found = store_->list(layout::stackReports(jobId_, id_), {}, stop);
  if (!found) return failure(found.error());
  for (const ObjectInfo& object : *found) {
    if (object.size > kMaxStackReportBytes || read_.contains(object.name)) continue;
    const auto text = store_->get(object.name, stop);
    if (!text) return failure(text.error());
    read_.insert(object.name);
    if (auto report = parseStackReport(*text)) reports.push_back(*std::move(report));
  }
  std::ranges::stable_sort(reports, {}, &StackReport::rank);
  return reports;
}

}  // namespace lockstep
