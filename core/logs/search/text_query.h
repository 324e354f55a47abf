// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep {

/// One thing that a line's text may contain.
struct TextTerm {
  std::string text;
  bool isRegex = false;  // as Perl has it (PCRE2); else as it stands
  bool isCaseSensitive = false;
};

struct TypedQuery;

/// Which texts are wanted: terms, combined by and, or, not. Compiled once; immutable, so that it may be shared by threads,
/// each with a TextScan of its own.
class TextQuery {
 public:
  struct Node;  // of the tree (text_query_tree.h)

  /// A single term. InvalidArgument with the reason when it is a malformed expression.
  [[nodiscard]] static Result<TextQuery> of(const TextTerm& term);
  /// What people type, "loss AND NOT (nan OR /inf\b/)": words or "quoted texts", /expressions/, AND, OR, NOT in capitals
  /// (or &&, ||, ! and the dash of "-word") and parentheses; terms beside each other are meant both. In quotes and slashes a backslash protects
  /// the delimiter. InvalidArgument with the place (`where`: "character 5") when it cannot be read; an empty text wants
  /// every line. Depth and length are bounded.
  [[nodiscard]] static Result<TextQuery> parse(std::string_view typed, bool isCaseSensitive = false);

  /// What both want.
  [[nodiscard]] static TextQuery both(const TextQuery& one, const TextQuery& other);

  [[nodiscard]] bool wantsAll() const;
  /// The terms that make a line wanted, for whoever colours them: those not below a NOT.
  [[nodiscard]] const std::vector<TextTerm>& positiveTerms() const;

 private:
  friend class TextScan;
  struct Compiled;
  explicit TextQuery(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
  static Result<TextQuery> compile(TypedQuery typed);
  std::shared_ptr<const Compiled> compiled_;
};

/// Applies a query. One thread at a time. The work for a line is limited: a line that an expression like "(a+)+$" would
/// take years for is not found, and tooHard() says so from then on.
class TextScan {
 public:
  explicit TextScan(const TextQuery& query);
  TextScan(TextScan&& other) noexcept;
  TextScan& operator=(TextScan&& other) noexcept;
  ~TextScan();

  /// A line's text, without the line end.
  bool matches(std::string_view text);
  /// `text` are whole lines, each ended by LF but perhaps the last: no line between `from` (the begin of one) and the
  /// returned place matches; npos: none does at all. Much quicker than asking line by line. The line of that place has to
  /// be asked itself. One text at a time: `from` does not go back while the text is the same.
  std::size_t seek(std::string_view text, std::size_t from);
  /// The text is another one from now on.
  void reset();
  /// Where a positive term is in the text, ascending, for whoever colours it: begin and end; at most `most`.
  std::vector<std::pair<std::size_t, std::size_t>> places(std::string_view text, std::size_t most = 1000);
  [[nodiscard]] const std::optional<Error>& tooHard() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace lockstep
