// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/bounds.h"
#include "diagnosis/detectors/detectors.h"
#include "diagnosis/findings/number_texts.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kRank = shownAs("rank %1 failed first: %2");
  static constexpr const char* kNode = shownAs("%1 failed first: %2");
  static constexpr const char* kRun = shownAs("the run failed: %1");
  static constexpr const char* kPlace = shownAs("in %1");
  static constexpr const char* kFollowed = shownAs("rank %1 only followed, %2 later: %3");
  static constexpr const char* kMoreFollowed = shownAs("%1 more ranks followed");
  static constexpr const char* kSaid = shownAs("the node agent says: %1");
  static constexpr const char* kOthersWentDown = shownAs("the others ended because it did");
  static constexpr const char* kOnlyFollowers =
      shownAs("every rank says that another one had ended before: the first one left no word");
  static constexpr const char* kMemory =
      shownAs("a process that ends without a word was often killed for want of memory");
  static constexpr const char* kRemedy = shownAs("read its log around that time");
  static constexpr const char* kMemoryRemedy =
      shownAs("look at the memory of its node, and try smaller batches");
  static constexpr const char* kNoLines = shownAs("what it printed: no lines of the ranks are known");
};

constexpr auto kSettled = 10s;  // without a step since, for a line to be the end of its rank
constexpr std::size_t kMostFollowers = 3;

/// "rank 3 on worker_0 was ended by signal 9 (Killed)" (launch/first_failure.h)
std::optional<Rank> rankIn(std::string_view failure) {
  constexpr std::string_view kBegin = "rank ";
  if (!failure.starts_with(kBegin)) return std::nullopt;
  failure.remove_prefix(kBegin.size());
  const auto number = integerIn<int>(failure.substr(0, failure.find(' ')), 0, kMaxRanks - 1);
  return number ? std::optional(Rank(*number)) : std::nullopt;
}

/// Whether the rank has gone on after it printed that.
bool wentOn(const Observation& seen, const PrintedFailure& failure) {
  const auto& ranks = seen.recent.ranks();
  const auto place = failure.rank ? std::ranges::find(ranks, *failure.rank) : ranks.end();
  if (place == ranks.end()) return true;  // nothing tells that it did not
  const auto index = static_cast<std::size_t>(place - ranks.begin());
  for (const std::string_view metric : {metric::kStepMs, metric::kLoss}) {
    const auto values = seen.recent.of(metric);
    if (!values.empty() && values[index].count > 0) return values[index].lastTime > failure.time;
  }
  return true;
}

void addFollowers(const Observation& seen, TimePoint since, RunFinding& finding) {
  const auto followers =
      seen.lines.others(finding.ranks.empty() ? std::nullopt : std::optional(finding.ranks.front()));
  for (std::size_t i = 0; i < std::min(followers.size(), kMostFollowers); ++i)
    finding.evidence.push_back(
        {FindingTexts::kFollowed,
         {rankArgument(*followers[i].rank),
          lastingArgument(std::max(followers[i].time - since, std::chrono::nanoseconds(0))),
          plainArgument(followers[i].line)}});
  if (followers.size() > kMostFollowers)
    finding.evidence.push_back(
        {FindingTexts::kMoreFollowed, {plainArgument(std::to_string(followers.size() - kMostFollowers))}});
}

RunFinding printedFinding(const Observation& seen, const PrintedFailure& first) {
  RunFinding finding = findingAbout(FindingKind::FirstFailure, seen);
  if (first.rank) finding.ranks = {*first.rank};
  finding.since = first.time;
  finding.step = seen.recent.ranks().empty() ? std::nullopt : std::optional(seen.recent.step());
  finding.what =
      first.rank ? FindingText{FindingTexts::kRank, {rankArgument(*first.rank), plainArgument(first.line)}}
                 : FindingText{FindingTexts::kNode, {plainArgument(first.node), plainArgument(first.line)}};
  const bool isMemory = first.line.find("out of memory") != std::string::npos;
  finding.cause = {first.onlyFollows ? FindingTexts::kOnlyFollowers : FindingTexts::kOthersWentDown, {}};
  finding.remedy = {isMemory ? FindingTexts::kMemoryRemedy : FindingTexts::kRemedy, {}};
  if (!first.place.empty()) finding.evidence.push_back({FindingTexts::kPlace, {plainArgument(first.place)}});
  addFollowers(seen, first.time, finding);
  finding.confidence = first.onlyFollows ? 0.4 : 0.9;
  return finding;
}

/// What the node agent or the service says, where no line says more.
RunFinding toldFinding(const Observation& seen) {
  RunFinding finding = findingAbout(FindingKind::FirstFailure, seen);
  if (const auto rank = rankIn(seen.facts.failure)) finding.ranks = {*rank};
  finding.since = std::max(seen.recent.newest(), seen.facts.created);
  finding.what = {FindingTexts::kRun, {plainArgument(seen.facts.failure)}};
  const bool isKill = seen.facts.failure.find("signal 9") != std::string::npos;
  if (isKill) finding.cause = {FindingTexts::kMemory, {}};
  finding.remedy = {isKill ? FindingTexts::kMemoryRemedy : FindingTexts::kRemedy, {}};
  finding.confidence = finding.ranks.empty() ? 0.6 : 0.85;
  if (!seen.lines.hasLines()) finding.unmeasured.push_back({FindingTexts::kNoLines, {}});
  return finding;
}

}  // namespace

void findFirstFailure(const Observation& seen, std::vector<RunFinding>& found) {
  if (!seen.isLive || seen.facts.stage == RunStage::Over) return;
  const auto first = seen.lines.first();
  const bool failed = seen.facts.stage == RunStage::Failed;
  std::optional<RunFinding> finding;
  if (first && first->isComplete &&
      (failed || (!first->onlyFollows && seen.now - first->time > kSettled && !wentOn(seen, *first))))
    finding = printedFinding(seen, *first);
  const auto told = rankIn(seen.facts.failure);
  // A rank that was killed prints nothing: the agent knows better than those that only followed.
  const bool isToldBetter = !finding || first->onlyFollows || (told && !first->rank);
  if (failed && !seen.facts.failure.empty()) {
    if (isToldBetter) {
      finding = toldFinding(seen);
      if (first) addFollowers(seen, first->time, *finding);
    } else {
      finding->evidence.push_back({FindingTexts::kSaid, {plainArgument(seen.facts.failure)}});
    }
  }
  if (!finding) return;
  if (!failed) finding->confidence = std::min(finding->confidence, 0.7);
  finding->severity = FindingSeverity::Critical;
  found.push_back(*std::move(finding));
}

}  // namespace lockstep
