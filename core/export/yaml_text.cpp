// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/yaml_text.h"

#include "cluster/cluster_spec.h"
#include "cluster/yaml_scalar.h"
#include "cluster/yaml_writer.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

/// A text that every YAML takes for the text that it is.
bool isPlainWord(const std::string& text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (text.size() < 2 || (kLetters.find(text[0]) == std::string_view::npos && text[0] != '/')) return false;
  const std::string others = std::string(kLetters) + "0123456789_./:@=-";
  if (text.find_first_not_of(others) != std::string::npos || text.back() == ':') return false;
  return implicitType(text) == ScalarType::String;
}

std::string scalarOf(const std::string& text) {
  const ScalarStyle style = isPlainWord(text) ? ScalarStyle::Plain : ScalarStyle::SingleQuoted;
  return scalarText(text, {style, false, false});
}

std::string scalarOf(const Json& value) {
  return value.is_string() ? scalarOf(value.get<std::string>()) : value.dump();
}

bool isInline(const Json& value) {
  return !value.is_structured() || value.empty();
}

std::string lines(const Json& value, std::size_t indent);

std::string mappingLines(const Json& mapping, std::size_t indent) {
  std::string out;
  for (const auto& [key, inner] : mapping.items()) {
    out += std::string(indent, ' ') + scalarOf(key) + ":";
    out += isInline(inner) ? " " + scalarOf(inner) + "\n" : "\n" + lines(inner, indent + 2);
  }
  return out;
}

std::string sequenceLines(const Json& sequence, std::size_t indent) {
  std::string out;
  for (const Json& item : sequence) {
    const std::string head = std::string(indent, ' ') + "- ";
    out += head + (isInline(item) ? scalarOf(item) + "\n" : lines(item, indent + 2).substr(indent + 2));
  }
  return out;
}

std::string lines(const Json& value, std::size_t indent) {
  return value.is_object() ? mappingLines(value, indent) : sequenceLines(value, indent);
}

}  // namespace

std::string yamlText(const nlohmann::ordered_json& value, std::size_t indent) {
  if (isInline(value)) return std::string(indent, ' ') + scalarOf(value) + "\n";
  return lines(value, indent);
}

}  // namespace lockstep
