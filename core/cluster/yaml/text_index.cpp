// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/text_index.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t kStride = 64;
constexpr std::size_t kLineStride = 16;  // a text of line breaks only must not take eight times its size

bool continuesCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}
bool isAscii(std::string_view text) {
  unsigned char all = 0;  // without an early way out, so that the compiler can take many bytes at a time
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80U;
}

/// The first line start after `at`; npos: there is none.
std::size_t nextLine(std::string_view text, std::size_t at, bool hasReturns) {
  const std::size_t end = hasReturns ? text.find_first_of("\r\n", at) : text.find('\n', at);
  return end == std::string_view::npos ? end : afterLineBreak(text, end);
}

}  // namespace

TextIndex::TextIndex(std::string_view text)
    : text_(text), hasReturns_(text.find('\r') != std::string_view::npos) {
  lineStarts_.push_back(0);
  std::size_t line = 0;
  for (std::size_t at = nextLine(text, 0, hasReturns_); at != std::string_view::npos;
       at = nextLine(text, at, hasReturns_)) {
    if (++line % kLineStride == 0) lineStarts_.push_back(at);
  }
  if (isAscii(text)) return;
  std::size_t character = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continuesCharacter(text[i])) continue;
    if (character++ % kStride == 0) checkpoints_.push_back(i);
  }
}

TextPosition TextIndex::placeOf(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  std::size_t begin = *(after - 1);
  std::size_t line = static_cast<std::size_t>(after - lineStarts_.begin() - 1) * kLineStride;
  for (std::size_t next = nextLine(text_, begin, hasReturns_); next <= offset;
       next = nextLine(text_, begin, hasReturns_)) {
    begin = next;
    ++line;
  }
  return {static_cast<int>(line) + 1,
          static_cast<int>(characterCount(text_.substr(begin, offset - begin))) + 1};
}

std::size_t TextIndex::offsetOfCharacter(std::size_t character) const {
  if (checkpoints_.empty()) return std::min(character, text_.size());
  if (character / kStride >= checkpoints_.size()) return text_.size();
  std::size_t offset = checkpoints_[character / kStride];
  for (std::size_t left = character % kStride; left > 0 && offset < text_.size(); --left) {
    ++offset;
    while (offset < text_.size() && continuesCharacter(text_[offset])) ++offset;
  }
  return offset;
}

std::size_t characterCount(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continuesCharacter(c); }));
}

std::size_t lineBegin(std::string_view text, std::size_t offset) {
  while (offset > 0 && text[offset - 1] != '\n' && text[offset - 1] != '\r') --offset;
  return offset;
}

std::size_t lineEnd(std::string_view text, std::size_t offset) {
  return std::min(text.find_first_of("\r\n", offset), text.size());
}

std::size_t afterLineBreak(std::string_view text, std::size_t offset) {
  if (offset < text.size() && text[offset] == '\r') ++offset;
  if (offset < text.size() && text[offset] == '\n') ++offset;
  return offset;
}

}  // namespace lockstep
