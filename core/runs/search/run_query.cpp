// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/search/run_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/time_text.h"

namespace lockstep {
namespace {

using Field = RunQuery::Field;
using Comparison = RunQuery::Comparison;

struct FieldWord {
  std::string_view word;
  Field field;
};
constexpr std::array<FieldWord, 12> kFields{{{"name", Field::Name},
                                             {"id", Field::Id},
                                             {"tag", Field::Tag},
                                             {"group", Field::Group},
                                             {"note", Field::Note},
                                             {"profile", Field::Profile},
                                             {"image", Field::Image},
                                             {"commit", Field::Commit},
                                             {"failure", Field::Failure},
                                             {"backend", Field::Backend},
                                             {"state", Field::State},
                                             {"is", Field::Is}}};
constexpr std::array<std::string_view, 4> kIsWords{"pinned", "archived", "live", "dirty"};
constexpr std::array<std::string_view, 8> kStateWords{"launching", "waiting", "running",  "stopping",
                                                      "succeeded", "failed",  "canceled", "silent"};

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool isNameLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '/' || c == '@' || c == '%';
}

std::optional<double> numberIn(std::string_view text) {
  double number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// "90", "90s", "30m", "2h", "1.5d", "2w", in seconds.
std::optional<double> lengthIn(std::string_view text) {
  constexpr std::array<std::pair<char, double>, 5> kUnits{
      {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86'400}, {'w', 604'800}}};
  if (text.empty()) return std::nullopt;
  for (const auto& [letter, seconds] : kUnits) {
    if (text.back() != letter) continue;
    const auto count = numberIn(text.substr(0, text.size() - 1));
    return count ? std::optional(*count * seconds) : std::nullopt;
  }
  return numberIn(text);
}

double secondsOf(TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

/// A date, a time, or how long ago.
std::optional<double> momentIn(std::string_view text, TimePoint now) {
  if (const auto ago = lengthIn(text)) return secondsOf(now) - *ago;
  constexpr std::size_t kDate = 10;
  const std::string whole = text.size() == kDate ? std::string(text) + "T00:00:00Z" : std::string(text);
  const auto time = parseRfc3339(whole);
  return time ? std::optional(secondsOf(*time)) : std::nullopt;
}

class Parser {
 public:
  Parser(std::string_view text, TimePoint now) : text_(text), now_(now) {}

  Result<RunQuery> parse() {
    if (text_.size() > kMaxQueryLength)
      return refuse(kMaxQueryLength, fmt::format("it is longer than {} characters", kMaxQueryLength));
    RunQuery query;
    for (skipBlanks(); at_ < text_.size(); skipBlanks()) {
      if (query.terms.size() == kMaxQueryTerms)
        return refuse(at_, fmt::format("it has more than {} terms", kMaxQueryTerms));
      auto term = nextTerm();
      if (!term) return failure(std::move(term.error()));
      query.terms.push_back(*std::move(term));
    }
    return query;
  }

 private:
  void skipBlanks() {
    while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
  }

  static tl::unexpected<Error> refuse(std::size_t place, std::string cause, std::string remedy = {}) {
    return failure(ErrorCode::InvalidArgument, "this search is not understood", std::move(cause),
                   std::move(remedy), fmt::format("character {}", place + 1));
  }

  Result<RunQuery::Term> nextTerm() {
    RunQuery::Term term;
    if (text_[at_] == '-' && at_ + 1 < text_.size() && !isBlank(text_[at_ + 1])) {
      term.isNegated = true;
      ++at_;
    }
    const std::size_t begin = at_;
    std::size_t end = at_;
    while (end < text_.size() && isNameLetter(text_[end])) ++end;
    const std::string_view name = text_.substr(begin, end - begin);
    if (!name.empty() && end < text_.size()) {
      if (text_[end] == ':') return fieldTerm(std::move(term), name, end + 1);
      if (std::string_view("<>=!").find(text_[end]) != std::string_view::npos)
        return comparisonTerm(std::move(term), name, end);
    }
    auto text = value();
    if (!text) return failure(std::move(text.error()));
    term.text = folded(*text);
    return term;
  }

  Result<RunQuery::Term> fieldTerm(RunQuery::Term term, std::string_view name, std::size_t valueAt) {
    const std::size_t begin = at_;
    const std::string word = folded(name);
    const auto known = std::find_if(kFields.begin(), kFields.end(),
                                    [&](const FieldWord& field) { return field.word == word; });
    if (known == kFields.end())
      return refuse(begin, fmt::format("there is no '{}:'", name),
                    "known are name:, id:, tag:, group:, note:, state:, is:, profile:, image:, commit:, "
                    "failure: and backend:; a text with a colon is written in quotes, and a number is "
                    "compared with <, >, <=, >=, = or !=");
    at_ = valueAt;
    auto text = value();
    if (!text) return failure(std::move(text.error()));
    term.field = known->field;
    term.text = folded(*text);
    return checked(std::move(term), valueAt);
  }

  static Result<RunQuery::Term> checked(RunQuery::Term term, std::size_t place) {
    const auto begins = [&](std::string_view word) { return word.starts_with(term.text); };
    if (term.field == Field::Is && std::find(kIsWords.begin(), kIsWords.end(), term.text) == kIsWords.end())
      return refuse(place, fmt::format("'is:{}' says nothing", term.text),
                    "known are is:pinned, is:archived, is:live and is:dirty");
    if (term.field == Field::State && std::none_of(kStateWords.begin(), kStateWords.end(), begins))
      return refuse(
          place, fmt::format("there is no state '{}'", term.text),
          "known are launching, waiting, running, stopping, succeeded, failed, canceled and silent");
    return term;
  }

  Result<RunQuery::Term> comparisonTerm(RunQuery::Term term, std::string_view name, std::size_t signAt) {
    at_ = signAt;
    const bool withEqual = at_ + 1 < text_.size() && text_[at_ + 1] == '=';
    switch (text_[at_]) {
      case '<':
        term.comparison = withEqual ? Comparison::AtMost : Comparison::Less;
        break;
      case '>':
        term.comparison = withEqual ? Comparison::AtLeast : Comparison::More;
        break;
      case '!':
        if (!withEqual) return refuse(at_, "'!' alone compares nothing", "write != for 'another than'");
        term.comparison = Comparison::Unequal;
        break;
      default:
        term.comparison = Comparison::Equal;
        break;
    }
    at_ += withEqual ? 2 : 1;
    const std::size_t valueAt = at_;
    const auto text = value();
    if (!text) return failure(text.error());
    term.field = Field::Number;
    term.text = std::string(name);
    return compared(std::move(term), *text, valueAt);
  }

  [[nodiscard]] Result<RunQuery::Term> compared(RunQuery::Term term, const std::string& text,
                                                std::size_t place) const {
    const bool isMoment = term.text == "created" || term.text == "finished";
    const bool isLength = term.text == "elapsed";
    const auto number = isMoment ? momentIn(text, now_) : isLength ? lengthIn(text) : numberIn(text);
    if (!number) {
      if (isMoment)
        return refuse(place, fmt::format("'{}' is no time", text),
                      "write a date (2026-11-01), a time (2026-11-01T08:00:00Z) or how long ago (3d)");
      if (isLength)
        return refuse(place, fmt::format("'{}' is no length of time", text), "write 90s, 30m, 1.5h or 2d");
      return refuse(place, fmt::format("'{}' is no number", text));
    }
    term.number = *number;
    return term;
  }

  /// A text in quotes, or one up to the next blank. Not empty.
  Result<std::string> value() {
    const std::size_t begin = at_;
    std::string text;
    if (at_ < text_.size() && text_[at_] == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) return refuse(begin, "the quote that begins here does not end");
      text = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      while (at_ < text_.size() && !isBlank(text_[at_])) text += text_[at_++];
    }
    if (text.empty()) return refuse(begin, "nothing is said here to look for");
    return text;
  }

  std::string_view text_;
  TimePoint now_;
  std::size_t at_ = 0;
};

}  // namespace

bool RunQuery::namesArchived() const {
  return std::any_of(terms.begin(), terms.end(),
                     [](const Term& term) { return term.field == Field::Is && term.text == "archived"; });
}

std::string folded(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

Result<RunQuery> parseRunQuery(std::string_view text, TimePoint now) {
  return Parser(text, now).parse();
}

}  // namespace lockstep
