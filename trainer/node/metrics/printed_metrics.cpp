// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/printed_metrics.h"

#include <fmt/format.h>

#include "base/bounds.h"
#include "base/clock.h"

namespace lockstep::node {
namespace {

constexpr std::size_t kMaxWaiting = 4 << 20;

/// The rank in "[3]<stdout>:" of horovodrun, and in "[1,3]<stdout>:" of mpirun.
std::optional<int> markedRank(std::string_view piece) {
  const std::size_t end = piece.find("]<std");
  if (!piece.starts_with('[') || end == std::string_view::npos || end > 24) return std::nullopt;
  std::string_view number = piece.substr(1, end - 1);
  if (const std::size_t comma = number.find(','); comma != std::string_view::npos)
    number.remove_prefix(comma + 1);
  return integerIn<int>(number, 0, kMaxRanks);
}

}  // namespace

PrintedMetrics::PrintedMetrics(LineMatcher matcher, const std::vector<int>& ranks)
    : matcher_(std::move(matcher)) {
  for (const int rank : ranks) recognizers_[rank];
}

void PrintedMetrics::add(int rank, std::string_view bytes) {
  const TimePoint now = SystemClock().now();
  std::vector<Piece> whole;
  pieces_[rank].add(bytes, [&](std::string_view piece) {
    whole.push_back({markedRank(piece).value_or(rank), now, std::string(piece)});
  });
  if (whole.empty()) return;
  const std::lock_guard lock(mutex_);
  for (Piece& piece : whole) {
    waitingBytes_ += piece.text.size();
    waiting_.push_back(std::move(piece));
  }
  while (waitingBytes_ > kMaxWaiting) {
    waitingBytes_ -= waiting_.front().text.size();
    waiting_.pop_front();
  }
}

std::vector<PrintedMetrics::Row> PrintedMetrics::take() {
  std::deque<Piece> pieces;
  {
    const std::lock_guard lock(mutex_);
    pieces.swap(waiting_);
    waitingBytes_ = 0;
  }
  std::vector<Row> rows;
  for (const Piece& piece : pieces) {
    const auto recognizer = recognizers_.find(piece.rank);
    if (recognizer == recognizers_.end()) continue;
    const auto match = matcher_.match(piece.text);
    if (!match) continue;
    for (PrintedRow& row : recognizer->second.add(*match, matcher_.rules()[match->rule], piece.time))
      rows.push_back({piece.rank, std::move(row)});
  }
  for (const auto& [rank, recognizer] : recognizers_) noteChanges(rank, recognizer);
  return rows;
}

void PrintedMetrics::noteChanges(int rank, const LineRecognizer& recognizer) {
  for (const auto& [number, use] : recognizer.uses()) {
    RuleUse& told = told_[{rank, number}];
    const LineRule& rule = matcher_.rules()[number];
    if (use.isActive && !told.isActive)
      notes_.push_back(
          fmt::format("metrics of rank {} are read from its lines, by the rule '{}'", rank, rule.id));
    if (!use.offBecause.empty() && told.offBecause.empty())
      notes_.push_back(fmt::format("the rule '{}' is not used for the lines of rank {}: {}", rule.id, rank,
                                   use.offBecause));
    told = use;
  }
}

std::vector<std::string> PrintedMetrics::popNotes() {
  return std::exchange(notes_, {});
}

}  // namespace lockstep::node
