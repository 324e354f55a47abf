// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/support/wildcard.h"

namespace lockstep::rehearsal {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

template <class Equal>
bool matches(std::string_view pattern, std::string_view text, Equal equal) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && equal(pattern[p], text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

bool matchesWildcard(std::string_view pattern, std::string_view text) {
  return matches(pattern, text, [](char a, char b) { return a == b; });
}

bool matchesWildcardInAnyCase(std::string_view pattern, std::string_view text) {
  return matches(pattern, text, [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace lockstep::rehearsal
