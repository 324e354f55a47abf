// SPDX-License-Identifier: GPL-3.0-or-later
#include "yaml/yaml_text.h"

#include <fmt/format.h>
#include <yaml-cpp/emitter.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/encoding.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFirst = "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kOthers = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@=-";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Words that stand for something else, to some reader and in some spelling.
bool isWordOfYaml(std::string_view text) {
  constexpr std::array<std::string_view, 7> kWords{"yes", "no", "on", "off", "true", "false", "null"};
  std::string word(text);
  std::ranges::transform(word, word.begin(), lower);
  return std::ranges::find(kWords, word) != kWords.end();
}

/// Begins with a letter, so that it is neither number nor time, and has no character with a meaning where it
/// stands.
bool isPlainWord(std::string_view text) {
  if (text.size() < 2 || kFirst.find(text[0]) == std::string_view::npos) return false;
  if (text.find_first_not_of(kOthers) != std::string_view::npos || text.back() == ':') return false;
  return !isWordOfYaml(text);
}

/// The character at `at` of a text that is UTF-8; `at` moves on to the next one.
char32_t nextCharacter(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0x80U ? 1 : lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
  char32_t character = length == 1 ? lead : lead & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k)
    character = (character << 6U) | (static_cast<unsigned char>(text[at + k]) & 0x3FU);
  at += length;
  return character;
}

/// Code points that Unicode keeps free of characters. The emitter writes U+FFFD in their place.
bool isNoncharacter(char32_t c) {
  return (c & 0xFFFEU) == 0xFFFEU || (c >= 0xFDD0U && c <= 0xFDEFU);
}

/// A line break to some reader, or not to stand bare in YAML: C0 and C1, DEL, U+2028, U+2029, U+FEFF.
bool isOdd(char32_t c) {
  return c < 0x20U || (c >= 0x7FU && c < 0xA0U) || c == 0x2028U || c == 0x2029U || c == 0xFEFFU ||
         isNoncharacter(c);
}

template <class Predicate>
bool hasCharacter(std::string_view text, Predicate wanted) {
  for (std::size_t at = 0; at < text.size();)
    if (wanted(nextCharacter(text, at))) return true;
  return false;
}

/// What the emitter's own double quotes would not keep.
std::string escaped(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = nextCharacter(text, at);
    if (c < 0x20U || c > 0x7EU || c == U'"' || c == U'\\')
      out += fmt::format("\\U{:08X}", static_cast<std::uint32_t>(c));
    else
      out += static_cast<char>(c);
  }
  return out + "\"";
}

/// With a point always: YAML 1.1 takes 1e+20 for a text.
std::string floatText(double number) {
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number < 0 ? "-.inf" : ".inf";
  std::string text = fmt::format("{}", number);
  if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

class TreeWriter {
 public:
  Result<std::string> text(const Json& tree, const std::string& comment) {
    out_.SetNullFormat(YAML::LowerNull);
    if (!comment.empty()) out_ << YAML::Comment(comment);
    write(tree);
    if (!refused_.empty())
      return failure(ErrorCode::InvalidArgument,
                     fmt::format("cannot write '{}' as YAML", toValidUtf8(refused_)), "it is not UTF-8",
                     "write it in UTF-8");
    if (!out_.good()) return failure(ErrorCode::Internal, "cannot write YAML", out_.GetLastError());
    return std::string(out_.c_str(), out_.size()) + "\n";
  }

 private:
  void write(const Json& value) {
    switch (value.type()) {
      case Json::value_t::object:
        return writeMapping(value);
      case Json::value_t::array:
        return writeSequence(value);
      case Json::value_t::string:
        return writeText(value.get_ref<const std::string&>());
      case Json::value_t::boolean:
        out_ << value.get<bool>();
        return;
      case Json::value_t::number_integer:
        out_ << value.get<std::int64_t>();
        return;
      case Json::value_t::number_unsigned:
        out_ << value.get<std::uint64_t>();
        return;
      case Json::value_t::number_float:
        return writeAsItIs(floatText(value.get<double>()));
      default:
        out_ << YAML::Null;
    }
  }

  void writeMapping(const Json& mapping) {
    if (mapping.empty()) out_ << YAML::Flow;  // {} on the line of its key
    out_ << YAML::BeginMap;
    for (const auto& [key, value] : mapping.items()) {
      out_ << YAML::Key;
      writeText(key);
      out_ << YAML::Value;
      write(value);
    }
    out_ << YAML::EndMap;
  }

  void writeSequence(const Json& sequence) {
    if (sequence.empty()) out_ << YAML::Flow;
    out_ << YAML::BeginSeq;
    for (const Json& item : sequence) write(item);
    out_ << YAML::EndSeq;
  }

  void writeText(const std::string& text) {
    if (!isUtf8(text)) {
      refused_ = text;
      out_ << "";
    } else if (hasCharacter(text, isNoncharacter)) {
      writeAsItIs(escaped(text));
    } else {
      const YamlQuotes quotes = quotesFor(text);
      if (quotes == YamlQuotes::Single) out_ << YAML::SingleQuoted;
      if (quotes == YamlQuotes::Double) out_ << YAML::DoubleQuoted << YAML::EscapeNonAscii;
      out_ << text;
    }
  }

  /// The one way past the emitter's quoting that is open to all: it streams what it takes for a number.
  void writeAsItIs(const std::string& scalar) { out_.WriteIntegralType(scalar); }

  YAML::Emitter out_;
  std::string refused_;
};

}  // namespace

YamlQuotes quotesFor(std::string_view text) {
  if (isPlainWord(text)) return YamlQuotes::None;
  return hasCharacter(text, isOdd) ? YamlQuotes::Double : YamlQuotes::Single;
}

Result<std::string> yamlText(const Json& tree, const std::string& comment) {
  return TreeWriter().text(tree, comment);
}

}  // namespace lockstep
