// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "cluster/checks/check_parts.h"
#include "cluster/reading/train_yaml.h"

namespace lockstep {
namespace {

using Kind = FixStep::Kind;

std::string nameOf(const CheckContext& c) {
  return upperCased(c.spec.clusterKind);
}

/// Some run the script as it is written, from a folder of their own (ads-contract 1.2).
void checkEntryPoint(const CheckContext& c) {
  if (traitsOf(c.spec.framework).entryFolder != EntryFolder::None) return;
  const std::string entry = c.spec.entryPoint.value_or("");
  if (entry.empty() || entry.starts_with('/') || entry.starts_with('$') || hasPlaceholder(entry)) return;
  const FieldPath path = field::runtime().child("entryPoint");
  const std::string folder = c.env.valueFor(NodeRole::Main, "OCI__CODE_DIR")
                                 .value_or(c.spec.runtimeType ? c.spec.codeDir.value_or("/code") : "/code");
  const std::string whole = folder + (folder.ends_with('/') ? "" : "/") + entry;
  c.issues.warning("entry-point", path,
                   fmt::format("{} is {}; a {} cluster does not look for it in the code folder",
                               path.toString(), shown(entry), nameOf(c)),
                   "write the whole path, such as " + whole);
  if (folder.starts_with('/')) c.issues.fix("write " + whole, {{Kind::Set, path, whole}});
}

/// Some look in /code whatever the code folder is.
void checkCodeFolder(const CheckContext& c) {
  if (traitsOf(c.spec.framework).entryFolder != EntryFolder::SlashCode) return;
  if (!c.spec.runtimeType || !c.spec.codeDir) return;
  const std::string entry = c.spec.entryPoint.value_or("/");
  if (entry.starts_with('/') || *c.spec.codeDir == "/code" || *c.spec.codeDir == "/code/") return;
  c.issues.warning("code-dir", field::runtime().child("codeDir"),
                   fmt::format("the code goes to {}, but a {} cluster looks for {} in /code",
                               shown(*c.spec.codeDir), nameOf(c), shown(entry)),
                   "remove codeDir, or write the whole path as entryPoint");
}

void warnUnused(const CheckContext& c, bool given, const FieldPath& path) {
  if (given)
    c.issues.warning("unused-by-framework", path,
                     fmt::format("{} is sent, but a {} cluster does not read it", path.toString(), nameOf(c)),
                     "remove it");
}

/// Options that only other frameworks' containers read (ads-contract 4.3).
void checkUnused(const CheckContext& c) {
  if (c.spec.framework == Framework::Unknown) return;
  const FrameworkTraits& traits = traitsOf(c.spec.framework);
  const FieldPath cluster = field::cluster();
  warnUnused(c, !traits.readsKwargs && c.spec.kwargsText, field::runtime().child("kwargs"));
  warnUnused(c, !traits.readsCertificate && c.spec.certificate, cluster.child("certificate"));
  if (traits.startOptions == StartOptions::Read) return;
  warnUnused(c, !c.spec.clusterStartOptions.empty(), cluster.child("config").child("startOptions"));
  for (const auto& [role, key] : {std::pair{&c.spec.main, "main"}, std::pair{&c.spec.worker, "worker"},
                                  std::pair{&c.spec.parameterServer, "ps"}})
    warnUnused(c, *role && !(*role)->startOptions.empty(),
               cluster.child(key).child("config").child("startOptions"));
}

/// Few have a role beside main and worker.
void checkParameterServers(const CheckContext& c) {
  if (!c.spec.parameterServer || !c.spec.worker || c.spec.framework == Framework::Unknown) return;
  if (traitsOf(c.spec.framework).hasParameterServers) return;
  c.issues.warning("ps-unused", field::cluster().child("ps"),
                   fmt::format("a {} cluster has no use for parameter servers: they get no RANK", nameOf(c)),
                   "remove ps");
}

bool asksForTls(const std::vector<std::string>& options) {
  for (const std::string& option : options)
    if (option.find("--tls-") != std::string::npos) return true;
  return false;
}

/// Both parts of a certificate, or none (ads-contract 1.2).
bool certificateIsWhole(const CheckContext& c) {
  const FieldPath path = field::cluster().child("certificate");
  const bool authority = c.tree.find(path.child("caCert")).has_value();
  const bool own = c.tree.find(path.child("cert")).has_value();
  if (authority != own) {
    c.issues.warning("certificate-unused", path,
                     "a certificate is used only when both caCert and cert are given",
                     authority ? "add cert" : "add caCert");
    return false;
  }
  const auto needId = [&](const std::optional<std::string>& id, const char* part) {
    const FieldPath field = path.child(part).child("id");
    if (!id) c.issues.error("missing-field", field, field.toString() + " is missing", "give its OCID");
  };
  needId(c.spec.certificate->authorityId, "caCert");
  needId(c.spec.certificate->id, "cert");
  return true;
}

/// The scheduler, the workers and the certificate have to agree.
void checkTls(const CheckContext& c) {
  const bool whole = c.spec.certificate && certificateIsWhole(c);
  if (!traitsOf(c.spec.framework).readsCertificate) return;
  const FieldPath cluster = field::cluster();
  const bool all = asksForTls(c.spec.clusterStartOptions);
  const bool main =
      c.spec.main && !c.spec.main->startOptions.empty() ? asksForTls(c.spec.main->startOptions) : all;
  const bool worker =
      c.spec.worker && !c.spec.worker->startOptions.empty() ? asksForTls(c.spec.worker->startOptions) : all;
  const FieldPath options =
      (all ? cluster : cluster.child(main ? "main" : "worker")).child("config").child("startOptions");
  if (c.spec.worker && main != worker)
    c.issues.warning("tls-mismatch", options,
                     fmt::format("only the {} uses TLS, so they cannot talk to each other",
                                 main ? "scheduler" : "workers"),
                     "give --tls-ca-file, --tls-cert and --tls-key to both");
  if ((main || worker) && !c.spec.certificate)
    c.issues.warning("tls-certificate", options,
                     "the start options ask for TLS, but there is no certificate to download",
                     "add certificate, unless the image has the files");
  if (whole && !main && !worker)
    c.issues.warning("tls-unused", cluster.child("certificate"),
                     "the certificate is downloaded, but no start option uses it",
                     "add --tls-ca-file, --tls-cert and --tls-key to the start options");
}

}  // namespace

void checkFramework(const CheckContext& context) {
  checkEntryPoint(context);
  checkCodeFolder(context);
  checkUnused(context);
  checkParameterServers(context);
  checkTls(context);
}

}  // namespace lockstep
