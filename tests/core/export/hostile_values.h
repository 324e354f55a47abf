// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace lockstep {

/// Values that a careless quoting loses, changes, or runs.
inline std::vector<std::string> hostileValues() {
  return {"",         " ",          "a b",         " lead",
          "trail ",   "'",          "\"",          "'\"'",
          "it's",     "say \"x\"",  "$",           "$$",
          "$HOME",    "${HOME}",    "${x}",        "${x:-y}",
          "$(id -u)", "`id -u`",    "a\nb",        "\n",
          "a\n",      "\ttab",      "back\\slash", "\\n",
          "ends\\",   "é ☕ 🚀",      "日本語",      "\xC2\x85",
          "-n",       "--help",     "-",           "#",
          "a #b",     "!",          "!history",    "!!str x",
          "&a",       "*a",         "yes",         "No",
          "on",       "y",          "n",           "null",
          "~",        "010",        "1e3",         "0o17",
          "0x1F",     "1:30",       "1_000",       "2024-01-31",
          ".inf",     "1.10",       "%s %d",       "a: b",
          "a:",       ": a",        "[x]",         "{x}",
          "@x",       "|",          ">",           "<<",
          "=",        "a=b",        "; rm x",      "&& x",
          "* ?",      "[!a]",       "$$(x)",       "$(VAR)",
          "{{ x }}",  "\r\n",       "\x01\x1B[0m", "\xEF\xBB\xBFx",
          "---",      "...",        "- a",         "? a",
          "\\u0041",  "C:\\dir\\$x"};
}

/// And `count` more, drawn from the characters that matter.
inline std::vector<std::string> drawnValues(std::size_t count, unsigned seed) {
  const std::vector<std::string> parts{"a",  "B",  "7",  " ", "'", "\"", "$", "{", "}", "(", ")",  "`",
                                       "\\", "\n", "\t", "#", "!", ":",  "-", ",", "[", "]", "&",  "*",
                                       "|",  ">",  "%",  "@", "=", ";",  "~", "?", "é", "🚀", "\r", "x"};
  std::mt19937 random(seed);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i) {
    std::string value;
    for (std::size_t length = random() % 12; length > 0; --length) value += parts[random() % parts.size()];
    values.push_back(value);
  }
  return values;
}

/// Variables H0, H1… with these values.
inline nlohmann::ordered_json variablesOf(const std::vector<std::string>& values) {
  nlohmann::ordered_json variables = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < values.size(); ++i) variables[fmt::format("H{}", i)] = values[i];
  return variables;
}

/// A train.yaml whose nodes have these variables. They stand in the roles, where `ads` sends them as they
/// are.
struct HostileFile {
  std::string kind = "PYTORCH", shape = "VM.Standard2.1", name = "hostile",
              workDir = "oci://bucket@space/dir";
  std::string entry = "train.py", extra, mainMore;
  int workers = 1;
  nlohmann::ordered_json variables = nlohmann::ordered_json::object();
  std::vector<std::string> arguments;

  /// Without the characters that JSON takes bare and YAML does not.
  [[nodiscard]] std::string text() const {
    std::string text = unescapedText();
    const auto replace = [&](const std::string& from, const std::string& to) {
      for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
        text.replace(at, from.size(), to);
    };
    replace("\xC2\x85", "\\x85");
    replace("\xEF\xBB\xBF", "\\uFEFF");
    return text;
  }

  [[nodiscard]] std::string unescapedText() const {
    using Json = nlohmann::ordered_json;
    Json env = Json::array();
    for (const auto& [key, value] : variables.items()) env.push_back({{"name", key}, {"value", value}});
    const Json role = {{"config", {{"env", env}}}};
    Json worker = role;
    worker["replicas"] = workers;
    const Json args = arguments;
    return "kind: distributed\nspec:\n  infrastructure:\n    spec:\n"
           "      projectId: ocid1.datascienceproject.oc1.iad.aaaa\n"
           "      compartmentId: ocid1.compartment.oc1..aaaa\n"
           "      subnetId: ocid1.subnet.oc1.iad.aaaa\n      shapeName: " +
           shape + "\n" + extra + "  cluster:\n    kind: " + kind +
           "\n    spec:\n      image: iad.ocir.io/team/net:1\n      workDir: " + Json(workDir).dump() +
           "\n      name: " + Json(name).dump() + "\n      main: " + role.dump() +
           (workers > 0 ? "\n      worker: " + worker.dump() : "") + "\n" + mainMore +
           "  runtime: {spec: {entryPoint: " + Json(entry).dump() + ", args: " + args.dump() + "}}\n";
  }
};

}  // namespace lockstep
