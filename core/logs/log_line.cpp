// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/log_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/bounds.h"

namespace lockstep {
namespace {

constexpr std::size_t kHead = 160;  // a level word further on is part of what is told, not a level

bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The word stands in the text with nothing of a word on either side.
bool hasWord(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool free = (at == 0 || !isWordPart(text[at - 1])) &&
                      (at + word.size() == text.size() || !isWordPart(text[at + word.size()]));
    if (free) return true;
  }
  return false;
}

/// "error:" as compilers and programs write it: at the start, or after something that is no word
/// ("main.cpp:3: error:").
bool hasTag(std::string_view text, std::string_view tag) {
  for (auto at = text.find(tag); at != std::string_view::npos; at = text.find(tag, at + 1)) {
    auto before = text.substr(0, at);
    while (!before.empty() && before.back() == ' ') before.remove_suffix(1);
    if (before.empty() || !isWordPart(before.back())) return true;
  }
  return false;
}

/// "ValueError: …", "torch.cuda.OutOfMemoryError: …", "std::runtime_error" is not one.
bool isPythonException(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (isWordPart(text[end]) || text[end] == '.')) ++end;
  const auto name = text.substr(0, end);
  const bool ends = end == text.size() || text[end] == ':';
  return ends && name.size() > 5 && (name.ends_with("Error") || name.ends_with("Exception"));
}

/// glog's and c10's "[E socket.cpp:787] …".
bool hasGlogLetter(std::string_view text, char letter) {
  return text.size() > 3 && text[0] == '[' && text[1] == letter && text[2] == ' ';
}

template <std::size_t N>
bool hasAny(std::string_view text, const std::array<std::string_view, N>& words,
            bool (*has)(std::string_view, std::string_view)) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return has(text, word); });
}

constexpr std::array<std::string_view, 4> kErrorWords{"ERROR", "CRITICAL", "FATAL", "PANIC"};
constexpr std::array<std::string_view, 4> kErrorTags{"error:", "fatal:", "Error:", "fatal error:"};
constexpr std::array<std::string_view, 4> kErrorPhrases{
    "Traceback (most recent call last)", "terminate called", "Segmentation fault", "Aborted (core dumped)"};
constexpr std::array<std::string_view, 2> kWarningWords{"WARNING", "WARN"};
constexpr std::array<std::string_view, 3> kWarningTags{"warning:", "Warning:", "UserWarning:"};
constexpr std::array<std::string_view, 2> kDebugWords{"DEBUG", "TRACE"};

// Every word above begins with one of these, has one of them in it, or ends with ':' after r, l or g.
constexpr std::array<std::string_view, 17> kBeginnings{
    "Aborted", "CRIT", "DEBUG", "ERROR", "Err",       "Exc",  "E ", "FATAL",           "F ",
    "PANIC",   "Segm", "TRACE", "WARN",  "Traceback", "Warn", "W ", "terminate called"};
constexpr std::array<bool, 256> kBegins = [] {
  std::array<bool, 256> begins{};
  for (const std::string_view word : kBeginnings) begins[static_cast<unsigned char>(word.front())] = true;
  return begins;
}();

/// One look at each character, for the many lines in which no level can be.
bool mayHaveLevel(std::string_view head) {
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == ':' && i > 0 && (head[i - 1] == 'r' || head[i - 1] == 'l' || head[i - 1] == 'g'))
      return true;
    if (!kBegins[static_cast<unsigned char>(head[i])]) continue;
    const std::string_view rest = head.substr(i);
    for (const std::string_view word : kBeginnings)
      if (rest.starts_with(word)) return true;
  }
  return false;
}

}  // namespace

LogLevel levelOf(std::string_view text) {
  const std::string_view head = text.substr(0, kHead);
  if (!mayHaveLevel(head)) return LogLevel::Info;
  for (const auto phrase : kErrorPhrases)
    if (head.find(phrase) != std::string_view::npos) return LogLevel::Error;
  if (hasGlogLetter(head, 'E') || hasGlogLetter(head, 'F') || isPythonException(head)) return LogLevel::Error;
  if (hasAny(head, kErrorWords, hasWord) || hasAny(head, kErrorTags, hasTag)) return LogLevel::Error;
  if (hasGlogLetter(head, 'W') || hasAny(head, kWarningWords, hasWord) || hasAny(head, kWarningTags, hasTag))
    return LogLevel::Warning;
  // Python's warnings module: "x.py:3: FutureWarning: …"
  if (head.find("Warning: ") != std::string_view::npos) return LogLevel::Warning;
  return hasAny(head, kDebugWords, hasWord) ? LogLevel::Debug : LogLevel::Info;
}

std::optional<Rank> parseRankPrefix(std::string& text) {
  constexpr std::string_view kBegin = "[rank ";
  if (!text.starts_with(kBegin)) return std::nullopt;
  int value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + kBegin.size(), last, value);
  if (error != std::errc() || value < 0 || value >= kMaxRanks || end == last || *end != ']')
    return std::nullopt;
  auto length = static_cast<std::size_t>(end - text.data()) + 1;
  if (length < text.size() && text[length] == ' ') ++length;
  text.erase(0, length);
  return Rank(value);
}

}  // namespace lockstep
