// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "cluster/yaml/yaml_edit.h"
#include "cluster/yaml/yaml_scalar.h"

namespace lockstep {
namespace {

/// Quotes and tags are spelling as long as the value that the loader makes stays the same.
bool isSameScalar(const YamlNode& a, const YamlNode& b) {
  if (a.value != b.value) return false;
  if (a.resolvesType == b.resolvesType && a.tag == b.tag) return true;
  const YamlScalar was = resolveScalar(a);
  const YamlScalar is = resolveScalar(b);
  return was.type == is.type && was.text == is.text && a.value != "<<";
}

bool saysTheSame(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.children != b.children || a.target != b.target) return false;
  return a.kind == NodeKind::Scalar ? isSameScalar(a, b) : a.tag == b.tag;
}

}  // namespace

std::optional<TextEdit> respelling(const YamlText& from, const YamlText& to) {
  if (from.tree.size() != to.tree.size()) return std::nullopt;
  const std::string& a = from.text;
  const std::string& b = to.text;
  const auto head =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  if (head == a.size() && head == b.size()) return std::nullopt;
  const std::size_t max = std::min(a.size(), b.size()) - head;
  std::size_t tail = 0;
  while (tail < max && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  bool inOneScalar = false;
  for (NodeId id = 0; id < from.tree.size(); ++id) {
    const YamlNode& was = from.tree.node(id);
    const YamlNode& is = to.tree.node(id);
    if (!saysTheSame(was, is)) return std::nullopt;
    inOneScalar = inOneScalar || (was.kind == NodeKind::Scalar && was.begin <= head && is.begin <= head &&
                                  was.end + tail >= a.size() && is.end + tail >= b.size());
  }
  if (!inOneScalar) return std::nullopt;
  return TextEdit{head, a.substr(head, a.size() - tail - head), b.substr(head, b.size() - tail - head)};
}

}  // namespace lockstep
