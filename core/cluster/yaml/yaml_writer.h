// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cluster/yaml/yaml_tree.h"

namespace lockstep {

/// How one scalar is to be written.
struct ScalarWriting {
  ScalarStyle style = ScalarStyle::Plain;  // Plain falls back to quotes, single quotes to double ones
  bool inFlow = false;                     // inside brackets, where , [ ] { } have a meaning
  bool bare = false;                       // a number or boolean that must not be quoted
};

/// One scalar on one line. Quoted when a bare text would mean something else to YAML 1.1.
[[nodiscard]] std::string scalarText(std::string_view value, const ScalarWriting& how = {});

struct NewEntry;

/// A value that is to be written into a document.
struct NewValue {
  enum class Kind { Scalar, Mapping, Sequence };
  Kind kind = Kind::Scalar;
  std::string scalar;
  bool bare = false;
  std::vector<NewEntry> entries;
  std::vector<NewValue> items;

  static NewValue text(std::string value, bool bare = false);
  static NewValue mapping(std::vector<NewEntry> entries);
  static NewValue sequence(std::vector<NewValue> items);
};
struct NewEntry {
  std::string key;
  NewValue value;
};

/// "{name: A, value: b}"
[[nodiscard]] std::string flowText(const NewValue& value);
/// "name: A" for a flow mapping
[[nodiscard]] std::string flowEntry(const std::string& key, const NewValue& value);

struct BlockLayout {
  std::size_t indent = 0;  // column of the keys or dashes
  std::size_t step = 2;
  std::string lineBreak = "\n";
};
/// Lines of one `key: value` or `- item`, the first indented too, the last without line break.
[[nodiscard]] std::string blockEntry(const std::string& key, const NewValue& value,
                                     const BlockLayout& layout);
[[nodiscard]] std::string blockItem(const NewValue& value, const BlockLayout& layout);

}  // namespace lockstep
