// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep {

/// What a text is searched for, compiled to machine code where the system lets us. Immutable; copies are cheap; any thread.
class TextPattern {
 public:
  /// As it stands; any case: of ASCII letters. Not empty; of a longer text the first 4,096 bytes.
  [[nodiscard]] static TextPattern literal(const std::string& text, bool isCaseSensitive);
  /// A regular expression as Perl has it (PCRE2), in UTF-8; bytes that are none match nothing. ^ and $ are begin and end of
  /// each line; LF, CR and CRLF end lines. InvalidArgument with the reason when it is malformed.
  [[nodiscard]] static Result<TextPattern> regex(const std::string& pattern, bool isCaseSensitive);

  [[nodiscard]] const std::string& text() const;
  /// Wherever it matches in a line alone it matches in a text of many lines, too, beginning at the same place: it looks at
  /// nothing beyond what it matches. False is the safe answer.
  [[nodiscard]] bool staysInLine() const;
  /// Of the groups that have one: "(?<loss>…)".
  [[nodiscard]] std::vector<std::string> groupNames() const;

 private:
  friend class PatternMatcher;
  struct Code;
  explicit TextPattern(std::shared_ptr<const Code> code) : code_(std::move(code)) {}
  static Result<std::shared_ptr<const Code>> compile(const std::string& text, unsigned options,
                                                     bool staysInLine);
  std::shared_ptr<const Code> code_;
};

/// Looks for a pattern. One thread at a time.
class PatternMatcher {
 public:
  struct Hit {
    std::size_t begin = 0, end = 0;
  };
  explicit PatternMatcher(TextPattern pattern);
  PatternMatcher(PatternMatcher&& other) noexcept;
  PatternMatcher& operator=(PatternMatcher&& other) noexcept;
  ~PatternMatcher();

  /// The first match that begins at `from` or behind it. The work is limited: isTooHard() then, and nothing is found.
  std::optional<Hit> find(std::string_view text, std::size_t from = 0);
  /// What a named group took at the last find(), which found something in this same text; nullopt: nothing, or there is no
  /// such group.
  [[nodiscard]] std::optional<std::string_view> group(std::string_view text, std::string_view name) const;
  /// The last find() was given up.
  [[nodiscard]] bool isTooHard() const;
  /// What to say then.
  [[nodiscard]] Error tooHard() const;
  [[nodiscard]] const TextPattern& pattern() const { return pattern_; }

 private:
  struct State;
  TextPattern pattern_;
  std::unique_ptr<State> state_;
};

}  // namespace lockstep
