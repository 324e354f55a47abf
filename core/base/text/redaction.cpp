// SPDX-License-Identifier: GPL-3.0-or-later
// Scanned by hand rather than with std::regex, whose recursion a long line would overflow.
#include "base/text/redaction.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>

namespace lockstep {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kEndsKept = 4;        // of an OCID's unique part
constexpr std::size_t kMinFingerprint = 8;  // pairs; a MAC address has 6, an MD5 fingerprint 16

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}
bool isHex(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

// How many characters from `at` on satisfy `is`.
template <class Is>
std::size_t runLength(std::string_view text, std::size_t at, Is is) {
  std::size_t end = at;
  while (end < text.size() && is(text[end])) ++end;
  return end - at;
}

/// A secret found in a text: how long it is, and what is said instead; length 0: there is none.
struct Hidden {
  std::size_t length = 0;
  std::string instead{};
};

// ocid1.<type>.<realm>.[region].<unique>
Hidden ocidAt(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("ocid1.")) return {};
  std::size_t length = runLength(text, at, [](char c) { return isWord(c) || c == '.'; });
  while (text[at + length - 1] == '.') --length;  // the end of the sentence
  const std::string_view ocid = text.substr(at, length);
  if (std::count(ocid.begin(), ocid.end(), '.') < 3) return {};  // the word alone
  const std::size_t unique = ocid.rfind('.') + 1;
  const std::string_view rest = ocid.substr(unique);
  std::string instead(ocid.substr(0, unique));
  const bool isLong = rest.size() > 2 * kEndsKept;
  if (isLong) instead += rest.substr(0, kEndsKept);
  instead += kEllipsis;
  if (isLong) instead += rest.substr(rest.size() - kEndsKept);
  return {length, std::move(instead)};
}

// aa:bb:cc:…
Hidden fingerprintAt(std::string_view text, std::size_t at) {
  std::size_t pairs = 0, end = at;
  while (end + 1 < text.size() && isHex(text[end]) && isHex(text[end + 1])) {
    ++pairs;
    end += 2;
    if (end + 2 >= text.size() || text[end] != ':' || !isHex(text[end + 1])) break;
    ++end;
  }
  if (pairs < kMinFingerprint) return {};
  return {end - at, "(fingerprint left out)"};
}

// "SHA256:base64", as SSH shows fingerprints; a digest of an image is "sha256:hex" and stays.
Hidden sshFingerprintAt(std::string_view text, std::size_t at) {
  constexpr std::string_view kPrefix = "SHA256:";
  if (!text.substr(at).starts_with(kPrefix)) return {};
  const std::size_t length =
      runLength(text, at + kPrefix.size(), [](char c) { return isWord(c) || c == '+' || c == '/'; });
  return length < kMinFingerprint ? Hidden{} : Hidden{kPrefix.size() + length, "(fingerprint left out)"};
}

Hidden pemAt(std::string_view text, std::size_t at) {
  constexpr std::string_view kBegin = "-----BEGIN ", kEnd = "-----END ";
  if (!text.substr(at).starts_with(kBegin)) return {};
  const std::size_t end = text.find(kEnd, at);
  if (end == std::string_view::npos) return {text.size() - at, "(key left out)"};
  const std::size_t close = text.find("-----", end + kEnd.size());
  const std::size_t last = close == std::string_view::npos ? text.size() : close + 5;
  return {last - at, "(key left out)"};
}

// A JSON web token begins with the base64 of '{"', perhaps behind "ST$".
Hidden webTokenAt(std::string_view text, std::size_t at) {
  const std::size_t prefix = text.substr(at).starts_with("ST$") ? 3 : 0;
  if (!text.substr(at + prefix).starts_with("eyJ")) return {};
  const std::size_t length = runLength(text, at, [](char c) { return isWord(c) || c == '.' || c == '$'; });
  return {length, "(token left out)"};
}

bool startsWithNoCase(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
         });
}

bool endsWithNoCase(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && startsWithNoCase(text.substr(text.size() - end.size()), end);
}

std::size_t restOfLine(std::string_view text, std::size_t at) {
  return runLength(text, at, [](char c) { return c != '\n' && c != '\r'; });
}

// A value in quotes with all that it holds, else up to the next blank: what is hidden too much hurts nobody.
std::size_t valueLength(std::string_view text, std::size_t at) {
  const char quote = at < text.size() ? text[at] : ' ';
  if (quote != '"' && quote != '\'')
    return runLength(text, at, [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != quote && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size()) - at;
}

// The text behind it that says that a value follows: "=", ": ", "\": "; 0: none does.
std::size_t assignmentLength(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end < text.size() && (text[end] == '"' || text[end] == '\'')) ++end;
  end += runLength(text, end, [](char c) { return c == ' ' || c == '\t'; });
  if (end >= text.size() || (text[end] != '=' && text[end] != ':')) return 0;
  ++end;
  end += runLength(text, end, [](char c) { return c == ' ' || c == '\t'; });
  return end - at;
}

// "Authorization: Basic …", "bearer …": whatever stands there is the secret.
Hidden headerAt(std::string_view text, std::size_t at) {
  const std::size_t name = runLength(text.substr(0, std::min(text.size(), at + kLongestName)), at, isWord);
  const bool isHeader = endsWithNoCase(text.substr(at, name), "authorization");
  if (!isHeader && !startsWithNoCase(text.substr(at), "bearer ")) return {};
  const std::size_t gap = isHeader ? assignmentLength(text, at + name)
                                   : runLength(text, at + name, [](char c) { return c == ' '; });
  if (gap == 0) return {};
  const std::size_t begin = name + gap;
  const std::size_t length = isHeader ? restOfLine(text, at + begin) : valueLength(text, at + begin);
  // "bearer of the news" is a sentence; what is no word is a token.
  const std::string_view value = text.substr(at + begin, length);
  const bool isWords = std::all_of(value.begin(), value.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
  });
  if (length == 0 || (!isHeader && isWords)) return {};
  return {begin + length, std::string(text.substr(at, begin)) + std::string(kEllipsis)};
}

// Whether what has a name that ends so usually is a secret: "password", "db_password", "apikey",
// "OCI_CLI_PWD".
bool isSecretName(std::string_view name) {
  static constexpr std::array<std::string_view, 14> kEnds{
      "password", "passwd", "pwd",     "pass_phrase", "pass-phrase", "passphrase", "token",
      "secret",   "apikey", "api-key", "accesskey",   "privatekey",  "credential", "credentials"};
  // "monkey: banana" is no key; "api_key" and "key" are.
  const bool isKey = endsWithNoCase(name, "key") &&
                     (name.size() == 3 || name[name.size() - 4] == '_' || name[name.size() - 4] == '-');
  return isKey ||
         std::any_of(kEnds.begin(), kEnds.end(), [&](auto end) { return endsWithNoCase(name, end); });
}

// "cannot read the key: permission denied" is a sentence.
bool isSentence(std::string_view name, std::string_view assigned, std::string_view value) {
  return name.size() == 3 && assigned == ": " &&
         std::all_of(value.begin(), value.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// "--token abc": an option, and its value as the next word; another option is none.
std::size_t optionGap(std::string_view text, std::string_view name, std::size_t end) {
  if (!name.starts_with("--")) return 0;
  const std::size_t gap = runLength(text, end, [](char c) { return c == ' ' || c == '\t'; });
  return text.substr(end + gap).starts_with("--") ? 0 : gap;
}

// "token=…", "password: …", "\"secret\": \"…\"", however short or plain the value is.
Hidden namedSecretAt(std::string_view text, std::size_t at) {
  const std::size_t length = runLength(text.substr(0, std::min(text.size(), at + kLongestName)), at, isWord);
  const std::string_view name = text.substr(at, length);
  if (!isSecretName(name)) return {};
  const std::size_t assigned = assignmentLength(text, at + length);
  const std::size_t gap = assigned > 0 ? assigned : optionGap(text, name, at + length);
  const std::size_t begin = at + length + gap;
  const std::size_t hidden = gap > 0 ? valueLength(text, begin) : 0;
  if (hidden == 0 || isSentence(name, text.substr(at + length, gap), text.substr(begin, hidden))) return {};
  return {length + gap + hidden, std::string(text.substr(at, length + gap)) + std::string(kEllipsis)};
}

// "://user:password@host": of a proxy.
Hidden userInfoAt(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("://")) return {};
  const std::size_t length = runLength(text, at + 3, [](char c) {
    return std::isgraph(static_cast<unsigned char>(c)) != 0 && c != '/' && c != '@' && c != '"' && c != '\'';
  });
  const std::size_t end = at + 3 + length;
  if (length == 0 || end >= text.size() || text[end] != '@') return {};
  if (text.substr(at + 3, length).find(':') == std::string_view::npos) return {};  // oci://bucket@namespace
  return {3 + length, "://" + std::string(kEllipsis)};
}

using Finder = Hidden (*)(std::string_view text, std::size_t at);
constexpr std::array<Finder, 5> kSecrets{pemAt, webTokenAt, headerAt, namedSecretAt, userInfoAt};
constexpr std::array<Finder, 8> kSecretsAndIds{ocidAt,        pemAt,    webTokenAt,    sshFingerprintAt,
                                               fingerprintAt, headerAt, namedSecretAt, userInfoAt};

Hidden firstAt(std::span<const Finder> finders, std::string_view text, std::size_t at) {
  for (const Finder find : finders) {
    if (Hidden found = find(text, at); found.length > 0) return found;
  }
  return {};
}

std::string without(std::span<const Finder> finders, const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    // Within a word nothing begins: "abcdocid1." is not an OCID.
    const bool isInside = at > 0 && isWord(text[at - 1]) && isWord(text[at]) && text[at] != '-';
    const Hidden found = isInside ? Hidden{} : firstAt(finders, text, at);
    if (found.length == 0) {
      result += text[at++];
      continue;
    }
    result += found.instead;
    at += found.length;
  }
  return result;
}

}  // namespace

std::string withoutSecrets(const std::string& text) {
  return without(kSecrets, text);
}

std::string redacted(const std::string& text) {
  return without(kSecretsAndIds, text);
}

}  // namespace lockstep
