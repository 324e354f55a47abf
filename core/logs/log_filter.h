// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "logs/log_line.h"

namespace lockstep {

/// Whether a text is wanted.
using TextMatcher = std::function<bool(std::string_view)>;

/// Contains `text`; without regard to the case of ASCII letters unless asked for. An empty text matches
/// everything.
[[nodiscard]] TextMatcher literalMatcher(const std::string& text, bool caseSensitive = false);
/// A regular expression as Perl has it (PCRE2), found anywhere in the text. InvalidArgument with the reason
/// when the expression is malformed. The work for one line is limited: `tooHard` is called once, with what to
/// say, when a line needs more; such a line is not found, and after some of them none is any more. Matchers
/// may be copied, and used in one thread at a time.
[[nodiscard]] Result<TextMatcher> regexMatcher(const std::string& pattern, bool caseSensitive = false,
                                               std::function<void(const Error&)> tooHard = {});

/// What is known of a line without a copy of it. How long the views live, whoever gives them says.
struct LogLineView {
  TimePoint time{};
  std::string_view text;
  std::string_view node;
  std::optional<Rank> rank;
  LogLevel level = LogLevel::Info;
};

/// Which lines to show. The default shows all.
struct LogFilter {
  std::vector<std::optional<Rank>> ranks;  // empty: all; nullopt: the lines of node agents
  std::vector<std::string> nodes;          // display names; empty: all
  LogLevel minLevel = LogLevel::Debug;
  std::optional<TimePoint> from, until;  // both included; nullopt: from the first line, to the last
  TextMatcher text;                      // empty: every text

  [[nodiscard]] bool accepts(const LogLineView& line) const;
  [[nodiscard]] bool acceptsAll() const;
};

}  // namespace lockstep
