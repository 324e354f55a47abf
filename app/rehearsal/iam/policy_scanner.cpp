// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/policy_scanner.h"

#include <algorithm>

namespace lockstep::rehearsal {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
// Bytes of UTF-8 beyond ASCII are letters here.
bool isPartOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.@+$").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

bool sameWord(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string lowerWord(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(), lower);
  return text;
}

void PolicyScanner::skipBlanks() {
  while (!atEnd() && isBlank(text_[at_])) ++at_;
}

std::size_t PolicyScanner::endOfWord(std::size_t from) const {
  while (from < text_.size() && isPartOfWord(text_[from])) ++from;
  return from;
}

std::string PolicyScanner::peekWord() const {
  return std::string(text_.substr(at_, endOfWord(at_) - at_));
}

std::string PolicyScanner::parseWord() {
  std::string word = peekWord();
  at_ += word.size();
  skipBlanks();
  return word;
}

bool PolicyScanner::acceptKeyword(std::string_view word) {
  if (!sameWord(peekWord(), word)) return false;
  parseWord();
  return true;
}

bool PolicyScanner::acceptSign(char sign) {
  if (!peekSign(sign)) return false;
  ++at_;
  skipBlanks();
  return true;
}

std::optional<std::string> PolicyScanner::parseBetween(char border) {
  if (!peekSign(border)) return std::nullopt;
  const std::size_t end = text_.find(border, at_ + 1);
  if (end == std::string_view::npos) return std::nullopt;
  std::string inner(text_.substr(at_ + 1, end - at_ - 1));
  at_ = end + 1;
  skipBlanks();
  return inner;
}

std::optional<std::string> PolicyScanner::parseQuoted() {
  if (auto text = parseBetween('\'')) return text;
  return parseBetween('"');
}

std::optional<std::string> PolicyScanner::parsePattern() {
  return parseBetween('/');
}

std::optional<std::string> PolicyScanner::parseName() {
  if (auto text = parseQuoted()) return text->empty() ? std::nullopt : text;
  std::string word = parseWord();
  if (word.empty()) return std::nullopt;
  return word;
}

bool PolicyScanner::secondWordIsOcid() const {
  std::size_t at = endOfWord(at_);
  while (at < text_.size() && isBlank(text_[at])) ++at;
  return sameWord(text_.substr(at, 6), "ocid1.");
}

std::optional<std::size_t> PolicyScanner::findPlaceholder() const {
  const std::size_t at = text_.find('<');
  if (at == std::string_view::npos) return std::nullopt;
  return at;
}

}  // namespace lockstep::rehearsal
