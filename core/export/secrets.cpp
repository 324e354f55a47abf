// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/secrets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/text/quote.h"

namespace lockstep {
namespace {

bool endsWithAny(std::string_view text, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return text.ends_with(end); });
}

/// A name of shell variables made from any text.
std::string identifier(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    out += plain ? c : '_';
  }
  return out;
}

// PWD and OLDPWD alone are folders of the shell.
bool isShortSecretWord(std::string_view word) {
  return word == "PAT" || word == "AUTH" || word == "DSN" || word == "PWD" || word.ends_with("SQLPWD");
}

// "host:8080/…" is a port and no password.
bool isPort(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return digits > 0 && (digits == text.size() || text[digits] == '/' || text[digits] == '?');
}

bool hasPasswordInAddress(std::string_view value) {
  for (std::size_t at = value.find("://"); at != std::string_view::npos; at = value.find("://", at + 3)) {
    const std::string_view rest = value.substr(at + 3);
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n"));
    const std::size_t colon = word.find_first_of(":/@");
    if (colon == std::string_view::npos || word[colon] != ':') continue;
    const std::string_view password = word.substr(colon + 1);
    if (password.find('@') != std::string_view::npos && !isPort(password)) return true;
  }
  return false;
}

}  // namespace

bool isSecret(const EnvVar& variable) {
  return looksLikeSecret(variable.name) || hasPasswordInAddress(variable.value);
}

bool looksLikeSecret(std::string_view variableName) {
  const std::string name = upperCased(std::string(variableName));
  if (name == "PWD" || name == "OLDPWD") return false;
  if (endsWithAny(
          name, {"_ID", "_OCID", "_PATH", "_FILE", "_DIR", "_LOCATION", "_NAME", "_URL", "_COUNT", "_SOCK"}))
    return false;
  for (const char* word : {"PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "CREDENTIAL"}) {
    if (name.find(word) != std::string::npos) return true;
  }
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('_', begin), name.size());
    const std::string_view word = std::string_view(name).substr(begin, end - begin);
    if (endsWithAny(word, {"TOKEN", "KEY"}) || isShortSecretWord(word)) return true;
    begin = end + 1;
  }
  return false;
}

std::string SecretStore::variableFor(const EnvVar& secret) {
  std::string variable = "LOCKSTEP_SECRET_" + identifier(secret.name);
  int taken = 1;
  for (const Entry& entry : entries_) {
    if (entry.secret.name == secret.name && entry.secret.value == secret.value) return entry.variable;
    if (identifier(entry.secret.name) == identifier(secret.name)) ++taken;
  }
  if (taken > 1) variable += fmt::format("__{}", taken);
  entries_.push_back({secret, variable});
  return variable;
}

void SecretStore::addTo(ExportBundle& bundle) const {
  if (entries_.empty()) return;
  std::string text =
      "# shellcheck shell=bash disable=SC1003,SC2016,SC2034\n"
      "# Values of the train.yaml whose names or values say that they are secret. Keep this file to "
      "yourself.\n";
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    text += fmt::format("{}={}\n", entry.variable, quoteShell(entry.secret.value));
    if (std::find(names.begin(), names.end(), entry.secret.name) == names.end())
      names.push_back(entry.secret.name);
  }
  bundle.files.push_back({"secrets.env", text, false, true});
  bundle.files.push_back({".gitignore", "secrets.env\n"});
  bundle.notes.push_back(fmt::format(
      "{} may hold secrets: their values stand only in secrets.env, which only its owner can read and which "
      "git ignores.",
      fmt::join(names, ", ")));
}

}  // namespace lockstep
