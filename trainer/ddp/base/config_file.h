// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <CLI/CLI.hpp>

namespace lockstep::trainer {

/// Reads --config: a YAML mapping from long option names (with - or _) to values, lists for options that take
/// several. What the command line says comes first.
class YamlConfig final : public CLI::Config {
 public:
  [[nodiscard]] std::string to_config(const CLI::App* app, bool withDefaults, bool withDescriptions,
                                      std::string prefix) const override;
  /// Throws CLI::ConfigError, as the interface has it, naming line and key.
  [[nodiscard]] std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;
};

}  // namespace lockstep::trainer
