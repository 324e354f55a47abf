// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "base/text/trimmed.h"
#include "cluster/checks/check_parts.h"
#include "cluster/reading/env_names.h"
#include "cluster/reading/train_yaml.h"

namespace lockstep {
namespace {

using Kind = FixStep::Kind;

constexpr std::size_t kMaxEnvironment = 20'000;  // characters, names and values together

struct Place {
  const EnvList& list;
  const ListedVariable& variable;

  [[nodiscard]] FieldPath name() const { return list.nameOf(variable); }
  [[nodiscard]] FieldPath value() const { return list.valueOf(variable); }
  [[nodiscard]] FieldPath item() const { return list.itemOf(variable); }
};

bool isSetIn(const EnvList& list, std::string_view name) {
  return std::any_of(list.variables.begin(), list.variables.end(),
                     [&](const ListedVariable& v) { return v.name == name; });
}

/// The same variable under its right name; the item goes when that one is there already.
void fixName(const CheckContext& c, const Place& at, std::string_view right) {
  if (isSetIn(at.list, right))
    c.issues.fix(fmt::format("remove it: {} is there already", right), {{Kind::Remove, at.item(), {}}});
  else
    c.issues.fix(fmt::format("rename it to {}", right), {{Kind::Set, at.name(), std::string(right)}});
}

/// "1.12" of pytorch/pytorch:1.12.1-cuda11.3: the version that an image's name tells, as 112.
std::optional<int> torchVersion(const std::string& image) {
  const std::size_t torch = image.rfind("torch");
  if (torch == std::string::npos) return std::nullopt;
  const char* at = image.data() + torch + 5;
  const char* end = image.data() + image.size();
  if (at != end && (*at == ':' || *at == '-' || *at == '_')) ++at;
  int major = 0, minor = 0;
  const auto first = std::from_chars(at, end, major);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return std::nullopt;
  if (std::from_chars(first.ptr + 1, end, minor).ec != std::errc()) return std::nullopt;
  return major * 100 + std::min(minor, 99);
}

/// PyTorch 2.2 renamed them.
void checkDeprecated(const CheckContext& c, const Place& at) {
  const std::string& name = at.variable.name;
  if (name != "NCCL_ASYNC_ERROR_HANDLING" && name != "NCCL_BLOCKING_WAIT" && name != "NCCL_DESYNC_DEBUG")
    return;
  if (torchVersion(c.spec.image.value_or("")).value_or(202) < 202) return;
  c.issues.warning("env-deprecated", at.name(),
                   fmt::format("{} is the old name; PyTorch 2.2 and later read TORCH_{}", name, name),
                   fmt::format("use TORCH_{} with PyTorch 2.2 or later", name));
  fixName(c, at, "TORCH_" + name);
}

void checkName(const CheckContext& c, const Place& at) {
  const std::string& name = at.variable.name;
  if (name.empty() || name.find_first_of("= \t\n\r") != std::string::npos) {
    c.issues.error("env-name", at.name(),
                   fmt::format("{} is no name of an environment variable", shown(name)),
                   "use letters, digits and _");
    const std::string_view inner = trimmed(name);
    if (!inner.empty() && inner.find_first_of("= \t\n\r") == std::string_view::npos)
      c.issues.fix("remove the blanks around it", {{Kind::Set, at.name(), std::string(inner)}});
  }
  checkDeprecated(c, at);
  const std::string_view meant = meantVariable(name);
  if (meant.empty()) return;
  c.issues.warning("env-misspelt", at.name(), fmt::format("nothing reads the variable {}", shown(name)),
                   fmt::format("did you mean {}?", meant));
  fixName(c, at, meant);
}

void checkPort(const CheckContext& c, const Place& at) {
  const auto& [index, name, value] = at.variable;
  if (!name.ends_with("_PORT") || value.find('$') != std::string::npos) return;
  const int port = isDigits(value) && value.size() <= 5 ? std::stoi(value) : 0;
  if (port >= 1 && port <= 65535) return;
  c.issues.error("port", at.value(), fmt::format("{} is {}, which is no port", name, shown(value)),
                 "give a number from 1 to 65535");
  const std::string_view inner = trimmed(value);
  if (inner.size() < value.size() && isDigits(inner) && inner.size() <= 4 && inner[0] != '0')
    c.issues.fix("remove the blanks around it", {{Kind::Set, at.value(), std::string(inner)}});
}

void checkEffect(const CheckContext& c, const Place& at) {
  const std::string& name = at.variable.name;
  const std::string value = shown(at.variable.value);
  const bool generated = isGeneratedVariable(name);
  if (at.list.scope == EnvScope::Cluster && generated) {
    c.issues.warning("env-overridden", at.name(),
                     fmt::format("{} is set by the launch itself, so the value {} is lost", name, value),
                     "remove it, or set it in spec.runtime.spec.env, which wins");
    c.issues.fix("remove it", {{Kind::Remove, at.item(), {}}});
  } else if (name == "OCI__MODE" || name == "RANK") {
    if (c.spec.job) return;
    c.issues.warning(
        "env-overridden", at.name(),
        fmt::format("{} is set for every node by the launch itself, so the value {} is lost", name, value),
        "remove it");
    c.issues.fix("remove it", {{Kind::Remove, at.item(), {}}});
  } else if (at.list.scope == EnvScope::Runtime && generated && !c.spec.job) {
    c.issues.warning(
        "env-overrides", at.name(),
        fmt::format("{} replaces the value that follows from the rest of the file by {}", name, value),
        "remove it unless you mean that");
  }
}

void checkList(const CheckContext& c, const EnvList& list) {
  std::unordered_map<std::string_view, const ListedVariable*> seen;
  for (const ListedVariable& v : list.variables) {
    const Place at{list, v};
    checkName(c, at);
    checkPort(c, at);
    checkEffect(c, at);
    const auto [first, isNew] = seen.try_emplace(v.name, &v);
    if (isNew) continue;
    c.issues.warning(
        "env-duplicate", at.name(),
        fmt::format("{} is given twice in this list; the last value, {}, counts", v.name, shown(v.value)),
        "remove the other one");
    c.issues.fix("remove the one before", {{Kind::Remove, list.itemOf(*first->second), {}}});
    first->second = &v;
  }
}

void addTo(std::map<std::string, std::size_t>& sizes, const std::vector<EnvVar>& variables) {
  for (const EnvVar& v : variables) sizes[v.name] = characterCount(v.value);
}

std::size_t total(const std::map<std::string, std::size_t>& sizes) {
  std::size_t sum = 0;
  for (const auto& [name, size] : sizes) sum += characterCount(name) + size;
  return sum;
}

/// What the launch adds with names and values whose lengths are known beforehand.
void addGenerated(std::map<std::string, std::size_t>& sizes, const ClusterSpec& spec) {
  const auto add = [&](const char* name, const std::optional<std::string>& value) {
    if (value) sizes[name] = characterCount(*value);
  };
  sizes["OCI__WORK_DIR"] = characterCount(spec.workDir.value_or("None"));
  sizes["OCI__CLUSTER_TYPE"] = spec.clusterKind.size();
  sizes["OCI__ENTRY_SCRIPT"] = characterCount(spec.entryPoint.value_or("None"));
  add("OCI__ENTRY_SCRIPT_ARGS", spec.argsText);
  add("OCI__ENTRY_SCRIPT_KWARGS", spec.kwargsText);
  add("OCI__RUNTIME_URI", spec.runtimeType ? spec.uri : std::nullopt);
}

void checkSize(const CheckContext& c) {
  std::map<std::string, std::size_t> common;
  addTo(common, c.spec.clusterEnv);
  if (!c.spec.job) addGenerated(common, c.spec);
  addTo(common, c.spec.runtimeEnv);
  std::size_t max = total(common);
  for (const auto* role : {&c.spec.main, &c.spec.worker, &c.spec.parameterServer}) {
    if (!*role || (*role)->env.empty()) continue;
    auto all = common;
    addTo(all, (*role)->env);
    max = std::max(max, total(all));
  }
  if (max <= kMaxEnvironment) return;
  c.issues.error(
      "env-too-large",
      c.spec.job ? field::runtime().child("env") : field::cluster().child("config").child("env"),
      fmt::format("the environment of a node has {} characters; the service takes {}", max, kMaxEnvironment),
      "put long values into a file in the image or the bucket");
}

}  // namespace

void checkEnvironment(const CheckContext& context) {
  for (const EnvList& list : context.env.lists()) checkList(context, list);
  checkSize(context);
}

}  // namespace lockstep
