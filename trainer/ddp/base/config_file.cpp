// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/config_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "yaml/yaml_document.h"

namespace lockstep::trainer {
namespace {

[[noreturn]] void refuse(const YamlValue& value, const std::string& why) {
  throw CLI::ConfigError(fmt::format("--config: line {}: {}", value.place.line, why),
                         CLI::ExitCodes::ConfigError);
}

CLI::ConfigItem itemOf(const YamlEntry& entry) {
  CLI::ConfigItem item;
  item.name = entry.key;
  std::ranges::replace(item.name, '_', '-');
  const auto take = [&](const YamlValue& value) {
    if (value.kind == YamlValue::Kind::Null) refuse(value, fmt::format("'{}' has no value", item.name));
    if (value.kind != YamlValue::Kind::Scalar)
      refuse(value, fmt::format("'{}' wants a plain value", item.name));
    item.inputs.push_back(value.text);
  };
  if (entry.value.kind == YamlValue::Kind::Sequence)
    std::ranges::for_each(entry.value.items, take);
  else
    take(entry.value);
  return item;
}

}  // namespace

std::string YamlConfig::to_config(const CLI::App*, bool, bool, std::string) const {
  return {};  // nothing here writes a configuration
}

std::vector<CLI::ConfigItem> YamlConfig::from_config(std::istream& input) const {
  const std::string text{std::istreambuf_iterator<char>(input), {}};
  const auto document = readYaml(text, "--config");
  if (!document) throw CLI::ConfigError(describe(document.error()), CLI::ExitCodes::ConfigError);
  if (document->kind == YamlValue::Kind::Null) return {};
  if (document->kind != YamlValue::Kind::Mapping)
    refuse(*document, "a mapping of option names to values is wanted");
  std::vector<CLI::ConfigItem> found;
  std::ranges::transform(document->entries, std::back_inserter(found), itemOf);
  return found;
}

}  // namespace lockstep::trainer
