// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// Takes a policy statement apart from left to right; blanks between words and signs do not count. `text`
/// must outlive it.
class PolicyReader {
 public:
  explicit PolicyReader(std::string_view text) : text_(text) { skipBlanks(); }

  [[nodiscard]] std::size_t place() const { return at_; }
  [[nodiscard]] bool isAtEnd() const { return at_ == text_.size(); }
  /// Letters, digits and -_.@+$: keywords, plain names, OCIDs, variables. Empty: there is none here.
  [[nodiscard]] std::string_view nextWord() const;
  std::string word();
  bool keyword(std::string_view wanted);
  [[nodiscard]] bool isSign(char sign) const { return !isAtEnd() && text_[at_] == sign; }
  bool sign(char wanted);
  /// 'text' or "text", without its quotes.
  std::optional<std::string> quoted();
  /// /text/, without its slashes.
  std::optional<std::string> pattern();
  /// Quoted or not.
  std::optional<std::string> name();
  /// `id` and an OCID behind it; a group may be called id.
  [[nodiscard]] bool isIdAhead() const;

 private:
  void skipBlanks();
  [[nodiscard]] std::size_t wordEnd(std::size_t from) const;
  std::optional<std::string> between(char border);

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace lockstep
