// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "cluster/check_parts.h"
#include "cluster/python_text.h"
#include "cluster/train_yaml.h"

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
    c.issues.warning("args-split", args.child(i),
                     fmt::format("the argument {} arrives in several pieces", shown(text)),
                     "put shell quotes into the value: \"'" + text + "'\"");
  }
}

/// Options that only other frameworks' containers read.
void checkUnused(const CheckContext& c) {
  if (c.spec.framework != Framework::PyTorch) return;
  const FieldPath cluster = field::cluster();
  const auto warn = [&](bool given, const FieldPath& path) {
    if (given)
      c.issues.warning("unused-by-framework", path,
                       fmt::format("{} is sent, but a PYTORCH cluster does not read it", path.toString()),
                       "remove it");
  };
  warn(c.spec.kwargsText.has_value(), field::runtime().child("kwargs"));
  warn(c.spec.certificate.has_value(), cluster.child("certificate"));
  warn(!c.spec.clusterStartOptions.empty(), cluster.child("config").child("startOptions"));
  warn(c.spec.main && !c.spec.main->startOptions.empty(),
       cluster.child("main").child("config").child("startOptions"));
  warn(c.spec.worker && !c.spec.worker->startOptions.empty(),
       cluster.child("worker").child("config").child("startOptions"));
}

void checkBackend(const CheckContext& c) {
  const std::string shape = c.spec.infrastructure.shapeName.value_or("");
  if (shape.empty() || hasPlaceholder(shape) || shape.find("GPU") != std::string::npos) return;
  const std::string args = " " + c.spec.argsText.value_or("") + " ";
  if (args.find("--backend nccl ") == std::string::npos && args.find("--backend=nccl ") == std::string::npos)
    return;
  c.issues.warning("nccl-without-gpu", field::runtime().child("args"),
                   fmt::format("the arguments ask for nccl, but the shape {} has no GPU", shown(shape)),
                   "use --backend gloo, or a shape with GPUs");
}

void checkCertificate(const CheckContext& c) {
  if (!c.spec.certificate) return;
  const FieldPath path = field::cluster().child("certificate");
  const bool authority = c.tree.find(path.child("caCert")).has_value();
  const bool own = c.tree.find(path.child("cert")).has_value();
  if (authority != own) {
    c.issues.warning("certificate-unused", path,
                     "a certificate is used only when both caCert and cert are given",
                     authority ? "add cert" : "add caCert");
    return;
  }
  if (!c.spec.certificate->authorityId)
    c.issues.error("missing-field", path.child("caCert").child("id"),
                   path.toString() + ".caCert.id is missing");
  if (!c.spec.certificate->id)
    c.issues.error("missing-field", path.child("cert").child("id"), path.toString() + ".cert.id is missing");
}

}  // namespace

void checkRuntime(const CheckContext& context) {
  checkSource(context);
  checkArguments(context);
  checkUnused(context);
  checkBackend(context);
  checkCertificate(context);
}

}  // namespace lockstep
