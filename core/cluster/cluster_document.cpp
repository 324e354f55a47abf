// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/cluster_document.h"

#include "cluster/cluster_check.h"
#include "cluster/python_text.h"
#include "cluster/train_yaml.h"
#include "cluster/yaml_edit.h"
#include "cluster/yaml_scalar.h"

namespace lockstep {

std::string applyEdit(std::string text, const TextEdit& edit) {
  const std::size_t offset = std::min(edit.offset, text.size());
  text.replace(offset, edit.removed.size(), edit.inserted);
  return text;
}

ClusterDocument::ClusterDocument(std::string text) : text_(std::move(text)) {
  auto tree = YamlTree::parse(text_);
  if (!tree) {
    issues_.push_back(tree.error());
    return;
  }
  tree_ = std::make_shared<const YamlTree>(std::move(*tree));
  parsable_ = true;
  const TextIndex index(text_);
  IssueList issues(*tree_, index);
  checkDocument(*tree_, issues);
  spec_ = readTrainYaml(*tree_, issues);
  checkCluster(spec_, *tree_, issues);
  issues_ = issues.take();
}

std::optional<ScalarView> ClusterDocument::scalar(const FieldPath& path) const {
  if (!tree_) return std::nullopt;
  const auto id = tree_->find(path);
  if (!id) return std::nullopt;
  const YamlNode& node = tree_->node(tree_->resolved(*id));
  if (node.kind != NodeKind::Scalar) return std::nullopt;
  return ScalarView{resolveScalar(node).text, node.value, placeOfField(*tree_, TextIndex(text_), path)};
}

std::optional<std::vector<std::string>> ClusterDocument::keysAt(const FieldPath& path) const {
  if (!tree_) return std::nullopt;
  const auto id = tree_->find(path);
  if (!id || tree_->node(tree_->resolved(*id)).kind != NodeKind::Mapping) return std::nullopt;
  std::vector<std::string> keys;
  for (const auto& [key, value] : tree_->pairsOf(*id)) {
    const YamlNode& node = tree_->node(tree_->resolved(key));
    if (node.kind == NodeKind::Scalar) keys.push_back(node.value);
  }
  return keys;
}

std::optional<std::size_t> ClusterDocument::lengthAt(const FieldPath& path) const {
  if (!tree_) return std::nullopt;
  const auto id = tree_->find(path);
  if (!id) return std::nullopt;
  const YamlNode& node = tree_->node(tree_->resolved(*id));
  if (node.kind != NodeKind::Sequence) return std::nullopt;
  return node.children.size();
}

Result<std::shared_ptr<const YamlTree>> ClusterDocument::editable(const FieldPath& path) const {
  if (tree_) return tree_;
  return failure(StatusCode::FailedPrecondition, "cannot change " + path.toString(),
                 "the text is not YAML: " + issues_.front().message, "mend the text first", path.toString());
}

Result<TextEdit> ClusterDocument::setScalar(const FieldPath& path, std::string_view value, bool plain) const {
  return editable(path).and_then([&](const auto& tree) {
    return setScalarEdit({text_, *tree}, path, value, plain);
  });
}

Result<TextEdit> ClusterDocument::appendEnv(const FieldPath& path, const EnvVar& variable) const {
  const NewValue item =
      NewValue::mapping({{"name", NewValue::text(variable.name)}, {"value", NewValue::text(variable.value)}});
  return editable(path).and_then([&](const auto& tree) { return appendEdit({text_, *tree}, path, item); });
}

Result<TextEdit> ClusterDocument::appendItem(const FieldPath& path, std::string_view value) const {
  const NewValue item = NewValue::text(std::string(value));
  return editable(path).and_then([&](const auto& tree) { return appendEdit({text_, *tree}, path, item); });
}

Result<TextEdit> ClusterDocument::remove(const FieldPath& path) const {
  return editable(path).and_then([&](const auto& tree) { return removeEdit({text_, *tree}, path); });
}

Result<TextEdit> ClusterDocument::renameKey(const FieldPath& key, std::string_view newName) const {
  return editable(key).and_then([&](const auto& tree) {
    return renameKeyEdit({text_, *tree}, key, newName);
  });
}

}  // namespace lockstep
