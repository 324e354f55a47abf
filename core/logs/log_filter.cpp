// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/log_filter.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace lockstep {
namespace {

// A line that needs more than this is one that an expression like "(a+)+$" would keep busy for years: about
// 10 ms.
constexpr std::uint32_t kMatchLimit = 200'000;
constexpr std::uint32_t kDepthLimit = 20'000;
constexpr std::uint32_t kHeapKiB = 8 * 1024;
constexpr int kMaxHardLines = 20;  // after these, the expression is given up on
constexpr std::size_t kMaxPattern = 4096;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// `text` is in lower case.
bool containsAnyCase(std::string_view line, std::string_view text) {
  if (text.empty()) return true;
  const char first = text.front();
  for (std::size_t at = 0; at + text.size() <= line.size(); ++at) {
    if (lower(line[at]) != first) continue;
    std::size_t same = 1;
    while (same < text.size() && lower(line[at + same]) == text[same]) ++same;
    if (same == text.size()) return true;
  }
  return false;
}

std::string wordsOf(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  ::pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

Error notAnExpression(const std::string& pattern, std::string why) {
  return {ErrorCode::InvalidArgument,
          "'" + pattern + "' is not a regular expression",
          std::move(why),
          "fix the expression, or search for it as plain text",
          {},
          {}};
}

struct Free {
  void operator()(pcre2_code* code) const { ::pcre2_code_free(code); }
  void operator()(pcre2_match_data* data) const { ::pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const { ::pcre2_match_context_free(context); }
};

class Expression {
 public:
  static Result<std::shared_ptr<Expression>> compiled(const std::string& pattern, bool caseSensitive) {
    if (pattern.size() > kMaxPattern) return failure(notAnExpression(pattern, "it is too long"));
    int error = 0;
    PCRE2_SIZE at = 0;
    const std::uint32_t options =
        PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | (caseSensitive ? 0U : PCRE2_CASELESS);
    auto made = std::make_shared<Expression>();
    made->pattern_ = pattern;
    made->code_.reset(::pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), options,
                                      &error, &at, nullptr));
    if (!made->code_)
      return failure(notAnExpression(pattern, fmt::format("{} (at character {})", wordsOf(error), at + 1)));
    made->match_.reset(::pcre2_match_data_create_from_pattern(made->code_.get(), nullptr));
    made->limits_.reset(::pcre2_match_context_create(nullptr));
    if (!made->match_ || !made->limits_)
      return failure(notAnExpression(pattern, "there is not enough memory"));
    ::pcre2_set_match_limit(made->limits_.get(), kMatchLimit);
    ::pcre2_set_depth_limit(made->limits_.get(), kDepthLimit);
    ::pcre2_set_heap_limit(made->limits_.get(), kHeapKiB);
    return made;
  }

  bool isIn(std::string_view line) {
    if (hardLines_ >= kMaxHardLines) return false;
    const int found = ::pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(line.data()), line.size(), 0, 0,
                                    match_.get(), limits_.get());
    if (found < 0 && found != PCRE2_ERROR_NOMATCH && ++hardLines_ == 1 && tooHard)
      tooHard({ErrorCode::ResourceExhausted,
               "'" + pattern_ + "' takes too long on a line",
               wordsOf(found),
               "write it so that there are fewer ways to match, without repetitions inside of repetitions",
               {},
               {}});
    return found >= 0;
  }

  std::function<void(const Error&)> tooHard;

 private:
  std::string pattern_;
  std::unique_ptr<pcre2_code, Free> code_;
  std::unique_ptr<pcre2_match_data, Free> match_;
  std::unique_ptr<pcre2_match_context, Free> limits_;
  int hardLines_ = 0;
};

}  // namespace

TextMatcher literalMatcher(std::string text, bool caseSensitive) {
  if (caseSensitive)
    return
        [text = std::move(text)](std::string_view line) { return line.find(text) != std::string_view::npos; };
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return [text = std::move(text)](std::string_view line) { return containsAnyCase(line, text); };
}

Result<TextMatcher> regexMatcher(const std::string& pattern, bool caseSensitive,
                                 std::function<void(const Error&)> tooHard) {
  auto expression = Expression::compiled(pattern, caseSensitive);
  if (!expression) return failure(std::move(expression.error()));
  (*expression)->tooHard = std::move(tooHard);
  return [expression = *std::move(expression)](std::string_view line) { return expression->isIn(line); };
}

bool LogFilter::accepts(const LogLineView& line) const {
  if (line.level < minLevel || (from && line.time < *from) || (until && line.time > *until)) return false;
  if (!ranks.empty() && std::find(ranks.begin(), ranks.end(), line.rank) == ranks.end()) return false;
  if (!nodes.empty() && std::find(nodes.begin(), nodes.end(), line.node) == nodes.end()) return false;
  return !text || text(line.text);
}

bool LogFilter::acceptsAll() const {
  return ranks.empty() && nodes.empty() && minLevel == LogLevel::Debug && !from && !until && !text;
}

}  // namespace lockstep
