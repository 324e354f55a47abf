// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/policy_reader.h"

#include "policy/policy_words.h"

namespace lockstep {
namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isOfWord(char c) {
  const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return isLetter || std::string_view("-_.@+$").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;  // names may have letters of any language
}

}  // namespace

void PolicyReader::skipBlanks() {
  while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
}

std::size_t PolicyReader::wordEnd(std::size_t from) const {
  while (from < text_.size() && isOfWord(text_[from])) ++from;
  return from;
}

std::string_view PolicyReader::nextWord() const {
  return text_.substr(at_, wordEnd(at_) - at_);
}

std::string PolicyReader::word() {
  std::string found(nextWord());
  at_ += found.size();
  skipBlanks();
  return found;
}

bool PolicyReader::keyword(std::string_view wanted) {
  if (!isSameWord(nextWord(), wanted)) return false;
  word();
  return true;
}

bool PolicyReader::sign(char wanted) {
  if (!isSign(wanted)) return false;
  ++at_;
  skipBlanks();
  return true;
}

std::optional<std::string> PolicyReader::between(char border) {
  if (!isSign(border)) return std::nullopt;
  const std::size_t end = text_.find(border, at_ + 1);
  if (end == std::string_view::npos) return std::nullopt;
  std::string found(text_.substr(at_ + 1, end - at_ - 1));
  at_ = end + 1;
  skipBlanks();
  return found;
}

std::optional<std::string> PolicyReader::quoted() {
  auto found = between('\'');
  return found ? found : between('"');
}

// A pattern may have slashes in it: the one that ends it has the end of a value behind it.
std::optional<std::string> PolicyReader::pattern() {
  if (!isSign('/')) return std::nullopt;
  for (std::size_t end = text_.find('/', at_ + 1); end != std::string_view::npos;
       end = text_.find('/', end + 1)) {
    const bool isEnd = end + 1 == text_.size() || isBlank(text_[end + 1]) ||
                       std::string_view(",)}").find(text_[end + 1]) != std::string_view::npos;
    if (!isEnd) continue;
    std::string found(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    skipBlanks();
    return found;
  }
  return std::nullopt;
}

std::optional<std::string> PolicyReader::name() {
  if (auto found = quoted()) return found;
  std::string found = word();
  return found.empty() ? std::nullopt : std::optional(std::move(found));
}

bool PolicyReader::isIdAhead() const {
  if (!isSameWord(nextWord(), "id")) return false;
  std::size_t next = wordEnd(at_);
  while (next < text_.size() && isBlank(text_[next])) ++next;
  return lowerCased(text_.substr(next, 6)) == "ocid1.";
}

}  // namespace lockstep
