// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/monitoring/mql.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "rehearsal/support/wildcard.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kMaxText = 8192;
constexpr std::size_t kMaxFilters = 32;
constexpr std::size_t kMaxSteps = 8;
constexpr long long kMinute = 60'000;

bool isNameCharacter(char c) {
  const auto u = static_cast<unsigned char>(c);
  return std::isalnum(u) != 0 || c == '_' || c == '$' || c == '-' || c == '/' || u >= 0x80;
}

const std::map<std::string, std::pair<Statistic, double>, std::less<>>& statistics() {
  static const std::map<std::string, std::pair<Statistic, double>, std::less<>> kAll{
      {"mean", {Statistic::Mean, 0}},         {"avg", {Statistic::Mean, 0}},
      {"max", {Statistic::Max, 0}},           {"min", {Statistic::Min, 0}},
      {"sum", {Statistic::Sum, 0}},           {"count", {Statistic::Count, 0}},
      {"rate", {Statistic::Rate, 0}},         {"increment", {Statistic::Increment, 0}},
      {"first", {Statistic::First, 0}},       {"last", {Statistic::Last, 0}},
      {"absent", {Statistic::Absent, 0}},     {"percentile", {Statistic::Percentile, 0}},
      {"p50", {Statistic::Percentile, 0.5}},  {"p90", {Statistic::Percentile, 0.9}},
      {"p95", {Statistic::Percentile, 0.95}}, {"p99", {Statistic::Percentile, 0.99}},
  };
  return kAll;
}

/// Reads from left to right, never back; remembers the first thing wrong.
class MqlReader {
 public:
  explicit MqlReader(std::string_view text) : text_(text) {}

  tl::expected<MqlQuery, std::string> read() {
    MqlQuery query;
    query.metric = name("a metric name", true);
    expect('[');
    query.intervalMillis = interval(']');
    expect(']');
    if (take('{')) filters(query);
    while (error_.empty() && peek() == '.') step(query);
    if (error_.empty() && query.steps.empty()) fail("a statistic, such as .mean()");
    if (error_.empty()) predicate(query);
    skip();
    if (error_.empty() && at_ < text_.size()) fail("the end of the query");
    if (!error_.empty()) return tl::unexpected<std::string>(error_);
    return query;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (!error_.empty() || peek() != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    skip();
    if (!error_.empty() || text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("'{}'", c));
  }
  void fail(const std::string& wanted) {
    if (error_.empty())
      error_ = fmt::format("at character {} of the query there should be {}", at_ + 1, wanted);
  }

  // Metric names may hold dots; a dimension's may too, but the name of a function ends at one.
  std::string name(const char* what, bool withDots) {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (isNameCharacter(text_[at_]) || (withDots && text_[at_] == '.'))) ++at_;
    if (at_ == begin) fail(what);
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string dimension() {
    constexpr const char* kWhat = "the name of a dimension";
    if (peek() != '"') return name(kWhat, true);
    std::string quotedName = quoted();
    if (quotedName.empty()) fail(kWhat);
    return quotedName;
  }

  long long interval(char end) {
    skip();
    const std::size_t stop = std::min(text_.find(end, at_), text_.size());
    std::string_view word = text_.substr(at_, stop - at_);
    while (!word.empty() && std::isspace(static_cast<unsigned char>(word.back())) != 0) word.remove_suffix(1);
    const auto millis = parseMqlInterval(word);
    if (!millis) fail("an interval: 1m to 60m, 1h to 24h, or 1d");
    if (error_.empty()) at_ = stop;
    return millis.value_or(kMinute);
  }

  std::string quoted() {
    const char mark = peek();
    if (!error_.empty() || (mark != '"' && mark != '\'')) {
      fail("a value in double quotes");
      return {};
    }
    std::string value;
    for (++at_; at_ < text_.size() && text_[at_] != mark; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_];
    }
    at_ < text_.size() ? void(++at_) : fail("the closing quote");
    return value;
  }

  void filters(MqlQuery& query) {
    if (take('}')) return;
    do {
      if (query.filters.size() >= kMaxFilters) fail(fmt::format("no more than {} filters", kMaxFilters));
      DimensionFilter filter;
      filter.dimension = dimension();
      if (take("=~")) {
        filter.isFuzzy = true;
      } else if (take("!~")) {
        filter.isFuzzy = filter.isNegated = true;
      } else if (take("!=")) {
        filter.isNegated = true;
      } else if (!take("==") && !take('=')) {
        fail("'=' or '=~'");
      }
      filter.value = quoted();
      query.filters.push_back(std::move(filter));
    } while (take(',') || take("&&"));
    expect('}');
  }

  double number(const char* what) {
    skip();
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) {
      fail(what);
      return 0;
    }
    if (error_.empty()) at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  void grouping(MqlStep& step, bool isBy) {
    step.isGrouped = true;
    expect('(');
    if (isBy) {
      do {
        step.groupBy.push_back(dimension());
      } while (step.groupBy.size() < kMaxFilters && take(','));
    }
    expect(')');
    expect('.');
  }

  void step(MqlQuery& query) {
    if (query.steps.size() >= kMaxSteps) return fail(fmt::format("no more than {} statistics", kMaxSteps));
    expect('.');
    MqlStep step;
    std::size_t begin = at_;
    std::string word = name("a function", false);
    if (word == "groupBy" || word == "grouping") {
      grouping(step, word == "groupBy");
      begin = at_;
      word = name("a statistic", false);
    }
    const auto known = statistics().find(word);
    if (known == statistics().end()) {
      at_ = std::min(begin, at_);
      return fail(
          "a statistic: mean, max, min, sum, count, rate, increment, percentile, absent, first, last");
    }
    step.statistic = known->second.first;
    step.percentile = known->second.second;
    expect('(');
    if (word == "percentile") {
      step.percentile = number("a number above 0 and below 1");
      if (step.percentile <= 0 || step.percentile >= 1) fail("a number above 0 and below 1");
    } else if (word == "absent" && error_.empty() && peek() != ')') {
      step.absentMillis = interval(')');
    }
    expect(')');
    query.steps.push_back(std::move(step));
  }

  void predicate(MqlQuery& query) {
    using Kind = MqlPredicate::Kind;
    MqlPredicate predicate;
    if (take(">=")) {
      predicate.kind = Kind::GreaterOrEqual;
    } else if (take("<=")) {
      predicate.kind = Kind::LessOrEqual;
    } else if (take("==")) {
      predicate.kind = Kind::Equal;
    } else if (take("!=")) {
      predicate.kind = Kind::NotEqual;
    } else if (take('>')) {
      predicate.kind = Kind::Greater;
    } else if (take('<')) {
      predicate.kind = Kind::Less;
    } else if (take("not")) {
      if (!take("in")) fail("'in'");
      predicate.kind = Kind::NotIn;
    } else if (take("in")) {
      predicate.kind = Kind::In;
    } else {
      return;
    }
    const bool isRange = predicate.kind == Kind::In || predicate.kind == Kind::NotIn;
    if (isRange) expect('(');
    predicate.first = number("a number");
    if (isRange) {
      expect(',');
      predicate.second = number("a number");
      expect(')');
    }
    query.predicate = predicate;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace

std::optional<long long> parseMqlInterval(std::string_view text) {
  if (text.size() < 2 || text.size() > 3) return std::nullopt;
  int value = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < 1) return std::nullopt;
  switch (text.back()) {
    case 'm':
      return value <= 60 ? std::optional(value * kMinute) : std::nullopt;
    case 'h':
      return value <= 24 ? std::optional(value * 60 * kMinute) : std::nullopt;
    case 'd':
      return value == 1 ? std::optional(24 * 60 * kMinute) : std::nullopt;
    default:
      return std::nullopt;
  }
}

bool matchesFuzzy(std::string_view pattern, std::string_view text) {
  for (;;) {
    const std::size_t bar = pattern.find('|');
    if (matchesWildcard(pattern.substr(0, bar), text)) return true;
    if (bar == std::string_view::npos) return false;
    pattern.remove_prefix(bar + 1);
  }
}

bool DimensionFilter::accepts(const std::string& text) const {
  return (isFuzzy ? matchesFuzzy(value, text) : value == text) != isNegated;
}

bool MqlPredicate::accepts(double value) const {
  switch (kind) {
    case Kind::Greater:
      return value > first;
    case Kind::GreaterOrEqual:
      return value >= first;
    case Kind::Equal:
      return value == first;
    case Kind::NotEqual:
      return value != first;
    case Kind::Less:
      return value < first;
    case Kind::LessOrEqual:
      return value <= first;
    case Kind::In:
      return value >= first && value <= second;
    case Kind::NotIn:
      return value < first || value > second;
  }
  return false;
}

tl::expected<MqlQuery, std::string> parseMql(std::string_view text) {
  if (text.size() > kMaxText)
    return tl::unexpected<std::string>(fmt::format("the query is longer than {} characters", kMaxText));
  return MqlReader(text).read();
}

}  // namespace lockstep::rehearsal
