// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/field_path.h"

namespace lockstep {

/// A place in a text, both counted from 1; 0 means unknown.
struct TextPosition {
  int line = 0;
  int column = 0;
  bool operator==(const TextPosition&) const = default;
};

enum class Severity { Info, Warning, Error };

/// One step of a fix, on the document as the step before left it.
struct FixStep {
  enum class Kind { Set, SetBare, RenameKey, Remove, Append, AppendEnv };
  Kind kind = Kind::Set;
  FieldPath field;
  std::string value;  // Set: a text; SetBare: a number or boolean without quotes; RenameKey: the new key;
                      // Append: a text at the end of the list at `field`; AppendEnv: a variable there,
                      // "NAME=value"; Remove: nothing
  bool operator==(const FixStep&) const = default;
};

/// A fix that can be applied without asking anything further.
struct Fix {
  std::string title;  // imperative: "rename it to blockStorageSize"
  std::vector<FixStep> steps;
  bool operator==(const Fix&) const = default;
};

/// A flaw in a document: something to look at, with a place to jump to. (A failed operation is an Error.)
struct Issue {
  Severity severity = Severity::Error;
  std::string code;     // stable, kebab-case: "missing-field"
  std::string message;  // names the field, its value and the cause
  std::string remedy;   // the way out; may be empty
  FieldPath field;      // empty: the whole document
  TextPosition place;
  std::optional<Fix> fix = std::nullopt;  // absent: only a person can tell what is meant
  bool operator==(const Issue&) const = default;
};

[[nodiscard]] const char* toString(Severity severity);  // "info" | "warning" | "error"
[[nodiscard]] bool hasErrors(const std::vector<Issue>& issues);

/// "train.yaml:12:5: error: message (field)" and, when there is one, the remedy on a second line.
[[nodiscard]] std::string describe(const Issue& issue, const std::string& fileName);

/// {"severity","code","message","remedy","field","line","column","fix"}; fix is its title or null
[[nodiscard]] nlohmann::json toJson(const Issue& issue);

}  // namespace lockstep
