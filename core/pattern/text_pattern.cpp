// SPDX-License-Identifier: GPL-3.0-or-later
#include "pattern/text_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <array>
#include <cstdint>

namespace lockstep {
namespace {

// A line that needs more than this is one that an expression like "(a+)+$" would keep busy for years: about
// 10 ms.
constexpr std::uint32_t kMatchLimit = 200'000;
constexpr std::uint32_t kDepthLimit = 20'000;
constexpr std::uint32_t kHeapKiB = 8 * 1024;
constexpr std::size_t kJitStackStart = 32 * 1024, kJitStackMost = 1024 * 1024;
constexpr std::size_t kMaxPattern = 4096;

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
  void operator()(pcre2_compile_context* context) const { ::pcre2_compile_context_free(context); }
  void operator()(pcre2_match_data* data) const { ::pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const { ::pcre2_match_context_free(context); }
  void operator()(pcre2_jit_stack* stack) const { ::pcre2_jit_stack_free(stack); }
};

/// Whether "(?" goes on as a group of whose inside nothing has to be known: "(?:", "(?i)", "(?i:", "(?<name>", "(?P<name>".
bool isPlainGroup(std::string_view after) {
  if (after.starts_with(':') || after.starts_with("i)") || after.starts_with("i:") || after.starts_with("P<"))
    return true;
  return after.starts_with('<') && !after.starts_with("<=") && !after.starts_with("<!");
}

/// What looks at its surroundings, does not give back what it took, or begins elsewhere than it matches: assertions, atomic
/// groups, possessive repetitions, verbs, and these escapes.
bool looksBeyond(std::string_view pattern) {
  constexpr std::string_view kEscapes = "AzZGRXKQCgk";
  constexpr std::string_view kRepeats = "*+?}";
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view rest = pattern.substr(i);
    if (rest[0] == '\\') {
      if (rest.size() > 1 && kEscapes.find(rest[1]) != std::string_view::npos) return true;
      ++i;
    } else if (rest.starts_with("(*") || (rest.starts_with("(?") && !isPlainGroup(rest.substr(2)))) {
      return true;
    } else if (rest[0] == '+' && i > 0 && kRepeats.find(pattern[i - 1]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

struct TextPattern::Code {
  std::string text;
  std::unique_ptr<pcre2_code, Free> code;
  bool isCompiled = false;  // to machine code
  bool staysInLine = true;
};

Result<std::shared_ptr<const TextPattern::Code>> TextPattern::compile(const std::string& text,
                                                                      unsigned options, bool staysInLine) {
  if (text.size() > kMaxPattern) return failure(notAnExpression(text.substr(0, 80) + "…", "it is too long"));
  const std::unique_ptr<pcre2_compile_context, Free> context(::pcre2_compile_context_create(nullptr));
  auto made = std::make_shared<Code>();
  made->text = text;
  made->staysInLine = staysInLine;
  int error = 0;
  PCRE2_SIZE at = 0;
  if (context) {
    ::pcre2_set_newline(context.get(), PCRE2_NEWLINE_ANYCRLF);
    made->code.reset(::pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), options, &error,
                                     &at, context.get()));
  }
  if (!made->code)
    return failure(notAnExpression(text, error == 0
                                             ? "there is not enough memory"
                                             : fmt::format("{} (at character {})", wordsOf(error), at + 1)));
  made->isCompiled = ::pcre2_jit_compile(made->code.get(), PCRE2_JIT_COMPLETE) == 0;
  return std::shared_ptr<const Code>(std::move(made));
}

TextPattern TextPattern::literal(const std::string& text, bool isCaseSensitive) {
  const std::string bounded = text.substr(0, kMaxPattern);
  return TextPattern(compile(bounded, PCRE2_LITERAL | (isCaseSensitive ? 0U : PCRE2_CASELESS), true).value());
}

Result<TextPattern> TextPattern::regex(const std::string& pattern, bool isCaseSensitive) {
  auto code = compile(pattern,
                      PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_MULTILINE |
                          (isCaseSensitive ? 0U : PCRE2_CASELESS),
                      !looksBeyond(pattern));
  if (!code) return failure(std::move(code.error()));
  return TextPattern(*std::move(code));
}

const std::string& TextPattern::text() const {
  return code_->text;
}

bool TextPattern::staysInLine() const {
  return code_->staysInLine;
}

std::vector<std::string> TextPattern::groupNames() const {
  std::uint32_t count = 0, size = 0;
  PCRE2_SPTR entry = nullptr;
  ::pcre2_pattern_info(code_->code.get(), PCRE2_INFO_NAMECOUNT, &count);
  ::pcre2_pattern_info(code_->code.get(), PCRE2_INFO_NAMEENTRYSIZE, &size);
  ::pcre2_pattern_info(code_->code.get(), PCRE2_INFO_NAMETABLE, &entry);
  std::vector<std::string> names;
  constexpr std::size_t kNumber = 2;  // bytes before each name
  for (std::uint32_t i = 0; i < count; ++i, entry += size)
    names.emplace_back(reinterpret_cast<const char*>(entry + kNumber));
  return names;
}

struct PatternMatcher::State {
  std::unique_ptr<pcre2_match_data, Free> match;
  std::unique_ptr<pcre2_match_context, Free> limits;
  std::unique_ptr<pcre2_jit_stack, Free> stack;
  int failed = 0;
};

PatternMatcher::PatternMatcher(TextPattern pattern)
    : pattern_(std::move(pattern)), state_(std::make_unique<State>()) {
  // Searches want to know where the match is, and no more: that is faster.
  state_->match.reset(pattern_.groupNames().empty()
                          ? ::pcre2_match_data_create(1, nullptr)
                          : ::pcre2_match_data_create_from_pattern(pattern_.code_->code.get(), nullptr));
  state_->limits.reset(::pcre2_match_context_create(nullptr));
  state_->stack.reset(::pcre2_jit_stack_create(kJitStackStart, kJitStackMost, nullptr));
  if (!state_->match || !state_->limits) throw std::bad_alloc();
  ::pcre2_set_match_limit(state_->limits.get(), kMatchLimit);
  ::pcre2_set_depth_limit(state_->limits.get(), kDepthLimit);
  ::pcre2_set_heap_limit(state_->limits.get(), kHeapKiB);
  if (state_->stack) ::pcre2_jit_stack_assign(state_->limits.get(), nullptr, state_->stack.get());
}

PatternMatcher::PatternMatcher(PatternMatcher&& other) noexcept = default;
PatternMatcher& PatternMatcher::operator=(PatternMatcher&& other) noexcept = default;
PatternMatcher::~PatternMatcher() = default;

std::optional<PatternMatcher::Hit> PatternMatcher::find(std::string_view text, std::size_t from) {
  const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  const TextPattern::Code& code = *pattern_.code_;
  State& state = *state_;
  int found = PCRE2_ERROR_JIT_STACKLIMIT;
  if (code.isCompiled)
    found = ::pcre2_jit_match(code.code.get(), subject, text.size(), from, 0, state.match.get(),
                              state.limits.get());
  if (found == PCRE2_ERROR_JIT_STACKLIMIT)  // or there is no machine code
    found = ::pcre2_match(code.code.get(), subject, text.size(), from, PCRE2_NO_JIT, state.match.get(),
                          state.limits.get());
  state.failed = found < 0 && found != PCRE2_ERROR_NOMATCH ? found : 0;
  if (found < 0) return std::nullopt;
  const PCRE2_SIZE* const ends = ::pcre2_get_ovector_pointer(state.match.get());
  return Hit{ends[0], ends[1]};
}

std::optional<std::string_view> PatternMatcher::group(std::string_view text, std::string_view name) const {
  const std::string key(name);
  const int number = ::pcre2_substring_number_from_name(pattern_.code_->code.get(),
                                                        reinterpret_cast<PCRE2_SPTR>(key.c_str()));
  const PCRE2_SIZE* const ends = ::pcre2_get_ovector_pointer(state_->match.get());
  if (number < 0 || ends[2 * number] == PCRE2_UNSET || ends[2 * number + 1] > text.size())
    return std::nullopt;
  return text.substr(ends[2 * number], ends[2 * number + 1] - ends[2 * number]);
}

bool PatternMatcher::isTooHard() const {
  return state_->failed != 0;
}

Error PatternMatcher::tooHard() const {
  return {ErrorCode::ResourceExhausted,
          "'" + pattern_.text() + "' takes too long on a line",
          wordsOf(state_->failed),
          "write it so that there are fewer ways to match, without repetitions inside of repetitions",
          {},
          {}};
}

}  // namespace lockstep
