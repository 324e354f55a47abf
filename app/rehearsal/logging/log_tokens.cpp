// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_tokens.h"

#include <fmt/format.h>

#include <cctype>

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kMaxTokens = 20'000;

bool isWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isWordPart(char c) {
  return isWordStart(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  tl::expected<std::vector<LogToken>, std::string> run() {
    for (skipBlanks(); at_ < text_.size() && error_.empty(); skipBlanks()) {
      if (tokens_.size() == kMaxTokens) return tl::unexpected(std::string("the query is too long"));
      next();
    }
    if (!error_.empty()) return tl::unexpected(error_);
    tokens_.push_back({LogToken::Kind::End, "", text_.size()});
    return tokens_;
  }

 private:
  void skipBlanks() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      } else if (text_.substr(at_, 2) == "--") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  void next() {
    const char c = text_[at_];
    const bool negative =
        c == '-' && at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1]));
    if (c == '"') return quoted();
    if (c == '\'') return literal();
    if (isWordStart(c)) return take(LogToken::Kind::Word, [](char x) { return isWordPart(x); });
    if (std::isdigit(static_cast<unsigned char>(c)) || negative)
      return take(LogToken::Kind::Number, [](char x) { return isWordPart(x) || x == '.' || x == '-'; });
    symbol();
  }

  template <class Belongs>
  void take(LogToken::Kind kind, Belongs belongs) {
    const std::size_t start = at_++;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    tokens_.push_back({kind, std::string(text_.substr(start, at_ - start)), start});
  }

  // "name", a doubled quote being one quote.
  void quoted() {
    const std::size_t start = at_++;
    std::string value;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"' && text_.substr(at_, 2) != "\"\"") {
        ++at_;
        tokens_.push_back({LogToken::Kind::Quoted, value, start});
        return;
      }
      if (text_[at_] == '"') ++at_;
      value += text_[at_];
    }
    error_ = fmt::format("the quoted name at character {} does not end", start + 1);
  }

  // 'text', with \' for a quote.
  void literal() {
    const std::size_t start = at_++;
    std::string value;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\'') {
        ++at_;
        tokens_.push_back({LogToken::Kind::Text, value, start});
        return;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_];
    }
    error_ = fmt::format("the string at character {} does not end", start + 1);
  }

  void symbol() {
    const std::string_view two = text_.substr(at_, 2);
    const std::size_t length = two == "!=" || two == "<=" || two == ">=" || two == "==" ? 2 : 1;
    if (length == 1 && std::string_view("()|,.=<>[]*").find(text_[at_]) == std::string_view::npos) {
      error_ = fmt::format("unexpected '{}' at character {}", text_[at_], at_ + 1);
      return;
    }
    tokens_.push_back({LogToken::Kind::Symbol, std::string(text_.substr(at_, length)), at_});
    at_ += length;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<LogToken> tokens_;
  std::string error_;
};

}  // namespace

tl::expected<std::vector<LogToken>, std::string> tokenizeLogQuery(std::string_view text) {
  return Tokenizer(text).run();
}

}  // namespace lockstep::rehearsal
