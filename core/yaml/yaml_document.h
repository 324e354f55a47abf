// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/issue.h"

namespace lockstep {

struct YamlEntry;

/// One value of a YAML document that is only read (what is edited: cluster/yaml). No type is guessed: `yes`,
/// `010` and `'010'` are texts. Aliases and `<<` are written out.
struct YamlValue {
  enum class Kind { Null, Scalar, Sequence, Mapping };
  Kind kind = Kind::Null;
  TextPosition place;              // of Null in a mapping: its key's
  std::string text;                // of a scalar, quotes and escapes removed
  std::vector<YamlValue> items;    // of a sequence
  std::vector<YamlEntry> entries;  // of a mapping, each key once, with its last value

  /// nullptr: no such key, or no mapping.
  [[nodiscard]] const YamlValue* find(std::string_view key) const;
};
struct YamlEntry {
  std::string key;
  YamlValue value;
};

/// What a document must stay within. The parser reads about 50 kB in a second at its worst.
struct YamlBounds {
  std::size_t bytes = 256U << 10U;
  std::size_t depth = 64;
  std::size_t memory = 32U << 20U;  // of all values, aliases written out
};

/// The one document of a text; Null when it is empty. InvalidArgument: no YAML, several documents, or beyond the
/// bounds; `where` has the name of the file, line and column.
[[nodiscard]] Result<YamlValue> readYaml(std::string_view text, const std::string& file,
                                         const YamlBounds& bounds = {});

}  // namespace lockstep
