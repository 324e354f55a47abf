// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/field_reader.h"

#include <fmt/format.h>

#include <charconv>

#include "cluster/yaml/python_text.h"
#include "cluster/yaml/yaml_scalar.h"

namespace lockstep {
namespace {

template <class Number>
bool readsAs(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

}  // namespace

const YamlNode* FieldReader::valueAt(const FieldPath& path) const {
  const auto id = tree_.find(path);
  if (!id) return nullptr;
  const YamlNode& node = tree_.node(tree_.resolved(*id));
  if (node.kind == NodeKind::Scalar && resolveScalar(node).type == ScalarType::Null) return nullptr;
  return &node;
}

FieldPath FieldReader::spelled(const FieldPath& mapping, const std::vector<std::string>& spellings) const {
  for (const std::string& spelling : spellings) {
    if (tree_.find(mapping.child(spelling))) return mapping.child(spelling);
  }
  return mapping.child(spellings.front());
}

bool FieldReader::hasMapping(const FieldPath& path) {
  const YamlNode* node = valueAt(path);
  if (!node) return false;
  if (node->kind == NodeKind::Mapping) return !node->children.empty();
  wrongType(path, *node, "a mapping");
  return false;
}

std::vector<FieldPath> FieldReader::items(const FieldPath& path, const char* expected) {
  const YamlNode* node = valueAt(path);
  if (!node) return {};
  if (node->kind != NodeKind::Sequence) {
    wrongType(path, *node, expected);
    return {};
  }
  std::vector<FieldPath> paths;
  for (std::size_t i = 0; i < node->children.size(); ++i) paths.push_back(path.child(i));
  return paths;
}

std::optional<std::string> FieldReader::text(const FieldPath& path) {
  const YamlNode* node = valueAt(path);
  if (!node) return std::nullopt;
  if (node->kind != NodeKind::Scalar) {
    wrongType(path, *node, "a text");
    return std::nullopt;
  }
  warnAboutReading(path, *node);
  return resolveScalar(*node).text;
}

void FieldReader::warnAboutReading(const FieldPath& path, const YamlNode& node) {
  if (!node.resolvesType) return;
  const YamlScalar scalar = resolveScalar(node);
  if (scalar.type == ScalarType::String || scalar.type == ScalarType::Invalid || scalar.text == node.value)
    return;
  const std::string shownRaw = node.value.empty() ? "an empty value" : shown(node.value);
  issues_.warning(
      "yaml-reading", path,
      fmt::format("{} is {}, which YAML 1.1 reads as {}", path.toString(), shownRaw, shown(scalar.text)),
      fmt::format("write \"{}\" in quotes if you mean the text itself", node.value));
  issues_.fix(fmt::format("write \"{}\" in quotes", node.value), {{FixStep::Kind::Set, path, node.value}});
}

void FieldReader::fixNumber(const FieldPath& path, const YamlNode& node) {
  const std::string& text = node.value;
  const std::size_t unit = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string rest = upperCased(text.substr(std::min(text.find_first_not_of(' ', unit), text.size())));
  for (const char* droppable : {"GB", "G", "GIB", "GI", ".0"}) {
    if (unit > 0 && unit <= 6 && rest == droppable)
      issues_.fix("write the number alone", {{FixStep::Kind::SetBare, path, text.substr(0, unit)}});
  }
}

std::optional<long long> FieldReader::whole(const FieldPath& path) {
  const YamlNode* node = valueAt(path);
  if (!node) return std::nullopt;
  if (node->kind != NodeKind::Scalar) {
    wrongType(path, *node, "a whole number");
    return std::nullopt;
  }
  const YamlScalar scalar = resolveScalar(*node);
  long long value = 0;
  const bool number = scalar.type == ScalarType::Int || scalar.type == ScalarType::String;
  if (number && readsAs(scalar.text, value)) return value;
  issues_.error("wrong-type", path,
                fmt::format("{} is {}, which is not a whole number", path.toString(), shown(node->value)),
                "write a number without unit, such as 2");
  fixNumber(path, *node);
  return std::nullopt;
}

std::optional<double> FieldReader::number(const FieldPath& path) {
  const YamlNode* node = valueAt(path);
  if (!node) return std::nullopt;
  if (node->kind != NodeKind::Scalar) {
    wrongType(path, *node, "a number");
    return std::nullopt;
  }
  const YamlScalar scalar = resolveScalar(*node);
  double value = 0;
  if (scalar.type != ScalarType::Bool && readsAs(scalar.text, value)) return value;
  issues_.error("wrong-type", path,
                fmt::format("{} is {}, which is not a number", path.toString(), shown(node->value)),
                "write a number without unit, such as 16");
  fixNumber(path, *node);
  return std::nullopt;
}

void FieldReader::wrongType(const FieldPath& path, const YamlNode& node, const char* expected) {
  const std::string found = node.kind == NodeKind::Sequence  ? "a list"
                            : node.kind == NodeKind::Mapping ? "a mapping"
                                                             : shown(node.value);
  issues_.error("wrong-type", path,
                fmt::format("{} must be {}, but is {}", path.toString(), expected, found));
}

std::vector<EnvVar> FieldReader::env(const FieldPath& path) {
  std::vector<EnvVar> variables;
  for (const FieldPath& item : items(path, "a list of {name, value}")) {
    if (!hasMapping(item)) {
      issues_.error("env-incomplete", item, item.toString() + " is not a variable with a name and a value",
                    "write {name: NAME, value: \"text\"}");
      continue;
    }
    const auto name = text(item.child("name"));
    const FieldPath valuePath = item.child("value");
    const auto value = tree_.find(valuePath);
    if (!name)
      issues_.error("env-incomplete", item, item.toString() + " has no name", "add name: NAME");
    else if (!value)
      issues_.error("env-incomplete", item, fmt::format("the variable {} has no value", shown(*name)),
                    "add value: \"text\"");
    else
      variables.push_back({*name, envValue(valuePath, *value)});
  }
  return variables;
}

std::string FieldReader::envValue(const FieldPath& path, NodeId at) {
  const YamlNode& node = tree_.node(tree_.resolved(at));
  if (node.kind == NodeKind::Scalar) warnAboutReading(path, node);
  return pythonStr(tree_, at);
}

std::vector<std::string> FieldReader::texts(const FieldPath& path) {
  std::vector<std::string> all;
  for (const FieldPath& item : items(path, "a list of texts")) {
    if (const auto value = text(item)) all.push_back(*value);
  }
  return all;
}

std::vector<std::string> FieldReader::startOptions(const FieldPath& path) {
  const auto id = tree_.find(path);
  if (!id) return {};
  const YamlNode& node = tree_.node(tree_.resolved(*id));
  if (node.kind == NodeKind::Scalar && resolveScalar(node).type == ScalarType::String)
    return letters(path, node.value);
  if (node.kind != NodeKind::Sequence) {
    issues_.error("wrong-type", path, path.toString() + " must be a list of texts",
                  "write [\"--option value\"]");
    fixStartOptions(path, node);
    return {};
  }
  std::vector<std::string> options;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const YamlNode& item = tree_.node(tree_.resolved(node.children[i]));
    if (item.kind == NodeKind::Scalar && resolveScalar(item).type == ScalarType::String) {
      options.push_back(item.value);
      continue;
    }
    const FieldPath at = path.child(i);
    issues_.error("wrong-type", at, fmt::format("{} is not a text", at.toString()), "put it in quotes");
    if (item.kind != NodeKind::Scalar || item.value.empty()) continue;
    // A number that is set to itself stays bare, so it becomes another text in between.
    issues_.fix("put it in quotes",
                {{FixStep::Kind::Set, at, "x" + item.value}, {FixStep::Kind::Set, at, item.value}});
  }
  return options;
}

void FieldReader::fixStartOptions(const FieldPath& path, const YamlNode& node) {
  if (node.kind != NodeKind::Scalar) return;
  if (resolveScalar(node).type == ScalarType::Null)
    issues_.fix("remove it", {{FixStep::Kind::Remove, path, {}}});
  else
    issues_.fix("write it as a list",
                {{FixStep::Kind::Remove, path, {}}, {FixStep::Kind::Append, path, node.value}});
}

std::vector<std::string> FieldReader::letters(const FieldPath& path, const std::string& value) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < value.size();) {
    std::size_t end = i + 1;
    while (end < value.size() && (static_cast<unsigned char>(value[end]) & 0xC0U) == 0x80U) ++end;
    all.push_back(value.substr(i, end - i));
    i = end;
  }
  issues_.warning("start-options-text", path,
                  fmt::format("{} is the text {}, which is sent letter by letter, with blanks between",
                              path.toString(), shown(value)),
                  "write it as a list: [\"" + value + "\"]");
  issues_.fix("write it as a list",
              {{FixStep::Kind::Remove, path, {}}, {FixStep::Kind::Append, path, value}});
  return all;
}

std::string FieldReader::anything(const FieldPath& path) const {
  return pythonStr(tree_, *tree_.find(path));
}

std::optional<std::string> FieldReader::args(const FieldPath& path) {
  const YamlNode* node = valueAt(path);
  if (!node) return std::nullopt;
  if (node->kind == NodeKind::Mapping) {
    wrongType(path, *node, "a list or a text");
    return std::nullopt;
  }
  if (node->kind == NodeKind::Scalar) return text(path).value_or("");
  std::string joined;
  for (std::size_t i = 0; i < node->children.size(); ++i) {
    const YamlNode& item = tree_.node(tree_.resolved(node->children[i]));
    if (item.kind == NodeKind::Scalar) warnAboutReading(path.child(i), item);
    joined += (i > 0 ? " " : "") + pythonStr(tree_, node->children[i]);
  }
  return joined;
}

bool FieldReader::isTrue(const FieldPath& path) const {
  const YamlNode* node = valueAt(path);
  if (!node) return false;
  if (node->kind != NodeKind::Scalar) return !node->children.empty();
  const YamlScalar scalar = resolveScalar(*node);
  if (scalar.type == ScalarType::String) return !scalar.text.empty();
  return scalar.text != "False" && scalar.text != "0" && scalar.text != "0.0" && scalar.text != "-0.0";
}

std::vector<std::pair<std::string, std::string>> FieldReader::pairs(const FieldPath& path) {
  std::vector<std::pair<std::string, std::string>> all;
  if (!hasMapping(path)) return all;
  for (const auto& [key, value] : tree_.pairsOf(*tree_.find(path)))
    all.emplace_back(pythonStr(tree_, key), pythonStr(tree_, value));
  return all;
}

}  // namespace lockstep
