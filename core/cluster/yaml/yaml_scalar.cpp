// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/yaml_scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "cluster/yaml/python_number.h"
#include "cluster/yaml/python_text.h"
#include "cluster/yaml/python_time.h"

namespace lockstep {
namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isDigitOrBar(char c) {
  return isDigit(c) || c == '_';
}

constexpr std::size_t kLongestWord =
    std::string_view("false").size();  // of those that mean a null or a boolean

template <std::size_t N>
bool isOneOf(std::string_view text, const std::array<std::string_view, N>& words) {
  return text.size() <= kLongestWord && std::find(words.begin(), words.end(), text) != words.end();
}

bool isNull(std::string_view text) {
  return text.empty() || isOneOf<4>(text, {"~", "null", "Null", "NULL"});
}
bool isTrue(std::string_view text) {
  return isOneOf<9>(text, {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"});
}
bool isFalse(std::string_view text) {
  return isOneOf<9>(text, {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"});
}

std::string_view withoutSign(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text;
}

/// Takes the longest prefix whose characters all satisfy `accept`; its length.
template <class Accept>
std::size_t take(std::string_view& text, Accept accept) {
  const auto end = std::find_if_not(text.begin(), text.end(), accept);
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count;
}

/// (:[0-5]?[0-9])+
bool parseSexagesimal(std::string_view& text) {
  std::size_t groups = 0;
  while (text.starts_with(':')) {
    std::string_view rest = text.substr(1);
    const std::string_view digits = rest;
    const std::size_t count = take(rest, isDigit);
    if (count < 1 || count > 2 || (count == 2 && digits[0] > '5')) return false;
    text = rest;
    ++groups;
  }
  return groups > 0;
}

template <class Accept>
bool hasPrefixAndOnly(std::string_view text, std::string_view prefix, Accept accept) {
  if (!text.starts_with(prefix) || text.size() == prefix.size()) return false;
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(prefix.size()), text.end(), accept);
}

bool isInt(std::string_view text) {
  text = withoutSign(text);
  if (text.empty() || !isDigit(text[0])) return false;
  if (text == "0") return true;
  if (hasPrefixAndOnly(text, "0b", [](char c) { return c == '0' || c == '1' || c == '_'; })) return true;
  if (hasPrefixAndOnly(text, "0x",
                       [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) || c == '_'; }))
    return true;
  if (text[0] == '0')
    return hasPrefixAndOnly(text, "0", [](char c) { return (c >= '0' && c <= '7') || c == '_'; });
  take(text, isDigitOrBar);
  return text.empty() || (parseSexagesimal(text) && text.empty());
}

/// ([eE][-+][0-9]+)? up to the end
bool endsWithExponent(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() < 3 || (text[0] != 'e' && text[0] != 'E') || (text[1] != '-' && text[1] != '+'))
    return false;
  return std::all_of(text.begin() + 2, text.end(), isDigit);
}

bool isFloat(std::string_view text) {
  if (isOneOf<3>(text, {".nan", ".NaN", ".NAN"})) return true;
  std::string_view body = withoutSign(text);
  if (isOneOf<3>(body, {".inf", ".Inf", ".INF"})) return true;
  if (text.starts_with('.')) {  // a sign is not allowed here
    body.remove_prefix(1);
    if (body.empty() || !isDigit(body[0])) return false;
    take(body, isDigitOrBar);
    return endsWithExponent(body);
  }
  if (body.empty() || !isDigit(body[0])) return false;
  take(body, isDigitOrBar);
  const bool sixties = body.starts_with(':');
  if (sixties && !parseSexagesimal(body)) return false;
  if (!body.starts_with('.')) return false;
  body.remove_prefix(1);
  take(body, isDigitOrBar);
  return sixties ? body.empty() : endsWithExponent(body);
}

YamlScalar plainValue(ScalarType type, std::string text) {
  return {type, std::move(text), {}, {}};
}
YamlScalar stringValue(std::string_view text) {
  return {ScalarType::String, std::string(text), {}, {}};
}
YamlScalar invalid(std::string_view text, std::string error) {
  return {ScalarType::Invalid, std::string(text), std::move(error), {}};
}

std::string withoutBars(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

YamlScalar intValue(std::string_view text) {
  const std::string clean = withoutBars(text);
  const std::string_view body = withoutSign(clean);
  std::optional<std::string> digits;
  if (body.starts_with("0b"))
    digits = decimalDigits(body.substr(2), 2);
  else if (body.starts_with("0x"))
    digits = decimalDigits(body.substr(2), 16);
  else if (body.starts_with('0'))
    digits = decimalDigits(body, 8);
  else if (body.find(':') != std::string_view::npos)
    digits = decimalOfSexagesimal(body);
  else
    digits = decimalDigits(body, 10);
  if (!digits)
    return invalid(text, body.size() < 4 ? "it looks like a whole number but has no digits"
                                         : "it looks like a whole number but cannot be read as one");
  return plainValue(ScalarType::Int, clean[0] == '-' && *digits != "0" ? "-" + *digits : *digits);
}

double sexagesimalFloat(std::string_view body) {
  double value = 0;
  double base = 1;
  while (true) {  // from the last part to the first: the order in which Python adds
    const std::size_t colon = body.rfind(':');
    value += floatOf(colon == std::string_view::npos ? body : body.substr(colon + 1)) * base;
    if (colon == std::string_view::npos) return value;
    body = body.substr(0, colon);
    base *= 60;
  }
}

YamlScalar floatValue(std::string_view text) {
  std::string clean = withoutBars(text);
  std::transform(clean.begin(), clean.end(), clean.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const std::string_view body = withoutSign(clean);
  const std::string sign = clean.starts_with('-') ? "-" : "";
  if (body == ".inf") return plainValue(ScalarType::Float, sign + "inf");
  if (body == ".nan") return plainValue(ScalarType::Float, "nan");
  const double value = body.find(':') != std::string_view::npos ? sexagesimalFloat(body) : floatOf(body);
  return plainValue(ScalarType::Float, floatRepr(sign.empty() ? value : -value));
}

YamlScalar timeValue(std::string_view text) {
  const auto time = readTimestamp(text);
  if (!time) return invalid(text, "it is no timestamp");
  if (!time->error.empty()) return invalid(text, "it looks like a date, but " + time->error);
  return {ScalarType::Timestamp, time->text, {}, time->repr};
}

YamlScalar valueOfType(ScalarType type, std::string_view text) {
  switch (type) {
    case ScalarType::Null:
      return plainValue(type, "None");
    case ScalarType::Bool:
      return plainValue(type, isTrue(text) ? "True" : "False");
    case ScalarType::Int:
      return intValue(text);
    case ScalarType::Float:
      return floatValue(text);
    case ScalarType::Timestamp:
      return timeValue(text);
    default:
      break;
  }
  return text == "=" ? invalid(text, "a bare '=' has a meaning of its own in YAML 1.1") : stringValue(text);
}

/// A scalar whose tag says what it is (`!!str 010`).
YamlScalar taggedValue(std::string_view tag, std::string_view text) {
  if (!tag.starts_with(kTagPrefix)) return invalid(text, fmt::format("the tag '{}' is not known", tag));
  const std::string_view name = tag.substr(kTagPrefix.size());
  if (name == "str") return stringValue(text);
  if (name == "null") return plainValue(ScalarType::Null, "None");
  if (name == "bool" && (isTrue(text) || isFalse(text))) return valueOfType(ScalarType::Bool, text);
  if (name == "int" && isInt(text)) return intValue(text);
  if (name == "float" && (isFloat(text) || isInt(text))) return floatValue(text);
  if (name == "timestamp" && readTimestamp(text)) return timeValue(text);
  return invalid(text, fmt::format("'{}' cannot be read as the '!!{}' that its tag says", text, name));
}

}  // namespace

std::string YamlScalar::repr() const {
  if (type == ScalarType::Timestamp) return timeRepr;
  return type == ScalarType::String || type == ScalarType::Invalid ? pythonRepr(text) : text;
}

ScalarType implicitType(std::string_view text) {
  if (isNull(text)) return ScalarType::Null;
  if (isTrue(text) || isFalse(text)) return ScalarType::Bool;
  const char first = text[0];
  if (!isDigit(first) && first != '-' && first != '+' && first != '.') return ScalarType::String;
  if (isFloat(text)) return ScalarType::Float;
  if (isInt(text)) return ScalarType::Int;
  return readTimestamp(text) ? ScalarType::Timestamp : ScalarType::String;
}

YamlScalar resolvePlain(std::string_view text) {
  return valueOfType(implicitType(text), text);
}

YamlScalar resolveScalar(const YamlNode& scalar) {
  if (scalar.resolvesType) return resolvePlain(scalar.value);
  return scalar.tag.empty() ? stringValue(scalar.value) : taggedValue(scalar.tag, scalar.value);
}

}  // namespace lockstep
