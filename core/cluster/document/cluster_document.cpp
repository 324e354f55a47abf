// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/document/cluster_document.h"

#include <mutex>

#include "cluster/checks/cluster_check.h"
#include "cluster/reading/train_yaml.h"
#include "cluster/yaml/python_text.h"
#include "cluster/yaml/yaml_edit.h"
#include "cluster/yaml/yaml_scalar.h"

namespace lockstep {

/// What copies of one document share.
struct ClusterDocument::State {
  State(std::string bytes, std::shared_ptr<const YamlTree> nodes)
      : text(std::move(bytes)), index(text), tree(std::move(nodes)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Spec and issues, made when they are first wanted: of the documents between the steps of one edit nobody
  /// asks for them.
  void derive() {
    std::call_once(derived, [this] {
      if (!tree) return;
      IssueList found(*tree, index);
      checkDocument(*tree, found);
      spec = readTrainYaml(*tree, found);
      checkCluster(spec, *tree, found);
      issues = found.take();
    });
  }

  const std::string text;
  const TextIndex index;
  std::shared_ptr<const YamlTree> tree;  // null: the text is not YAML
  std::once_flag derived;
  ClusterSpec spec;
  std::vector<Issue> issues;
  std::mutex mutex;
  std::optional<VerifiedEdit> lastEdit;  // that this document gave, with what it leads to
};

ClusterDocument::ClusterDocument(std::string text) : ClusterDocument(std::move(text), nullptr) {}

ClusterDocument::ClusterDocument(std::string text, std::shared_ptr<const YamlTree> tree)
    : state_(std::make_shared<State>(std::move(text), std::move(tree))) {
  if (state_->tree) return;
  auto parsed = YamlTree::parse(state_->text);
  if (parsed)
    state_->tree = std::make_shared<const YamlTree>(std::move(*parsed));
  else
    state_->issues.push_back(std::move(parsed.error()));
}

ClusterDocument ClusterDocument::edited(const TextEdit& edit) const {
  std::shared_ptr<const YamlTree> after;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->lastEdit && state_->lastEdit->edit == edit) after = state_->lastEdit->tree;
  }
  const bool fits =
      text().compare(std::min(edit.offset, text().size()), edit.removed.size(), edit.removed) == 0;
  if (!after && state_->tree && fits) {
    if (auto quick = state_->tree->withEditedScalar(text(), edit))
      after = std::make_shared<const YamlTree>(std::move(*quick));
  }
  return ClusterDocument(applyEdit(text(), edit), std::move(after));
}

std::optional<TextEdit> ClusterDocument::respelledAs(const ClusterDocument& other) const {
  if (!state_->tree || !other.state_->tree) return std::nullopt;
  return respelling({text(), *state_->tree}, {other.text(), *other.state_->tree});
}

const std::string& ClusterDocument::text() const {
  return state_->text;
}

bool ClusterDocument::isParsable() const {
  return state_->tree != nullptr;
}

const ClusterSpec& ClusterDocument::spec() const {
  state_->derive();
  return state_->spec;
}

const std::vector<Issue>& ClusterDocument::issues() const {
  state_->derive();
  return state_->issues;
}

std::optional<ScalarView> ClusterDocument::scalar(const FieldPath& path) const {
  if (!state_->tree) return std::nullopt;
  const YamlTree& tree = *state_->tree;
  const auto id = tree.find(path);
  if (!id) return std::nullopt;
  const YamlNode& node = tree.node(tree.resolved(*id));
  if (node.kind != NodeKind::Scalar) return std::nullopt;
  return ScalarView{resolveScalar(node).text, node.value, placeOfField(tree, state_->index, path)};
}

std::optional<std::vector<std::string>> ClusterDocument::keysAt(const FieldPath& path) const {
  if (!state_->tree) return std::nullopt;
  const YamlTree& tree = *state_->tree;
  const auto id = tree.find(path);
  if (!id || tree.node(tree.resolved(*id)).kind != NodeKind::Mapping) return std::nullopt;
  std::vector<std::string> keys;
  for (const auto& [key, value] : tree.pairsOf(*id)) {
    const YamlNode& node = tree.node(tree.resolved(key));
    if (node.kind == NodeKind::Scalar) keys.push_back(node.value);
  }
  return keys;
}

std::optional<std::size_t> ClusterDocument::lengthAt(const FieldPath& path) const {
  if (!state_->tree) return std::nullopt;
  const auto id = state_->tree->find(path);
  if (!id) return std::nullopt;
  const YamlNode& node = state_->tree->node(state_->tree->resolved(*id));
  if (node.kind != NodeKind::Sequence) return std::nullopt;
  return node.children.size();
}

Result<std::shared_ptr<const YamlTree>> ClusterDocument::editable(const FieldPath& path) const {
  if (state_->tree) return state_->tree;
  return failure(ErrorCode::FailedPrecondition, "cannot change " + path.toString(),
                 "the text is not YAML: " + issues().front().message, "fix the text first", path.toString());
}

Result<TextEdit> ClusterDocument::remembered(Result<VerifiedEdit> edit) const {
  if (!edit) return tl::unexpected(std::move(edit.error()));
  const std::lock_guard lock(state_->mutex);
  state_->lastEdit = std::move(*edit);
  return state_->lastEdit->edit;
}

Result<TextEdit> ClusterDocument::setScalar(const FieldPath& path, std::string_view value, bool plain) const {
  return editable(path).and_then([&](const auto& tree) {
    return remembered(setScalarEdit({text(), *tree}, path, value, plain));
  });
}

Result<TextEdit> ClusterDocument::appendEnv(const FieldPath& path, const EnvVar& variable) const {
  const NewValue item =
      NewValue::mapping({{"name", NewValue::text(variable.name)}, {"value", NewValue::text(variable.value)}});
  return editable(path).and_then([&](const auto& tree) {
    return remembered(appendEdit({text(), *tree}, path, item));
  });
}

Result<TextEdit> ClusterDocument::appendItem(const FieldPath& path, std::string_view value) const {
  const NewValue item = NewValue::text(std::string(value));
  return editable(path).and_then([&](const auto& tree) {
    return remembered(appendEdit({text(), *tree}, path, item));
  });
}

Result<TextEdit> ClusterDocument::remove(const FieldPath& path) const {
  return editable(path).and_then([&](const auto& tree) {
    return remembered(removeEdit({text(), *tree}, path));
  });
}

Result<TextEdit> ClusterDocument::renameKey(const FieldPath& key, std::string_view newName) const {
  return editable(key).and_then([&](const auto& tree) {
    return remembered(renameKeyEdit({text(), *tree}, key, newName));
  });
}

}  // namespace lockstep
