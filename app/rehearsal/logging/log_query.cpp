// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_query.h"

#include <fmt/format.h>
#include <strings.h>

#include <charconv>
#include <numeric>

#include "rehearsal/logging/log_stages.h"

namespace lockstep::rehearsal {
namespace {

using Kind = LogToken::Kind;

constexpr std::size_t kMaxStages = 100;
constexpr std::size_t kMaxColumns = 200;

class Parser {
 public:
  explicit Parser(std::vector<LogToken> tokens) : in_(std::move(tokens)) {}

  LogQuery query() {
    if (!in_.acceptWord("search")) in_.fail("a query begins with 'search'");
    do {
      query_.streams.push_back(stream());
      in_.acceptSymbol(",");
    } while (in_.here().kind == Kind::Quoted);
    while (in_.acceptSymbol("|")) {
      if (query_.stages.size() == kMaxStages) in_.fail("the query has too many operators");
      operation();
    }
    if (in_.here().kind != Kind::End) in_.fail("expected '|' or the end");
    return std::move(query_);
  }

 private:
  LogStream stream() {
    if (in_.here().kind != Kind::Quoted) in_.fail("expected \"compartment/log group/log\" in double quotes");
    const std::string text = in_.popText();
    LogStream stream;
    const std::size_t first = text.find('/');
    stream.compartment = text.substr(0, first);
    if (first == std::string::npos) return stream;
    const std::size_t second = text.find('/', first + 1);
    stream.group = text.substr(first + 1, second == std::string::npos ? second : second - first - 1);
    if (second != std::string::npos) stream.log = text.substr(second + 1);
    return stream;
  }

  void operation() {
    if (in_.acceptWord("sort")) return sort();
    if (in_.acceptWord("top")) return top();
    if (in_.acceptWord("dedup")) return whole(dedupStage(columns(false)));
    if (in_.acceptWord("select")) return select();
    if (in_.acceptWord("extend")) return rowWise(extendStage(columns(true)));
    if (in_.acceptWord("count")) return whole(countStage());
    if (in_.acceptWord("summarize")) return summarize();
    in_.acceptWord("where");
    rowWise(filterStage(in_.expression().value));
  }

  void rowWise(LogStageMaker stage) { query_.stages.push_back(std::move(stage)); }
  void whole(LogStageMaker stage) {
    query_.stages.push_back(std::move(stage));
    query_.isRowWise = false;
  }

  // Lines are stored by time: a sort by it, before anything has changed the rows, costs nothing.
  bool isByTime(const std::vector<SortKey>& keys, const NamedExpression& first) const {
    return keys.size() == 1 && first.path == std::vector<std::string>{"datetime"} && query_.isRowWise &&
           !selected_ && !sorted_;
  }

  void sort() {
    if (!in_.acceptWord("by")) in_.fail("expected 'by'");
    std::vector<SortKey> keys;
    NamedExpression first;
    do {
      if (keys.size() == kMaxColumns) in_.fail("there are too many keys");
      NamedExpression key = in_.expression();
      const bool descending = in_.acceptWord("desc");
      if (!descending) in_.acceptWord("asc");
      keys.push_back({key.value, descending});
      if (keys.size() == 1) first = std::move(key);
    } while (in_.acceptSymbol(","));
    if (!isByTime(keys, first)) return whole(sortStage(std::move(keys), 0));
    query_.descending = keys[0].descending;
    sorted_ = true;
  }

  // The most of a field: what is largest comes first.
  void top() {
    const std::string text = in_.here().text;
    std::size_t count = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool isCount = in_.here().kind == Kind::Number && read.ec == std::errc{} &&
                         read.ptr == text.data() + text.size() && count > 0 &&
                         count <= LogPipeline::kMaxHeldRows / 4;
    if (!isCount) in_.fail(fmt::format("expected a number from 1 to {}", LogPipeline::kMaxHeldRows / 4));
    in_.popText();
    if (!in_.acceptWord("by")) in_.fail("expected 'by'");
    whole(sortStage({{in_.expression().value, true}}, count));
  }

  std::vector<NamedExpression> columns(bool mayBeNamed) {
    std::vector<NamedExpression> list;
    do {
      if (list.size() == kMaxColumns) in_.fail("there are too many columns");
      list.push_back(in_.expression());
      if (mayBeNamed) in_.parseName(list.back().name);
    } while (in_.acceptSymbol(","));
    return list;
  }

  void select() {
    selected_ = true;
    const bool withAll = in_.acceptSymbol("*");
    const bool hasMore = !withAll || in_.acceptSymbol(",");
    rowWise(selectStage(hasMore ? columns(true) : std::vector<NamedExpression>(), withAll));
  }

  Aggregate aggregate() {
    static const std::pair<const char*, Aggregate::Kind> kKinds[] = {
        {"count", Aggregate::Kind::Count}, {"sum", Aggregate::Kind::Sum},
        {"avg", Aggregate::Kind::Average}, {"min", Aggregate::Kind::Minimum},
        {"max", Aggregate::Kind::Maximum}, {"first", Aggregate::Kind::First},
        {"last", Aggregate::Kind::Last}};
    const std::size_t start = in_.place();
    for (const auto& [name, kind] : kKinds) {
      if (!in_.acceptWord(name)) continue;
      Aggregate one{kind, {}, name};
      in_.needSymbol("(");
      if (kind != Aggregate::Kind::Count || !(in_.here().kind == Kind::Symbol && in_.here().text == ")"))
        one.value = in_.expression().value;
      in_.needSymbol(")");
      if (one.value) one.name = in_.textSince(start);
      in_.parseName(one.name);
      return one;
    }
    in_.fail("expected count, sum, avg, min, max, first or last");
  }

  void summarize() {
    std::vector<Aggregate> aggregates;
    do {
      if (aggregates.size() == kMaxColumns) in_.fail("there are too many columns");
      aggregates.push_back(aggregate());
    } while (in_.acceptSymbol(","));
    std::vector<NamedExpression> groups;
    if (in_.acceptWord("by")) groups = columns(true);
    whole(summarizeStage(std::move(aggregates), std::move(groups)));
  }

  LogExpressionParser in_;
  LogQuery query_;
  bool selected_ = false, sorted_ = false;
};

}  // namespace

tl::expected<LogQuery, std::string> parseLogQuery(std::string_view text) {
  auto tokens = tokenizeLogQuery(text);
  if (!tokens) return tl::unexpected(tokens.error());
  try {
    return Parser(std::move(*tokens)).query();
  } catch (const LogSyntaxError& error) {
    return tl::unexpected(error.message);
  }
}

LogPipeline::LogPipeline(const LogQuery& query) {
  for (const auto& make : query.stages) stages_.push_back(make());
}

void LogPipeline::pass(std::size_t stage, LogRow row) {
  if (stage == stages_.size()) {
    rows_.push_back(std::move(row));
    return;
  }
  stages_[stage]->take(std::move(row), [this, stage](LogRow next) { pass(stage + 1, std::move(next)); });
}

void LogPipeline::take(LogRow row) {
  pass(0, std::move(row));
}

void LogPipeline::finish() {
  for (std::size_t i = 0; i < stages_.size(); ++i)
    stages_[i]->finish([this, i](LogRow row) { pass(i + 1, std::move(row)); });
}

bool LogPipeline::isTooLarge() const {
  return std::accumulate(stages_.begin(), stages_.end(), rows_.size(),
                         [](std::size_t sum, const auto& stage) { return sum + stage->held(); }) >
         kMaxHeldRows;
}

}  // namespace lockstep::rehearsal
