// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/text/quote.h"
#include "tests/support/bundle_folder.h"

namespace lockstep {

/// Debian's Python has Debian's modules; another one on PATH may not.
inline bool hasPythonYaml() {
  return run("/usr/bin/python3 -c 'import yaml'").code == 0;
}

/// The documents of YAML text on stdin of the command, as PyYAML reads them: one value, or a list of several.
inline nlohmann::json readWithPython(const std::string& command) {
  const Said said = run(command +
                        " | /usr/bin/python3 -c 'import sys, json, yaml\n"
                        "json.dump(yaml.safe_load(sys.stdin.buffer), sys.stdout)'");
  if (said.code != 0) throw std::runtime_error("not YAML: " + said.text);
  return nlohmann::json::parse(said.text);
}
inline nlohmann::json readWithPython(const std::filesystem::path& file) {
  return readWithPython("cat " + quoteShell(file.string()));
}

}  // namespace lockstep
