// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::rehearsal {

[[nodiscard]] bool sameWord(std::string_view a, std::string_view b);  // in any case
[[nodiscard]] std::string lowerWord(std::string_view word);

/// The words and signs of a policy statement or a matching rule, from left to right; blanks between them are
/// skipped. The text must outlive it.
class PolicyScanner {
 public:
  explicit PolicyScanner(std::string_view text) : text_(text) { skipBlanks(); }

  [[nodiscard]] std::size_t place() const { return at_; }
  [[nodiscard]] bool atEnd() const { return at_ >= text_.size(); }
  /// Letters, digits, '-', '_', '.', '@', '+', '$': a keyword, a name without quotes, an OCID, a variable.
  [[nodiscard]] std::string peekWord() const;
  std::string parseWord();
  bool acceptKeyword(std::string_view word);
  [[nodiscard]] bool peekSign(char sign) const { return !atEnd() && text_[at_] == sign; }
  bool acceptSign(char sign);
  /// 'text' or "text", quotes taken off.
  std::optional<std::string> parseQuoted();
  /// /text/, slashes taken off.
  std::optional<std::string> parsePattern();
  /// A name, in quotes or not.
  std::optional<std::string> parseName();
  /// "id ocid1…": told from something that is named id.
  [[nodiscard]] bool secondWordIsOcid() const;
  /// Where a <placeholder> of a copied example stands: nothing of the grammar has a '<'.
  [[nodiscard]] std::optional<std::size_t> findPlaceholder() const;

 private:
  void skipBlanks();
  [[nodiscard]] std::size_t endOfWord(std::size_t from) const;
  std::optional<std::string> parseBetween(char border);

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace lockstep::rehearsal
