// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/line_matcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/bounds.h"
#include "metrics/metric_catalogue.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxLine = 4096;
constexpr std::size_t kMaxOwn = 16;
constexpr Step kMaxPosition = Step{1} << 52;

// "[rank 3] ", mpirun's "[1,3]<stdout>:", a date with or without brackets, "INFO:root:", "- INFO -".
constexpr const char* kPrefix =
    R"(^\s*(?:\[(?:rank\s+\d+|main|worker_\d+|ps_\d+)\]\s+)?(?:\[\d+(?:,\d+)?\]<std(?:out|err)>:\s?)?)"
    R"((?:\[?\d{4}-\d\d-\d\d[\sT]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?Z?\]?[\s|\-:,]*)?)"
    R"((?:\[?(?:INFO|DEBUG|NOTICE)\]?(?::[\w.]+:|[\s|\-:]+))?\s*)";

constexpr std::array<std::string_view, 9> kPositions{"step",   "steps", "batch",   "batches", metric::kEpoch,
                                                     "epochs", "rate",  "seconds", "pairs"};

bool isPosition(std::string_view name) {
  return std::find(kPositions.begin(), kPositions.end(), name) != kPositions.end();
}

std::optional<Step> positionIn(const PatternMatcher& matcher, std::string_view line, std::string_view group) {
  const auto text = matcher.group(line, group);
  return text ? integerIn<Step>(*text, 0, kMaxPosition) : std::nullopt;
}

std::optional<double> numberIn(const PatternMatcher& matcher, std::string_view line, std::string_view group) {
  const auto text = matcher.group(line, group);
  return text ? printedNumber(*text) : std::nullopt;
}

void setValue(ValuePairs::Pairs& values, std::string name, double value) {
  const auto there =
      std::find_if(values.begin(), values.end(), [&](const auto& one) { return one.first == name; });
  if (there == values.end())
    values.emplace_back(std::move(name), value);
  else
    there->second = value;
}

/// Behind the escape sequence that begins at `at`.
std::size_t behindEscape(std::string_view line, std::size_t at) {
  if (at + 1 >= line.size() || line[at + 1] != '[') return std::min(at + 2, line.size());
  std::size_t end = at + 2;
  while (end < line.size() && (line[end] < '@' || line[end] > '~')) ++end;
  return std::min(end + 1, line.size());
}

}  // namespace

std::string withoutColours(std::string_view line) {
  std::string plain;
  plain.reserve(line.size());
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '\x1b') {
      i = behindEscape(line, i);
      continue;
    }
    if (static_cast<unsigned char>(line[i]) >= 0x20 || line[i] == '\t') plain += line[i];
    ++i;
  }
  return plain;
}

Result<LineMatcher> LineMatcher::open(std::span<const std::string> own) {
  return open(LineChoice{true, {}, {own.begin(), own.end()}});
}

Result<LineMatcher> LineMatcher::open(const LineChoice& choice) {
  LineMatcher matcher;
  matcher.prefix_.emplace(TextPattern::regex(kPrefix, false).value());
  if (!choice.isOn) return matcher;
  if (choice.own.size() > kMaxOwn)
    return failure(ErrorCode::InvalidArgument, "there are too many expressions for metrics",
                   fmt::format("{} of them, and {} may be given", choice.own.size(), kMaxOwn));
  matcher.ownTexts_ = choice.own;
  for (const std::string& text : matcher.ownTexts_) {
    if (auto added = matcher.add({"own", "own expression", "", text, 1}); !added)
      return failure(added.error());
  }
  for (const LineRule& rule : lineRules()) {
    if (choice.off.contains(std::string(rule.id))) continue;
    if (auto added = matcher.add(rule); !added) return failure(added.error());
  }
  return matcher;
}

Result<void> LineMatcher::add(const LineRule& rule) {
  auto pattern = TextPattern::regex(std::string(rule.pattern), false);
  if (!pattern) return failure(pattern.error());
  Groups groups;
  bool hasPairs = false;
  for (const std::string& name : pattern->groupNames()) {
    hasPairs = hasPairs || name == "pairs" || name == "rate" || name == "seconds" || name == metric::kEpoch;
    if (!isPosition(name)) groups.own.push_back(name);
  }
  if (groups.own.empty() && !hasPairs)
    return failure(ErrorCode::InvalidArgument, fmt::format("'{}' names no quantity", rule.pattern),
                   "it has no named group such as (?<loss>…)",
                   "name what is to be recorded: step (?<step>\\d+) loss (?<loss>\\S+)");
  rules_.push_back(rule);
  groups_.push_back(std::move(groups));
  matchers_.emplace_back(*std::move(pattern));
  return {};
}

std::optional<LineMatch> LineMatcher::match(std::string_view raw) {
  // Whatever is a report has a digit in it; most lines of a log have been told apart by that.
  raw = raw.substr(0, kMaxLine);
  if (raw.find_first_of("0123456789") == std::string_view::npos) return std::nullopt;
  const std::string plain = withoutColours(raw);
  std::string_view line = plain;
  if (const auto hit = prefix_->find(line); hit && hit->begin == 0) line.remove_prefix(hit->end);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  for (std::size_t i = 0; i < matchers_.size(); ++i) {
    if (matchers_[i].find(line)) return read(i, line);
    if (matchers_[i].isTooHard()) ++givenUp_;
  }
  return std::nullopt;
}

LineMatch LineMatcher::read(std::size_t rule, std::string_view line) {
  const PatternMatcher& matcher = matchers_[rule];
  LineMatch match{rule,
                  numberIn(matcher, line, metric::kEpoch),
                  positionIn(matcher, line, "step"),
                  positionIn(matcher, line, "batch"),
                  positionIn(matcher, line, "steps"),
                  positionIn(matcher, line, "batches"),
                  positionIn(matcher, line, "epochs"),
                  {}};
  if (const auto pairs = matcher.group(line, "pairs")) match.values = pairs_.find(*pairs);
  for (const std::string& name : groups_[rule].own)
    if (const auto value = numberIn(matcher, line, name)) setValue(match.values, quantityName(name), *value);
  if (const auto rate = numberIn(matcher, line, "rate"); rate && *rate > 0)
    setValue(match.values, std::string(metric::kStepMs), 1000 / *rate);
  if (const auto seconds = numberIn(matcher, line, "seconds"))
    setValue(match.values, std::string(metric::kStepMs), *seconds * 1000);
  // Of JSON and Hugging Face's dictionaries the position stands among the values.
  for (auto& [name, value] : match.values)
    if (name == metric::kEpoch && !match.epoch) match.epoch = value;
  std::erase_if(match.values, [](const auto& one) { return one.first == metric::kEpoch; });
  return match;
}

}  // namespace lockstep
