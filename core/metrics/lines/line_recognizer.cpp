// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/line_recognizer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics/metric_catalogue.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxWaiting = 16;
constexpr long long kFewFaults = 3;
constexpr Step kMaxBase = Step{1} << 52;  // positions within an epoch are below that

bool hasLoss(const LineMatch& match) {
  return std::any_of(match.values.begin(), match.values.end(),
                     [](const auto& one) { return one.first == metric::kLoss; });
}

bool shareAName(const std::vector<std::string>& names, const ValuePairs::Pairs& values) {
  return std::any_of(values.begin(), values.end(), [&](const auto& one) {
    return std::find(names.begin(), names.end(), one.first) != names.end();
  });
}

}  // namespace

// A bar of an evaluation has another length than that of the training, and only the latter tells a loss on its way.
std::optional<Step> LineRecognizer::placeOfBatch(const LineMatch& match, const LineRule& rule) {
  const bool isNewLoop = match.batches && loop_ && *match.batches != *loop_;
  if (isNewLoop && (isLoopSure_ || !hasLoss(match))) return std::nullopt;
  if (isNewLoop) {
    base_ = std::min(step_.value_or(0), kMaxBase);
    done_ = 0;
  }
  if (match.batches) loop_ = match.batches;
  isLoopSure_ = isLoopSure_ || (match.batches && hasLoss(match));
  const Step done = *match.batch + (rule.countsDone ? 0 : 1);
  if (done < done_) base_ = std::min(base_ + std::max(done_, loop_.value_or(0)), kMaxBase);
  done_ = done;
  return std::max<Step>(0, base_ + done - 1);
}

Step LineRecognizer::place(const LineMatch& match, const LineRule& rule) {
  if (match.step) {
    isAbsolute_ = true;
    return *match.step;
  }
  if (!isAbsolute_ && match.batch)
    if (const auto step = placeOfBatch(match, rule)) return *step;
  if (step_ && (isAbsolute_ || loop_ || done_ > 0)) return *step_;
  // One line an epoch: epochs are the steps. Parts of epochs are counted.
  const bool isWhole =
      match.epoch && *match.epoch == std::floor(*match.epoch) && std::abs(*match.epoch) < 1e9;
  if (isWhole && !firstEpoch_) firstEpoch_ = match.epoch;
  if (isWhole) return static_cast<Step>(std::max(0.0, *match.epoch - *firstEpoch_));
  return match.values.empty() || !step_ ? step_.value_or(0) : *step_ + 1;
}

std::optional<Step> LineRecognizer::newTotal(const LineMatch& match) {
  if (match.epochs) epochs_ = match.epochs;
  std::optional<Step> total = match.steps;
  constexpr Step kMaxEpochs = Step{1} << 20;
  const bool isCounted =
      !isAbsolute_ && match.batches && match.batches == loop_ && epochs_ && *epochs_ < kMaxEpochs;
  if (isCounted && *loop_ < kMaxBase / kMaxEpochs) total = *loop_ * *epochs_;
  if (!total || total == total_) return std::nullopt;
  total_ = total;
  return total;
}

bool LineRecognizer::agrees(Track& track, const PrintedRow& row) {
  const bool isBack = track.last && row.step < *track.last;
  if (isBack) ++track.wentBack;
  if (!row.values.empty() && track.names.empty())
    for (const auto& [name, value] : row.values) track.names.push_back(name);
  const bool isStrange = !row.values.empty() && !shareAName(track.names, row.values);
  if (isStrange) ++track.strange;
  return !isBack;
}

void LineRecognizer::settle(RuleUse& use, const Track& track) const {
  if (track.wentBack > kFewFaults && track.wentBack * 4 > use.lines) use.offBecause = "its steps go back";
  if (!use.isActive && track.strange > kFewFaults && track.strange * 2 > use.lines)
    use.offBecause = "its lines report different things";
}

std::vector<PrintedRow> LineRecognizer::add(const LineMatch& match, const LineRule& rule, TimePoint time) {
  RuleUse& use = uses_[match.rule];
  ++use.lines;
  if (!use.offBecause.empty()) return {};
  Track& track = tracks_[match.rule];
  PrintedRow row{place(match, rule), time, match.values};
  const bool isUsable = agrees(track, row);
  settle(use, track);
  if (!isUsable || !use.offBecause.empty()) return {};
  track.last = step_ = row.step;
  if (match.epoch) row.values.emplace_back(metric::kEpoch, *match.epoch);
  if (const auto total = newTotal(match))
    row.values.emplace_back(metric::kTotalSteps, static_cast<double>(*total));
  if (!row.values.empty()) track.waiting.push_back(std::move(row));
  const bool isEnough = use.lines - track.wentBack - track.strange >= rule.certainAfter;
  use.isActive = use.isActive || isEnough;
  if (use.isActive) return std::exchange(track.waiting, {});
  if (track.waiting.size() > kMaxWaiting) track.waiting.erase(track.waiting.begin());
  return {};
}

}  // namespace lockstep
