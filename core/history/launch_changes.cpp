// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/launch_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "cluster/document/script_arguments.h"
#include "export/secrets.h"

namespace lockstep {
namespace {

constexpr std::string_view kArgument = "arg.", kVariable = "env.";

Result<ClusterDocument> editedBy(const ClusterDocument& document, const Result<TextEdit>& edit) {
  if (!edit) return failure(edit.error());
  return document.edited(*edit);
}

/// The last variable of that name in the env list there.
std::optional<FieldPath> variableIn(const ClusterDocument& document, const FieldPath& list,
                                    const std::string& name) {
  for (std::size_t i = document.lengthAt(list).value_or(0); i-- > 0;) {
    const auto found = document.scalar(list.child(i).child("name"));
    if (found && found->value == name) return list.child(i).child("value");
  }
  return std::nullopt;
}

Result<ClusterDocument> withVariable(const ClusterDocument& document, const std::string& name,
                                     const std::string& value) {
  if (name.empty() || name.find('=') != std::string::npos)
    return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is no name of a variable", name));
  const FieldPath cluster{"spec", "cluster", "spec", "config", "env"};
  const FieldPath runtime{"spec", "runtime", "spec", "environmentVariables"};
  // What stands further on counts on the nodes (ads-contract 2.3); a role's own variables are set by their path.
  for (const FieldPath& list : {FieldPath{"spec", "runtime", "spec", "env"}, cluster, runtime})
    if (const auto place = variableIn(document, list, name))
      return editedBy(document, document.setScalar(*place, value));
  const bool isCluster = document.keysAt(FieldPath{"spec", "cluster", "spec"}).has_value();
  return editedBy(
      document,
      document.appendEnv(isCluster ? cluster : FieldPath{"spec", "runtime", "spec", "env"}, {name, value}));
}

bool isPlainWord(std::string_view value) {
  if (value == "true" || value == "false") return true;
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size();
}

Result<ClusterDocument> withScalar(const ClusterDocument& document, const LaunchChange& change) {
  const FieldPath path =
      change.key == "image" ? FieldPath{"spec", "cluster", "spec", "image"} : FieldPath::parse(change.key);
  if (path.elements().size() < 2)
    return failure(ErrorCode::InvalidArgument, fmt::format("cannot set '{}'", change.key),
                   "this is neither an argument, a variable nor the path of a value",
                   "write arg.NAME, env.NAME, image, or a path such as spec.cluster.spec.worker.replicas");
  const auto old = document.scalar(path);
  const bool wasText = old && old->raw != old->value;
  auto result =
      editedBy(document, document.setScalar(path, change.value, !wasText && isPlainWord(change.value)));
  return result;
}

Result<ClusterDocument> withChange(const ClusterDocument& document, const LaunchChange& change) {
  const std::string_view key = change.key;
  if (key.starts_with(kArgument))
    return withScriptArgument(document, key.substr(kArgument.size()), change.value);
  if (key.starts_with(kVariable))
    return withVariable(document, std::string(key.substr(kVariable.size())), change.value);
  return withScalar(document, change);
}

}  // namespace

Result<LaunchChange> parseLaunchChange(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == 0 || sign == std::string_view::npos)
    return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is no change", text), {},
                   "write KEY=VALUE, as in arg.lr=0.01");
  return LaunchChange{std::string(text.substr(0, sign)), std::string(text.substr(sign + 1))};
}

std::vector<LaunchChange> valuesNow(const ClusterDocument& document) {
  std::vector<LaunchChange> values;
  const auto has = [&values](const std::string& key) {
    return std::any_of(values.begin(), values.end(), [&](const auto& one) { return one.key == key; });
  };
  const std::vector<ScriptArgument> arguments = scriptArguments(document);
  // Of several of one name the last one counts.
  for (auto one = arguments.rbegin(); one != arguments.rend(); ++one) {
    const std::string key = std::string(kArgument) +
                            one->name.substr(std::min(one->name.find_first_not_of('-'), one->name.size()));
    if (!one->name.empty() && !one->value.empty() && !has(key))
      values.insert(values.begin(), {key, one->value});
  }
  for (const char* path : {"spec.cluster.spec.worker.replicas", "image"}) {
    const std::string place = std::string_view(path) == "image" ? "spec.cluster.spec.image" : path;
    if (const auto scalar = document.scalar(FieldPath::parse(place))) values.push_back({path, scalar->value});
  }
  const FieldPath variables{"spec", "cluster", "spec", "config", "env"};
  for (std::size_t i = 0; i < document.lengthAt(variables).value_or(0); ++i) {
    const auto name = document.scalar(variables.child(i).child("name"));
    const auto value = document.scalar(variables.child(i).child("value"));
    if (name && value && !isSecret({name->value, value->value}))
      values.push_back({std::string(kVariable) + name->value, value->value});
  }
  return values;
}

Result<ClusterDocument> withChanges(ClusterDocument document, std::span<const LaunchChange> changes) {
  if (!changes.empty() && !document.isParsable())
    return failure(ErrorCode::FailedPrecondition, "nothing can be changed in this train.yaml",
                   "it is no YAML that can be read");
  for (const LaunchChange& change : changes) {
    auto next = withChange(document, change);
    if (!next) return next;
    document = *std::move(next);
  }
  return document;
}

}  // namespace lockstep
