// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/train_yaml_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

#include "cluster/reading/key_tables.h"

namespace lockstep {
namespace {

std::vector<KeySpelling> plainKeys(std::initializer_list<const char*> keys) {
  std::vector<KeySpelling> out;
  for (const char* key : keys) out.push_back({key, {}});
  return out;
}

/// The path with every index as "[]", so that one row of the table serves all items.
std::string pattern(const FieldPath& path) {
  std::string out;
  for (const FieldPath::Element& element : path.elements()) {
    const auto* key = std::get_if<std::string>(&element);
    out += key ? "/" + *key : "[]";
  }
  return out;
}

bool isAnyOf(const std::string& key, const std::vector<std::string>& keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

constexpr std::string_view kInfrastructure = "/spec/infrastructure/spec";
constexpr std::string_view kCluster = "/spec/cluster/spec";
constexpr std::string_view kMultiNode = "/spec/multiNode";

// Below, `at` is what follows one of these: "" is that mapping, "/name" a mapping in it, "/name[]" an item of a list in it.

std::vector<KeySpelling> infrastructureKeysAt(const std::string& at) {
  if (at.empty()) return spellingsOf(infrastructureKeys());
  const std::string key = at.substr(1);
  if (isAnyOf(key, infrastructureSpellings("shapeConfigDetails"))) return spellingsOf(shapeConfigKeys());
  if (key.ends_with("[]") && isAnyOf(key.substr(0, key.size() - 2), infrastructureSpellings("storageMount")))
    return spellingsOf(storageMountKeys());
  return {};
}

std::vector<KeySpelling> clusterKeysAt(const std::string& at) {
  if (at.empty()) return spellingsOf(clusterKeys());
  if (at.ends_with("/config/env[]")) return plainKeys({"name", "value"});
  if (at.ends_with("/config")) return plainKeys({"env", "startOptions"});
  if (at == "/main" || at == "/worker" || at == "/ps") return spellingsOf(roleKeys());
  if (at == "/certificate") return plainKeys({"caCert", "cert"});
  if (at == "/certificate/caCert") return spellingsOf(authorityKeys());
  if (at == "/certificate/cert") return spellingsOf(certificateKeys());
  return {};
}

std::vector<KeySpelling> multiNodeKeysAt(const std::string& at) {
  if (at.empty()) return spellingsOf(multiNodeKeys());
  if (at == "/groups") return plainKeys({"main", "worker", "ps"});
  if (!at.starts_with("/groups/")) return {};
  if (at.ends_with("/shapeConfigDetails")) return spellingsOf(shapeConfigKeys());
  if (at.ends_with("/startupProbe")) return spellingsOf(startupProbeKeys());
  return spellingsOf(nodeGroupKeys());
}

constexpr std::size_t kMaxLetters = 64;

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// A bit for each letter that occurs, in any case; other characters share bits.
std::uint32_t lettersOf(std::string_view word) {
  std::uint32_t letters = 0;
  for (const char c : word) letters |= std::uint32_t{1} << (static_cast<unsigned char>(upper(c)) % 32U);
  return letters;
}

/// A change takes one letter away at most and brings one at most, so words with more letters of their own are further apart.
bool isFurther(std::string_view a, std::string_view b, std::size_t limit) {
  const std::uint32_t ofA = lettersOf(a), ofB = lettersOf(b);
  const int own = std::max(std::popcount(ofA & ~ofB), std::popcount(ofB & ~ofA));
  return static_cast<std::size_t>(own) > limit;
}

/// Of words of at most kMaxLetters, in any case; `limit` + 1 when it is more than that. One row of the table
/// at a time, in place, and only the part of it from which the limit can still be kept.
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t apart = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (apart > limit || isFurther(a, b, limit)) return limit + 1;
  std::array<std::size_t, kMaxLetters + 2> row{};
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const char letter = upper(a[i - 1]);
    const std::size_t first = i > limit ? i - limit : 1;
    const std::size_t last = std::min(b.size(), i + limit);
    std::size_t diagonal = row[first - 1];
    row[first - 1] = first == 1 ? i : limit + 1;
    std::size_t min = row[first - 1];
    for (std::size_t j = first; j <= last; ++j) {
      const std::size_t change = diagonal + (letter == upper(b[j - 1]) ? 0 : 1);
      const std::size_t above = j == i + limit ? limit + 1 : row[j];
      diagonal = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, change});
      min = std::min(min, row[j]);
    }
    if (min > limit) return limit + 1;
  }
  return std::min(row[b.size()], limit + 1);
}

}  // namespace

std::vector<KeySpelling> knownKeys(const FieldPath& mapping) {
  const std::string at = pattern(mapping);
  if (at.starts_with(kInfrastructure)) return infrastructureKeysAt(at.substr(kInfrastructure.size()));
  if (at.starts_with(kCluster)) return clusterKeysAt(at.substr(kCluster.size()));
  if (at.starts_with(kMultiNode)) return multiNodeKeysAt(at.substr(kMultiNode.size()));
  if (at.empty()) return plainKeys({"kind", "apiVersion", "spec"});
  if (at == "/spec") return plainKeys({"infrastructure", "cluster", "runtime", "name", "multiNode"});
  if (at == "/spec/infrastructure") return plainKeys({"kind", "type", "apiVersion", "name", "spec"});
  if (at == "/spec/cluster") return plainKeys({"kind", "apiVersion", "spec"});
  if (at == "/spec/runtime") return plainKeys({"kind", "apiVersion", "type", "spec"});
  if (at == "/spec/runtime/spec") return spellingsOf(runtimeKeys());
  if (at == "/spec/runtime/spec/env[]") return plainKeys({"name", "value"});
  return {};
}

std::vector<KeySpelling> knownJobKeys(const FieldPath& mapping) {
  const std::string at = pattern(mapping);
  if (at == "/spec") return plainKeys({"name", "id", "infrastructure", "runtime"});
  if (at == "/spec/runtime/spec/conda") return spellingsOf(condaKeys());
  if (at == "/spec/runtime/spec/git") return spellingsOf(gitKeys());
  if (at == "/spec/runtime/spec/dependencies") return spellingsOf(dependencyKeys());
  if (at != "/spec/runtime/spec") return knownKeys(mapping);
  std::vector<KeySpelling> keys = spellingsOf(jobKeys());
  for (const auto* table : {&pyTorchJobKeys(), &containerJobKeys()}) {
    const std::vector<KeySpelling> more = spellingsOf(*table);
    keys.insert(keys.end(), more.begin(), more.end());
  }
  return keys;
}

std::vector<std::string> infrastructureSpellings(std::string_view key) {
  for (const KeyInfo<Infrastructure>& known : infrastructureKeys())
    if (known.spelling.key == key) return known.spelling.all();
  return {std::string(key)};
}

bool isSlip(std::string_view a, std::string_view b) {
  return wordDistance(a, b, 2) <= 2;
}

std::size_t wordDistance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) > kMaxLetters) return std::min(std::max(a.size(), b.size()), limit + 1);
  return editDistance(a, b, limit);
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > kMaxLetters) return {};
  std::string best;
  std::size_t distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t d = wordDistance(word, candidate, distance - 1);
    if (d < distance) {
      distance = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace lockstep
