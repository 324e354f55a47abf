// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <vector>

#include "base/text/encoding.h"
#include "cluster/document/cluster_document.h"
#include "cluster/document/fix.h"
#include "cluster/yaml/yaml_tree.h"
#include "fuzz_targets.h"

namespace lockstep {
namespace {

constexpr int kMaxEdits = 6;
constexpr std::size_t kMaxFixedBytes = 4096;

constexpr std::array<std::string_view, 24> kValues{
    "text",   "",    "two words", "010",   "yes",     "null",       "1e3",   "a: b",
    "x # y",  "- x", "it's",      "\"q\"", "a, b] }", "line\nline", "\ttab", "\u00e9 \u2615 \U0001F680",
    "\u2028", "=",   "<<",        "*a",    "&a x",    "!!str x",    "%x",    "..."};

/// Takes choices from the bytes; zeros when they are used up.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] bool more() const { return at_ < bytes_.size(); }
  std::size_t below(std::size_t count) {
    if (count < 2) return 0;
    std::size_t value = next();
    if (count > 256) value = value * 256 + next();
    return value % count;
  }
  std::string value() {
    const std::size_t choice = below(kValues.size() + 8);
    if (choice < kValues.size()) return std::string(kValues[choice]);
    const std::size_t length =
        std::min(choice - kValues.size() + 1, bytes_.size() - std::min(at_, bytes_.size()));
    std::string raw(bytes_.substr(std::min(at_, bytes_.size()), length));
    at_ += length;
    return raw;
  }

 private:
  std::size_t next() { return at_ < bytes_.size() ? static_cast<unsigned char>(bytes_[at_++]) : 0; }
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// Paths of the document's own nodes, as find() would come to them.
void collectPaths(const YamlTree& tree, NodeId id, const FieldPath& path, std::vector<FieldPath>& paths) {
  const YamlNode& node = tree.node(id);
  paths.push_back(path);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (node.kind == NodeKind::Sequence) {
      collectPaths(tree, node.children[i], path.child(i), paths);
    } else if (i % 2 == 0) {
      const YamlNode& key = tree.node(tree.resolved(node.children[i]));
      if (key.kind == NodeKind::Scalar)
        collectPaths(tree, node.children[i + 1], path.child(key.value), paths);
    }
  }
}

enum class Action { Set, SetBare, AppendEnv, AppendItem, Remove, Rename, Fix, Type, Count };

bool sameContent(const YamlNode& a, const YamlNode& b) {
  return a.kind == b.kind && a.value == b.value && a.tag == b.tag;
}

/// Whether the nodes, in the order of the text, differ in one run of as many as the action may change.
bool onlyOnePlaceChanged(const YamlTree& before, const YamlTree& after, Action action) {
  const std::size_t min = std::min(before.size(), after.size());
  std::size_t front = 0;
  while (front < min && sameContent(before.node(front), after.node(front))) ++front;
  std::size_t back = 0;
  while (back < min - front &&
         sameContent(before.node(before.size() - 1 - back), after.node(after.size() - 1 - back)))
    ++back;
  switch (action) {
    case Action::Rename:
      return before.size() == after.size() && front + back + 1 >= before.size();
    case Action::Remove:
      return front + back == after.size();
    default:
      return front + back + 1 >= before.size();
  }
}

class Session {
 public:
  Session(std::string text, Choices choices) : document_(std::move(text)), choices_(choices) {}

  std::string run() {
    for (int i = 0; i < kMaxEdits && choices_.more(); ++i)
      if (std::string wrong = step(); !wrong.empty()) return wrong;
    return document_.text().size() <= kMaxFixedBytes ? applyAllFixes() : std::string();
  }

 private:
  std::string step() {
    const auto action = static_cast<Action>(choices_.below(static_cast<std::size_t>(Action::Count)));
    const auto tree = YamlTree::parse(document_.text());
    if (action == Action::Type || !tree) return type();
    std::vector<FieldPath> paths;
    if (tree->root()) collectPaths(*tree, *tree->root(), {}, paths);
    FieldPath path = paths.empty() ? FieldPath() : paths[choices_.below(paths.size())];
    if (choices_.below(4) == 3) path = path.child(choices_.value());
    const auto edit = editFor(action, path);
    if (!edit) return describe(edit.error()).empty() ? "refused without a word" : std::string();
    return check(*tree, action, path, *edit);
  }

  Result<TextEdit> editFor(Action action, const FieldPath& path) {
    switch (action) {
      case Action::Set:
      case Action::SetBare:
        value_ = choices_.value();
        return document_.setScalar(path, value_, action == Action::SetBare);
      case Action::AppendEnv:
        value_ = choices_.value();
        return document_.appendEnv(path, {"ADDED", value_});
      case Action::AppendItem:
        value_ = choices_.value();
        return document_.appendItem(path, value_);
      case Action::Remove:
        return document_.remove(path);
      case Action::Rename:
        value_ = choices_.value();
        return document_.renameKey(path, value_);
      default:
        return fix();
    }
  }

  Result<TextEdit> fix() {
    const auto& issues = document_.issues();
    const Issue* issue = issues.empty() ? nullptr : &issues[choices_.below(issues.size())];
    if (!issue || !issue->fix || issue->fix->steps.size() != 1)
      return failure(ErrorCode::NotFound, "cannot fix", "there is no fix in one step");
    return editOf(document_, issue->fix->steps.front());
  }

  /// What a text pane does: any bytes anywhere.
  std::string type() {
    const std::string& text = document_.text();
    const std::size_t at = choices_.below(text.size() + 1);
    const std::size_t length = std::min(choices_.below(12), text.size() - at);
    const TextEdit edit{at, text.substr(at, length), choices_.value()};
    return checkDocuments(edit);
  }

  std::string check(const YamlTree& before, Action action, const FieldPath& path, const TextEdit& edit) {
    const std::string& text = document_.text();
    if (text.compare(edit.offset, edit.removed.size(), edit.removed) != 0) return "an edit of another text";
    const std::string changed = applyEdit(text, edit);
    const auto after = YamlTree::parse(changed);
    if (!after) return "the text after it is no YAML: " + path.toString() + "\n" + changed;
    if (action != Action::Fix && !onlyOnePlaceChanged(before, *after, action))
      return "another place changed: " + path.toString() + "\n" + changed;
    if (action == Action::Set || action == Action::SetBare) {
      const auto scalar = ClusterDocument(changed).scalar(path);
      if (!scalar || scalar->raw != value_) return "set, but not there: " + path.toString() + "\n" + changed;
      if (action == Action::Set && scalar->value != value_ && !isNumberAsBefore(path))
        return "set, but read as another value: " + path.toString() + "\n" + changed;
    }
    return checkDocuments(edit);
  }

  /// A bare value that another bare one takes the place of may be read by its type.
  [[nodiscard]] bool isNumberAsBefore(const FieldPath& path) const {
    const auto before = document_.scalar(path);
    return before && before->raw != before->value;
  }

  std::string checkDocuments(const TextEdit& edit) {
    const std::string changed = applyEdit(document_.text(), edit);
    const TextEdit inverse{edit.offset, edit.inserted, edit.removed};
    if (applyEdit(changed, inverse) != document_.text()) return "undoing it does not restore the bytes";
    if (std::string wrong = compareTrees(edit, changed); !wrong.empty()) return wrong;
    const ClusterDocument quick = document_.edited(edit);
    const ClusterDocument fresh(changed);
    if (quick.text() != changed) return "the short way leads to another text";
    if (quick.isParsable() != fresh.isParsable() || quick.issues() != fresh.issues())
      return "the short way leads to other issues\n" + changed;
    if (quick.edited(inverse).issues() != document_.issues()) return "undone, the issues differ\n" + changed;
    document_ = quick;
    return {};
  }

  [[nodiscard]] std::string compareTrees(const TextEdit& edit, const std::string& changed) const {
    const auto before = YamlTree::parse(document_.text());
    if (!before) return {};
    const auto quick = before->withEditedScalar(document_.text(), edit);
    if (!quick) return {};
    const auto fresh = YamlTree::parse(changed);
    if (!fresh) return "the short way reads what is no YAML: " + fresh.error().message + "\n" + changed;
    return quick->hasSameNodes(*fresh) ? "" : "the short way reads other nodes\n" + changed;
  }

  std::string applyAllFixes() {
    const FixReport report = fixAll(document_.text());
    const ClusterDocument fixed(report.text);
    if (document_.isParsable() && !fixed.isParsable()) return "fixed into no YAML\n" + report.text;
    if (hasErrors(fixed.issues()) && !hasErrors(document_.issues()))
      return "fixed into errors\n" + report.text;
    return {};
  }

  ClusterDocument document_;
  Choices choices_;
  std::string value_;
};

}  // namespace

std::string tryEditor(std::string_view input) {
  const std::size_t end = std::min(input.find('\0'), input.size());
  const std::string_view choices = end < input.size() ? input.substr(end + 1) : std::string_view();
  return Session(std::string(input.substr(0, end)), Choices(choices)).run();
}

}  // namespace lockstep
