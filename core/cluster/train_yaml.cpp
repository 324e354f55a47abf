// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/train_yaml.h"

#include <fmt/format.h>

#include <charconv>

#include "cluster/python_text.h"
#include "cluster/train_yaml_keys.h"
#include "cluster/yaml_scalar.h"

namespace lockstep {
namespace {

/// Reads single values; reports those of the wrong type.
class Reader {
 public:
  Reader(const YamlTree& tree, IssueList& issues) : tree_(tree), issues_(issues) {}

  [[nodiscard]] const YamlTree& tree() const { return tree_; }
  IssueList& issues() { return issues_; }

  /// The node with aliases followed; nullptr when there is none or it is null.
  [[nodiscard]] const YamlNode* valueAt(const FieldPath& path) const {
    const auto id = tree_.find(path);
    if (!id) return nullptr;
    const YamlNode& node = tree_.node(tree_.resolved(*id));
    if (node.kind == NodeKind::Scalar && resolveScalar(node).type == ScalarType::Null) return nullptr;
    return &node;
  }

  /// str() of a scalar. Says so when that is not what the file shows.
  std::optional<std::string> text(const FieldPath& path) {
    const YamlNode* node = valueAt(path);
    if (!node) return std::nullopt;
    if (node->kind != NodeKind::Scalar) {
      wrongType(path, *node, "a text");
      return std::nullopt;
    }
    const YamlScalar scalar = resolveScalar(*node);
    warnAboutReading(path, *node, scalar);
    return scalar.text;
  }

  void warnAboutReading(const FieldPath& path, const YamlNode& node, const YamlScalar& scalar) {
    if (!node.resolvesType || scalar.type == ScalarType::String || scalar.type == ScalarType::Invalid) return;
    if (scalar.text == node.value) return;
    const std::string shownRaw = node.value.empty() ? "an empty value" : shown(node.value);
    issues_.warning(
        "yaml-reading", path,
        fmt::format("{} is {}, which YAML 1.1 reads as {}", path.toString(), shownRaw, shown(scalar.text)),
        fmt::format("write \"{}\" in quotes if you mean the text itself", node.value));
  }

  std::optional<long long> whole(const FieldPath& path) {
    const YamlNode* node = valueAt(path);
    if (!node) return std::nullopt;
    if (node->kind != NodeKind::Scalar) {
      wrongType(path, *node, "a whole number");
      return std::nullopt;
    }
    const YamlScalar scalar = resolveScalar(*node);
    long long value = 0;
    const char* end = scalar.text.data() + scalar.text.size();
    const auto [stop, error] = std::from_chars(scalar.text.data(), end, value);
    const bool number = scalar.type == ScalarType::Int || scalar.type == ScalarType::String;
    if (number && error == std::errc() && stop == end) return value;
    issues_.error("wrong-type", path,
                  fmt::format("{} is {}, which is not a whole number", path.toString(), shown(node->value)),
                  "write a number without unit, such as 2");
    return std::nullopt;
  }

  std::optional<double> number(const FieldPath& path) {
    const YamlNode* node = valueAt(path);
    if (!node) return std::nullopt;
    if (node->kind != NodeKind::Scalar) {
      wrongType(path, *node, "a number");
      return std::nullopt;
    }
    const YamlScalar scalar = resolveScalar(*node);
    double value = 0;
    const char* end = scalar.text.data() + scalar.text.size();
    const auto [stop, error] = std::from_chars(scalar.text.data(), end, value);
    if (scalar.type != ScalarType::Bool && error == std::errc() && stop == end) return value;
    issues_.error("wrong-type", path,
                  fmt::format("{} is {}, which is not a number", path.toString(), shown(node->value)),
                  "write a number without unit, such as 16");
    return std::nullopt;
  }

  /// The items' paths of a list; nothing when there is none.
  std::vector<FieldPath> items(const FieldPath& path, const char* expected) {
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

  /// Whether there is a mapping with at least one key; anything else but nothing is reported.
  bool hasMapping(const FieldPath& path) {
    const YamlNode* node = valueAt(path);
    if (!node) return false;
    if (node->kind == NodeKind::Mapping) return !node->children.empty();
    wrongType(path, *node, "a mapping");
    return false;
  }

  void wrongType(const FieldPath& path, const YamlNode& node, const char* expected) {
    const std::string found = node.kind == NodeKind::Sequence  ? "a list"
                              : node.kind == NodeKind::Mapping ? "a mapping"
                                                               : shown(node.value);
    issues_.error("wrong-type", path,
                  fmt::format("{} must be {}, but is {}", path.toString(), expected, found));
  }

  /// [{name, value}]. Items that cannot be used are reported and left out.
  std::vector<EnvVar> env(const FieldPath& path) {
    std::vector<EnvVar> variables;
    for (const FieldPath& item : items(path, "a list of {name, value}")) {
      if (!hasMapping(item)) {
        issues_.error("env-incomplete", item, item.toString() + " is not a variable with a name and a value",
                      "write {name: NAME, value: \"text\"}");
        continue;
      }
      const auto name = text(item.child("name"));
      if (!name)
        issues_.error("env-incomplete", item, item.toString() + " has no name", "add name: NAME");
      else if (!tree_.find(item.child("value")))
        issues_.error("env-incomplete", item, fmt::format("the variable {} has no value", shown(*name)),
                      "add value: \"text\"");
      else
        variables.push_back({*name, envValue(item.child("value"))});
    }
    return variables;
  }

  /// Joined as `ads` joins it: a list of texts; a plain text falls apart into its letters.
  std::vector<std::string> startOptions(const FieldPath& path) {
    const auto id = tree_.find(path);
    if (!id) return {};
    const YamlNode& node = tree_.node(tree_.resolved(*id));
    if (node.kind == NodeKind::Scalar && resolveScalar(node).type == ScalarType::String)
      return letters(path, node.value);
    if (node.kind != NodeKind::Sequence) {
      issues_.error("wrong-type", path, path.toString() + " must be a list of texts",
                    "write [\"--option value\"]");
      return {};
    }
    std::vector<std::string> options;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const YamlNode& item = tree_.node(tree_.resolved(node.children[i]));
      if (item.kind == NodeKind::Scalar && resolveScalar(item).type == ScalarType::String)
        options.push_back(item.value);
      else
        issues_.error("wrong-type", path.child(i), fmt::format("{} is not a text", path.child(i).toString()),
                      "put it in quotes");
    }
    return options;
  }

  /// str() of anything, for the fields that `ads` passes on as they come.
  std::string anything(const FieldPath& path) { return pythonStr(tree_, *tree_.find(path)); }

  std::optional<std::string> args(const FieldPath& path) {
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
      if (item.kind == NodeKind::Scalar) warnAboutReading(path.child(i), item, resolveScalar(item));
      joined += (i > 0 ? " " : "") + pythonStr(tree_, node->children[i]);
    }
    return joined;
  }

  /// Python's truth of a value: kwargs that are false are left out.
  [[nodiscard]] bool isTrue(const FieldPath& path) const {
    const YamlNode* node = valueAt(path);
    if (!node) return false;
    if (node->kind != NodeKind::Scalar) return !node->children.empty();
    const YamlScalar scalar = resolveScalar(*node);
    if (scalar.type == ScalarType::String) return !scalar.text.empty();
    return scalar.text != "False" && scalar.text != "0" && scalar.text != "0.0" && scalar.text != "-0.0";
  }

 private:
  std::string envValue(const FieldPath& path) {
    const YamlNode& node = tree_.node(tree_.resolved(*tree_.find(path)));
    if (node.kind == NodeKind::Scalar) warnAboutReading(path, node, resolveScalar(node));
    return anything(path);
  }

  std::vector<std::string> letters(const FieldPath& path, const std::string& value) {
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
    return all;
  }

  const YamlTree& tree_;
  IssueList& issues_;
};

FieldPath spelled(const YamlTree& tree, const FieldPath& mapping, const std::vector<std::string>& spellings) {
  for (const std::string& spelling : spellings) {
    if (tree.find(mapping.child(spelling))) return mapping.child(spelling);
  }
  return mapping.child(spellings.front());
}

std::vector<std::pair<std::string, std::string>> readTags(Reader& reader, const FieldPath& path) {
  std::vector<std::pair<std::string, std::string>> tags;
  if (!reader.hasMapping(path)) return tags;
  for (const auto& [key, value] : reader.tree().pairsOf(*reader.tree().find(path)))
    tags.emplace_back(pythonStr(reader.tree(), key), pythonStr(reader.tree(), value));
  return tags;
}

std::vector<DefinedTags> readDefinedTags(Reader& reader, const FieldPath& path) {
  std::vector<DefinedTags> all;
  if (!reader.hasMapping(path)) return all;
  for (const auto& [key, value] : reader.tree().pairsOf(*reader.tree().find(path))) {
    const std::string name = pythonStr(reader.tree(), key);
    all.push_back({name, readTags(reader, path.child(name))});
  }
  return all;
}

std::optional<ShapeConfig> readShape(Reader& reader, const FieldPath& path) {
  if (!reader.hasMapping(path)) return std::nullopt;
  ShapeConfig shape;
  shape.ocpus = reader.number(path.child("ocpus"));
  shape.memoryInGBs = reader.number(spelled(reader.tree(), path, {"memoryInGBs", "memory_in_gbs"}));
  shape.cpuBaseline = reader.text(spelled(reader.tree(), path, {"cpuBaseline", "cpu_baseline"}));
  return shape;
}

std::vector<StorageMount> readMounts(Reader& reader, const FieldPath& path) {
  std::vector<StorageMount> mounts;
  for (const FieldPath& item : reader.items(path, "a list of {src, dest}")) {
    const auto src = reader.text(item.child("src"));
    const auto dest = reader.text(item.child("dest"));
    if (src && dest)
      mounts.push_back({*src, *dest});
    else
      reader.issues().error("mount-incomplete", item, item.toString() + " needs both src and dest");
  }
  return mounts;
}

Infrastructure readInfrastructure(Reader& reader) {
  const auto at = [&](const char* key) { return infrastructureField(reader.tree(), key); };
  Infrastructure infra;
  infra.projectId = reader.text(at("projectId"));
  infra.compartmentId = reader.text(at("compartmentId"));
  infra.displayName = reader.text(at("displayName"));
  infra.subnetId = reader.text(at("subnetId"));
  infra.shapeName = reader.text(at("shapeName"));
  infra.shapeConfig = readShape(reader, at("shapeConfigDetails"));
  infra.blockStorageSizeInGBs = reader.whole(at("blockStorageSize"));
  infra.logGroupId = reader.text(at("logGroupId"));
  infra.logId = reader.text(at("logId"));
  infra.jobInfrastructureType = reader.text(at("jobInfrastructureType"));
  infra.jobType = reader.text(at("jobType"));
  infra.storageMounts = readMounts(reader, at("storageMount"));
  infra.freeformTags = readTags(reader, at("freeformTags"));
  infra.definedTags = readDefinedTags(reader, at("definedTags"));
  return infra;
}

/// An empty mapping is no role, except for main, which needs nothing.
std::optional<RoleSpec> readRole(Reader& reader, const FieldPath& path, bool mayBeEmpty) {
  if (!reader.hasMapping(path) && !(mayBeEmpty && reader.valueAt(path))) return std::nullopt;
  RoleSpec role;
  role.name = reader.text(path.child("name"));
  role.replicas = reader.whole(path.child("replicas"));
  role.image = reader.text(path.child("image"));
  const FieldPath config = path.child("config");
  if (!reader.hasMapping(config)) return role;
  role.env = reader.env(config.child("env"));
  role.startOptions = reader.startOptions(config.child("startOptions"));
  return role;
}

std::optional<CertificateSpec> readCertificate(Reader& reader, const FieldPath& path) {
  if (!reader.hasMapping(path)) return std::nullopt;
  CertificateSpec certificate;
  certificate.authorityId = reader.text(path.child("caCert").child("id"));
  certificate.authorityLocation = reader.text(path.child("caCert").child("downloadLocation"));
  certificate.id = reader.text(path.child("cert").child("id"));
  certificate.location = reader.text(path.child("cert").child("certDownloadLocation"));
  certificate.keyLocation = reader.text(path.child("cert").child("keyDownloadLocation"));
  return certificate;
}

void readCluster(Reader& reader, ClusterSpec& spec) {
  const FieldPath at = field::cluster();
  spec.clusterKind = reader.text(at.parent().child("kind")).value_or("");
  spec.framework = frameworkNamed(spec.clusterKind);
  spec.clusterName = reader.text(at.child("name"));
  spec.image = reader.text(at.child("image"));
  spec.workDir = reader.text(at.child("workDir"));
  if (reader.valueAt(at.child("ephemeral"))) spec.ephemeral = reader.anything(at.child("ephemeral"));
  if (const FieldPath config = at.child("config"); reader.hasMapping(config)) {
    spec.clusterEnv = reader.env(config.child("env"));
    spec.clusterStartOptions = reader.startOptions(config.child("startOptions"));
  }
  spec.main = readRole(reader, at.child("main"), true);
  spec.worker = readRole(reader, at.child("worker"), false);
  spec.parameterServer = readRole(reader, at.child("ps"), false);
  spec.certificate = readCertificate(reader, at.child("certificate"));
}

void readRuntime(Reader& reader, ClusterSpec& spec) {
  const FieldPath at = field::runtime();
  spec.runtimeType = reader.text(at.parent().child("type"));
  spec.entryPoint = reader.text(at.child("entryPoint"));
  spec.argsText = reader.args(at.child("args"));
  if (reader.isTrue(at.child("kwargs"))) spec.kwargsText = reader.anything(at.child("kwargs"));
  spec.uri = reader.text(at.child("uri"));
  spec.branch = reader.text(at.child("branch"));
  spec.commit = reader.text(at.child("commit"));
  spec.gitSecretId = reader.text(at.child("gitSecretId"));
  spec.codeDir = reader.text(at.child("codeDir"));
  spec.pythonPath = reader.text(at.child("pythonPath"));
  spec.runtimeEnv = reader.env(at.child("env"));
}

}  // namespace

FieldPath infrastructureField(const YamlTree& tree, const std::string& key) {
  const FieldPath usual = spelled(tree, field::infrastructure(), infrastructureSpellings(key));
  if (key != "blockStorageSize" || tree.find(usual)) return usual;
  const auto mapping = tree.find(field::infrastructure());
  if (!mapping) return usual;
  for (const auto& [name, value] : tree.pairsOf(*mapping)) {  // `ads` reads this one in any case
    const std::string& text = tree.node(tree.resolved(name)).value;
    if (upperCased(text) == "BLOCK_STORAGE_SIZE_IN_GBS") return field::infrastructure().child(text);
  }
  return usual;
}

ClusterSpec readTrainYaml(const YamlTree& tree, IssueList& issues) {
  Reader reader(tree, issues);
  ClusterSpec spec;
  spec.kind = reader.text({"kind"}).value_or("");
  spec.infrastructure = readInfrastructure(reader);
  readCluster(reader, spec);
  readRuntime(reader, spec);
  return spec;
}

}  // namespace lockstep
