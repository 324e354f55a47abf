// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/train_yaml.h"

#include "cluster/reading/field_reader.h"
#include "cluster/reading/job_yaml.h"
#include "cluster/reading/key_tables.h"
#include "cluster/reading/multi_node_yaml.h"
#include "cluster/reading/train_yaml_keys.h"
#include "cluster/yaml/python_text.h"

namespace lockstep {
namespace {

void readCluster(FieldReader& reader, ClusterSpec& spec) {
  const FieldPath at = field::cluster();
  spec.clusterKind = reader.text(at.parent().child("kind")).value_or("");
  spec.framework = frameworkNamed(spec.clusterKind);
  readKeys(reader, at, clusterKeys(), spec);
}

void readRuntime(FieldReader& reader, ClusterSpec& spec) {
  spec.runtimeType = reader.text(field::runtime().parent().child("type"));
  readKeys(reader, field::runtime(), runtimeKeys(), spec);
}

FieldPath spelling(const YamlTree& tree, const std::vector<std::string>& spellings) {
  for (const std::string& key : spellings) {
    if (tree.find(field::infrastructure().child(key))) return field::infrastructure().child(key);
  }
  return field::infrastructure().child(spellings.front());
}

}  // namespace

FieldPath infrastructureField(const YamlTree& tree, const std::string& key) {
  const FieldPath usual = spelling(tree, infrastructureSpellings(key));
  if (key != "blockStorageSize" || tree.find(usual)) return usual;
  const auto mapping = tree.find(field::infrastructure());
  if (!mapping) return usual;
  for (const auto& [name, value] : tree.pairsOf(*mapping)) {  // `ads` reads this one in any case
    const std::string& text = tree.node(tree.resolved(name)).value;
    if (upperCased(text) == "BLOCK_STORAGE_SIZE_IN_GBS") return field::infrastructure().child(text);
  }
  return usual;
}

std::vector<DefinedTags> readDefinedTags(FieldReader& reader, const FieldPath& path) {
  std::vector<DefinedTags> all;
  if (!reader.hasMapping(path)) return all;
  for (const auto& [key, value] : reader.tree().pairsOf(*reader.tree().find(path))) {
    const std::string name = pythonStr(reader.tree(), key);
    all.push_back({name, reader.pairs(path.child(name))});
  }
  return all;
}

ClusterSpec readTrainYaml(const YamlTree& tree, IssueList& issues) {
  FieldReader reader(tree, issues);
  ClusterSpec spec;
  spec.kind = reader.text({"kind"}).value_or("");
  readKeys(reader, field::infrastructure(), infrastructureKeys(), spec.infrastructure);
  if (spec.kind == "job") {
    readJob(reader, spec);
    return spec;
  }
  readCluster(reader, spec);
  readRuntime(reader, spec);
  spec.multiNode = readMultiNode(reader);
  return spec;
}

}  // namespace lockstep
