// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "cluster/yaml/yaml_tree.h"

namespace lockstep {

enum class ScalarType { Null, Bool, Int, Float, Timestamp, String, Invalid };

/// What PyYAML's SafeLoader (YAML 1.1) makes of a scalar, and how Python writes it (ads-contract 1.3).
struct YamlScalar {
  ScalarType type = ScalarType::String;
  std::string text;      // str(value): "8" for 010, "True" for yes, "None" for null
  std::string error;     // Invalid: why the loader refuses it
  std::string timeRepr;  // of a timestamp

  /// repr(value): as it stands inside a list or a mapping.
  [[nodiscard]] std::string repr() const;
};

/// The type that a bare text has by YAML 1.1's rules; String when no rule takes it.
[[nodiscard]] ScalarType implicitType(std::string_view text);
/// A bare scalar.
[[nodiscard]] YamlScalar resolvePlain(std::string_view text);
/// A scalar node, with its quotes and tag.
[[nodiscard]] YamlScalar resolveScalar(const YamlNode& scalar);

}  // namespace lockstep
