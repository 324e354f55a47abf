// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "cluster/reading/field_reader.h"

namespace lockstep {

/// One key of a mapping in a train.yaml, with the other spellings that `ads` accepts (ads-contract 1.2).
struct KeySpelling {
  std::string key;
  std::vector<std::string> aliases;

  /// The usual one first.
  [[nodiscard]] std::vector<std::string> all() const {
    std::vector<std::string> spellings{key};
    spellings.insert(spellings.end(), aliases.begin(), aliases.end());
    return spellings;
  }
};

/// All that is to be known of a key of the mapping that fills a T: how it is spelled, where its value goes, and so of which
/// type it is, and whether a file needs it.
template <class T>
struct KeyInfo {
  using Read = void (*)(FieldReader&, const FieldPath&, T&);

  KeySpelling spelling;
  /// A member: read as what it is. A function: what is more than one value. Nothing: known, but read with others or not at all.
  std::variant<std::monostate, std::optional<std::string> T::*, std::optional<long long> T::*,
               std::optional<double> T::*, Read>
      place = {};
  std::string remedy = {};  // what to do when it is missing; empty: a file may do without. Members only
};

template <class T>
using KeyTable = std::vector<KeyInfo<T>>;

/// Reads the mapping at `at` into `into`, key after key.
template <class T>
void readKeys(FieldReader& reader, const FieldPath& at, const KeyTable<T>& keys, T& into) {
  struct Reading {
    FieldReader& reader;
    FieldPath path;
    T& into;
    void operator()(std::monostate) {}
    void operator()(std::optional<std::string> T::*member) { into.*member = reader.text(path); }
    void operator()(std::optional<long long> T::*member) { into.*member = reader.whole(path); }
    void operator()(std::optional<double> T::*member) { into.*member = reader.number(path); }
    void operator()(typename KeyInfo<T>::Read read) { read(reader, path, into); }
  };
  for (const KeyInfo<T>& key : keys)
    std::visit(Reading{reader, reader.spelled(at, key.spelling.all()), into}, key.place);
}

/// Whether a key whose place is a member has been read.
template <class T>
[[nodiscard]] bool isGiven(const KeyInfo<T>& key, const T& in) {
  struct Looking {
    const T& in;
    bool operator()(std::monostate) { return true; }
    bool operator()(typename KeyInfo<T>::Read) { return true; }
    bool operator()(std::optional<std::string> T::*member) { return (in.*member).has_value(); }
    bool operator()(std::optional<long long> T::*member) { return (in.*member).has_value(); }
    bool operator()(std::optional<double> T::*member) { return (in.*member).has_value(); }
  };
  return std::visit(Looking{in}, key.place);
}

template <class T>
[[nodiscard]] std::vector<KeySpelling> spellingsOf(const KeyTable<T>& keys) {
  std::vector<KeySpelling> spellings;
  for (const KeyInfo<T>& key : keys) spellings.push_back(key.spelling);
  return spellings;
}

}  // namespace lockstep
