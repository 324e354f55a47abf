// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/field_path.h"

#include <charconv>

namespace lockstep {
namespace {

bool needsQuotes(const std::string& key) {
  return key.empty() || key.find_first_of(".[]\"\\") != std::string::npos;
}

void appendKey(std::string& out, const std::string& key) {
  if (!needsQuotes(key)) {
    out += key;
    return;
  }
  out += '"';
  for (char c : key) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

std::string readQuoted(std::string_view text, std::size_t& i) {
  std::string key;
  for (++i; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    key += text[i];
  }
  if (i < text.size()) ++i;
  return key;
}

}  // namespace

FieldPath FieldPath::parse(std::string_view text) {
  FieldPath path;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == '.') {
      ++i;
      continue;
    }
    if (text[i] == '[') {
      const std::size_t end = text.find(']', i);
      std::size_t index = 0;
      const auto [p, error] =
          std::from_chars(text.data() + i + 1, text.data() + std::min(end, text.size()), index);
      if (end == std::string_view::npos || error != std::errc() || p != text.data() + end)
        return FieldPath{std::string(text)};
      path.elements_.emplace_back(index);
      i = end + 1;
    } else if (text[i] == '"') {
      path.elements_.emplace_back(readQuoted(text, i));
    } else {
      const std::size_t end = std::min(text.find_first_of(".[", i), text.size());
      path.elements_.emplace_back(std::string(text.substr(i, end - i)));
      i = end;
    }
  }
  return path;
}

std::string FieldPath::toString() const {
  std::string out;
  for (const Element& element : elements_) {
    if (const auto* index = std::get_if<std::size_t>(&element)) {
      out += '[' + std::to_string(*index) + ']';
    } else {
      if (!out.empty()) out += '.';
      appendKey(out, std::get<std::string>(element));
    }
  }
  return out;
}

// Paths are made by the thousand: one allocation each.
FieldPath FieldPath::child(std::string key) const {
  FieldPath path;
  path.elements_.reserve(elements_.size() + 1);
  path.elements_.assign(elements_.begin(), elements_.end());
  path.elements_.emplace_back(std::move(key));
  return path;
}

FieldPath FieldPath::child(std::size_t index) const {
  FieldPath path;
  path.elements_.reserve(elements_.size() + 1);
  path.elements_.assign(elements_.begin(), elements_.end());
  path.elements_.emplace_back(index);
  return path;
}

FieldPath FieldPath::parent() const {
  FieldPath path = *this;
  if (!path.elements_.empty()) path.elements_.pop_back();
  return path;
}

bool FieldPath::startsWith(const FieldPath& prefix) const {
  if (prefix.elements_.size() > elements_.size()) return false;
  return std::equal(prefix.elements_.begin(), prefix.elements_.end(), elements_.begin());
}

}  // namespace lockstep
