// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "base/text/quote.h"
#include "cluster/checks/check_parts.h"
#include "cluster/reading/shape_catalogue.h"
#include "cluster/reading/train_yaml.h"
#include "cluster/yaml/python_text.h"

namespace lockstep {
namespace {

void checkSource(const CheckContext& c) {
  const ClusterSpec& spec = c.spec;
  const FieldPath type = field::runtime().parent().child("type");
  const FieldPath uri = field::runtime().child("uri");
  if (!spec.runtimeType) {
    if (spec.uri)
      c.issues.warning("uri-unused", uri,
                       fmt::format("{} is not read, because {} is missing", uri.toString(), type.toString()),
                       "add type: git beside spec.runtime.kind");
    if (spec.uri && spec.uri->ends_with(".git") && !c.tree.find(type))
      c.issues.fix("add type: git", {{FixStep::Kind::Set, type, "git"}});
    return;
  }
  const bool git = *spec.runtimeType == "git";
  if (!git && *spec.runtimeType != "remote")
    c.issues.warning(
        "runtime-type", type,
        fmt::format("{} is {}, which the container will refuse", type.toString(), shown(*spec.runtimeType)),
        "use git or remote, or remove it for code in the image");
  else if (!spec.uri)
    c.issues.error("missing-field", uri,
                   fmt::format("{} is missing: the type is {}", uri.toString(), *spec.runtimeType),
                   git ? "give the address of the repository" : "give the address of the code");
}

bool hasBlank(const std::string& text) {
  return text.find_first_of(" \t\n") != std::string::npos;
}
bool hasQuote(const std::string& text) {
  return text.find_first_of("'\"\\") != std::string::npos;
}

/// `ads` joins the list with blanks and the container splits it by a shell's rules.
void checkArguments(const CheckContext& c) {
  const FieldPath args = field::runtime().child("args");
  const auto id = c.tree.find(args);
  if (!id) return;
  const YamlNode& list = c.tree.node(c.tree.resolved(*id));
  if (list.kind != NodeKind::Sequence) return;
  for (std::size_t i = 0; i < list.children.size(); ++i) {
    const std::string text = pythonStr(c.tree, list.children[i]);
    if (!hasBlank(text) || hasQuote(text) || text.starts_with('-'))
      continue;  // "--epochs 10" is meant to fall apart
    const FrameworkTraits& traits = traitsOf(c.spec.framework);
    c.issues.warning(
        "args-split", args.child(i), fmt::format("the argument {} arrives in several pieces", shown(text)),
        traits.splitsAtBlanks ? fmt::format("avoid blanks: a {} cluster knows no quotes", traits.name)
                              : "put shell quotes into the value: \"'" + text + "'\"");
    if (!traits.splitsAtBlanks)
      c.issues.fix("put shell quotes into it", {{FixStep::Kind::Set, args.child(i), quoteShell(text)}});
  }
}

bool asksForNccl(const std::string& arguments) {
  const std::string args = " " + arguments + " ";
  for (const char* option : {"backend nccl ", "backend=nccl ", "BACKEND=nccl ", "backend 'nccl' "})
    if (args.find(option) != std::string::npos) return true;
  return false;
}

/// DIST_BACKEND, PL_TORCH_DISTRIBUTED_BACKEND and their like.
std::optional<EnvLists::Seen> ncclVariable(const CheckContext& c) {
  for (const EnvList& list : c.env.lists()) {
    for (const ListedVariable& v : list.variables)
      if (v.name.ends_with("BACKEND") && upperCased(v.value) == "NCCL") return EnvLists::Seen{&list, &v};
  }
  return std::nullopt;
}

void checkBackend(const CheckContext& c) {
  const std::string shape = c.spec.infrastructure.shapeName.value_or("");
  if (shape.empty() || hasPlaceholder(shape) || gpusOfShape(shape) != 0) return;
  const auto variable = ncclVariable(c);
  const bool inArguments = asksForNccl(c.spec.argsText.value_or(""));
  if (!inArguments && !variable) return;
  c.issues.warning(
      "nccl-without-gpu",
      inArguments ? field::runtime().child("args") : variable->list->valueOf(*variable->variable),
      fmt::format("{} for nccl, but the shape {} has no GPU",
                  inArguments ? "the arguments ask" : variable->variable->name + " asks", shown(shape)),
      inArguments ? "use --backend gloo, or a shape with GPUs" : "use gloo, or a shape with GPUs");
}

}  // namespace

void checkRuntime(const CheckContext& context) {
  checkSource(context);
  checkArguments(context);
  checkBackend(context);
}

}  // namespace lockstep
