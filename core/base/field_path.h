// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockstep {

/// The place of one value in a document: "spec.cluster.spec.config.env[2].value". Keys that contain '.', '[' or
/// quotes are written in double quotes with backslash escapes, so that parse(toString(p)) == p for every path.
class FieldPath {
 public:
  using Element = std::variant<std::string, std::size_t>;  // key of a mapping | index in a sequence

  FieldPath() = default;
  FieldPath(std::initializer_list<Element> elements) : elements_(elements) {}

  /// Never fails on text that toString() wrote; text that is no path becomes one key.
  static FieldPath parse(std::string_view text);
  [[nodiscard]] std::string toString() const;

  [[nodiscard]] FieldPath child(std::string key) const;
  [[nodiscard]] FieldPath child(std::size_t index) const;
  [[nodiscard]] FieldPath parent() const;  // of the empty path: the empty path
  [[nodiscard]] bool startsWith(const FieldPath& prefix) const;
  [[nodiscard]] bool empty() const { return elements_.empty(); }
  [[nodiscard]] const std::vector<Element>& elements() const { return elements_; }

  auto operator<=>(const FieldPath&) const = default;

 private:
  std::vector<Element> elements_;
};

}  // namespace lockstep
