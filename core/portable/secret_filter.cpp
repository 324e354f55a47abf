// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/secret_filter.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/text/redaction.h"
#include "export/secrets.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr const char* kHidden = "…";
constexpr std::size_t kMinKnown = 6;  // a shorter value is found in half of all words
constexpr int kMaxKeyLines = 200;
constexpr int kMaxDepth = 64;              // of YAML that is read at all
constexpr std::size_t kMaxChanges = 2000;  // each reads a part of the text again

// "--db-password": the next element of the list is its value.
bool isSecretOption(const std::string& word) {
  if (!word.starts_with("--")) return false;
  std::string name = word.substr(2);
  std::replace(name.begin(), name.end(), '-', '_');
  return looksLikeSecret(name);
}

using VisitScalar = std::function<void(const FieldPath& path, const std::string& value, bool isSecretValue)>;

// A list of variables says name and value side by side; other mappings have the name as their key.
void forEachScalar(const ClusterDocument& document, const FieldPath& at, int depth, bool isNamedSecret,
                   const VisitScalar& visit) {
  if (depth > kMaxDepth) return;
  if (const auto scalar = document.scalar(at)) return visit(at, scalar->value, isNamedSecret);
  if (const auto keys = document.keysAt(at)) {
    const auto name = document.scalar(at.child("name"));
    for (const std::string& key : *keys) {
      const auto scalar = document.scalar(at.child(key));
      const std::string& says = key == "value" && name ? name->value : key;
      const bool isOne = key != "name" && scalar && isSecret({says, scalar->value});
      forEachScalar(document, at.child(key), depth + 1, isOne, visit);
    }
  } else if (const auto length = document.lengthAt(at)) {
    for (std::size_t i = 0; i < *length; ++i) {
      const auto before = i > 0 ? document.scalar(at.child(i - 1)) : std::nullopt;
      forEachScalar(document, at.child(i), depth + 1, before && isSecretOption(before->value), visit);
    }
  }
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// Comments are the only part of a text that no scalar holds.
std::string withSafeComments(const std::string& yaml,
                             const std::function<std::string(std::string_view)>& safe) {
  std::string result;
  for (std::string_view rest = yaml; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    const std::size_t comment = std::min(line.find('#'), line.size());
    result += line.substr(0, comment);
    result += safe(line.substr(comment));
    if (end < rest.size()) result += '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result;
}

}  // namespace

SecretFilter::SecretFilter(std::string trainYaml, std::string home) : home_(std::move(home)) {
  while (home_.size() > 1 && home_.ends_with('/')) home_.pop_back();
  if (home_.size() < 2) home_.clear();  // every path begins with "/"
  const ClusterDocument document(std::move(trainYaml));
  if (!document.isParsable()) return;
  std::vector<Change> changes;
  forEachScalar(document, {}, 0, false, [&](const FieldPath& path, const std::string& value, bool isOne) {
    if (isOne) learn(value);
    changes.push_back({path, value, isOne});
  });
  std::sort(values_.begin(), values_.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (Change& change : changes) change.value = change.isSecret ? kHidden : text(change.value);
  trainYaml_ = safeText(document, changes);
}

// Empty where a secret cannot be taken out, or what is left is no YAML any more.
std::string SecretFilter::safeText(ClusterDocument document, const std::vector<Change>& changes) const {
  std::size_t made = 0;
  for (const Change& change : changes) {
    const auto now = document.scalar(change.path);
    if (now && now->value == change.value) continue;  // also an alias of one that is hidden already
    const auto edit = document.setScalar(change.path, change.value);
    if (!edit || ++made > kMaxChanges) return {};
    document = document.edited(*edit);
  }
  const ClusterDocument safe(withSafeComments(withoutKnown(document.text()),
                                              [this](std::string_view comment) { return text(comment); }));
  return safe.isParsable() ? safe.text() : std::string();
}

void SecretFilter::learn(const std::string& value) {
  if (value.size() >= kMinKnown) values_.push_back(value);
}

std::string SecretFilter::withoutKnown(std::string_view text) const {
  std::string result(text);
  for (const std::string& value : values_) result = replaced(std::move(result), value, kHidden);
  return result;
}

std::string SecretFilter::text(std::string_view text) const {
  std::string result = redacted(withoutKnown(text));
  return home_.empty() ? result : replaced(std::move(result), home_, "~");
}

json SecretFilter::document(const json& document) const {
  if (document.is_string()) return text(document.get_ref<const std::string&>());
  json result = document;
  if (document.is_array())
    for (json& one : result) one = this->document(one);
  if (document.is_object())
    for (auto& [key, value] : result.items())
      value = looksLikeSecret(key) && value.is_string() ? json(kHidden) : this->document(value);
  return result;
}

std::string SecretFilter::line(const LogLine& line) {
  constexpr std::string_view kBegin = "-----BEGIN ", kEnd = "-----END ";
  const std::pair who(line.node, line.rank ? line.rank->value : -1);
  if (const auto key = inKey_.find(who); key != inKey_.end()) {
    if (line.text.find(kEnd) != std::string::npos || ++key->second > kMaxKeyLines) inKey_.erase(key);
    return kHidden;
  }
  const std::size_t begin = line.text.find(kBegin);
  if (begin != std::string::npos && line.text.find(kEnd, begin) == std::string::npos) inKey_[who] = 0;
  return withoutSecrets(withoutKnown(line.text));
}

}  // namespace lockstep
