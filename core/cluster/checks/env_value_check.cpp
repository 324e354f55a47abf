// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "base/text/trimmed.h"
#include "cluster/checks/check_parts.h"
#include "cluster/reading/train_yaml.h"

namespace lockstep {
namespace {

using Kind = FixStep::Kind;

bool isReference(const std::string& value) {
  return value.find('$') != std::string::npos;
}

bool isOneOf(const std::string& value, std::initializer_list<const char*> words) {
  const std::string upper = upperCased(value);
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return upper == word; });
}

/// Artifacts are kept only for the text "1" (ads-contract 4.1).
void checkSyncArtifacts(const CheckContext& c, const EnvList& list, const ListedVariable& v) {
  if (v.name != "SYNC_ARTIFACTS" || v.value == "1" || isReference(v.value)) return;
  if (isOneOf(v.value, {"0", "", "FALSE", "NO", "OFF", "NONE"})) return;  // meant to be off, and it is
  c.issues.warning("sync-artifacts", list.valueOf(v),
                   fmt::format("SYNC_ARTIFACTS is {}; only '1' keeps the artifacts", shown(v.value)),
                   "write \"1\"");
  if (isOneOf(v.value, {"TRUE", "YES", "ON", "Y", "T"}))
    c.issues.fix("write 1", {{Kind::Set, list.valueOf(v), "1"}});
}

/// Variables that the containers read as whole numbers; anything else ends them (ads-contract 4.1, 4.3).
void checkNumbers(const CheckContext& c, const EnvList& list, const ListedVariable& v) {
  static constexpr std::string_view kNumbers[] = {"OCI__TIMEOUT", "SYNC_SLEEP",    "POST_PROCESSING_WAIT",
                                                  "MIN_NP",       "MAX_NP",        "NP",
                                                  "SLOTS",        "START_TIMEOUT", "OCI__RDZV_TIMEOUT"};
  if (std::find(std::begin(kNumbers), std::end(kNumbers), v.name) == std::end(kNumbers)) return;
  if (isReference(v.value) || isDigits(trimmed(v.value))) return;
  c.issues.warning("env-number", list.valueOf(v),
                   fmt::format("{} is {}; the containers need a whole number there", v.name, shown(v.value)),
                   "write a number without unit, such as \"1800\"");
  const std::size_t unit = v.value.find_first_not_of("0123456789");
  const std::string_view rest = trimmed(std::string_view(v.value).substr(unit));
  const bool seconds = rest == "s" || rest == "sec" || rest == "seconds";
  if (unit > 0 && seconds && (v.name.find("TIME") != std::string::npos || v.name != "SLOTS"))
    c.issues.fix("remove the unit", {{Kind::Set, list.valueOf(v), v.value.substr(0, unit)}});
}

bool usesSync(const CheckContext& c) {
  return c.env.valueFor(NodeRole::Main, "SYNC_ARTIFACTS") == "1" ||
         c.env.valueFor(NodeRole::Worker, "SYNC_ARTIFACTS") == "1";
}

/// One of the pair without the other ends the container (ads-contract 4.1).
void checkWorkspace(const CheckContext& c) {
  for (const auto& [given, missing] :
       {std::pair{"WORKSPACE", "WORKSPACE_PREFIX"}, std::pair{"WORKSPACE_PREFIX", "WORKSPACE"}}) {
    const auto seen = c.env.seenBy(NodeRole::Main, given);
    if (!seen || c.env.seenBy(NodeRole::Main, missing)) continue;
    const FieldPath path = seen->list->nameOf(*seen->variable);
    if (std::string_view(given) == "WORKSPACE")
      c.issues.warning("workspace", path,
                       "WORKSPACE is set without WORKSPACE_PREFIX, which ends the containers at their start",
                       "add WORKSPACE_PREFIX, the folder in that bucket");
    else
      c.issues.warning("workspace", path, "WORKSPACE_PREFIX has no effect without WORKSPACE",
                       "add WORKSPACE, the name of a bucket");
  }
}

/// Artifacts of a local work dir have nowhere to go.
void checkSyncTarget(const CheckContext& c) {
  if (!usesSync(c) || c.env.seenBy(NodeRole::Main, "WORKSPACE")) return;
  const std::string workDir = c.spec.workDir.value_or("");
  if (workDir.empty() || workDir.starts_with("oci://") || hasPlaceholder(workDir)) return;
  const auto seen = c.env.seenBy(NodeRole::Main, "SYNC_ARTIFACTS");
  if (!seen) return;
  c.issues.warning("sync-target", seen->list->nameOf(*seen->variable),
                   "SYNC_ARTIFACTS has nowhere to keep them: the work dir is not in a bucket",
                   "set WORKSPACE and WORKSPACE_PREFIX");
}

/// Clusters always end with their code: any text, False too, counts as true (ads-contract 4.1).
void checkEphemeral(const CheckContext& c) {
  if (!c.spec.ephemeral || !isOneOf(*c.spec.ephemeral, {"FALSE", "NO", "OFF", "0"})) return;
  const FieldPath path = field::cluster().child("ephemeral");
  c.issues.warning("ephemeral", path,
                   fmt::format("{} is {}, which has no effect: a cluster ends when its code does",
                               path.toString(), shown(*c.spec.ephemeral)),
                   "remove it");
  c.issues.fix("remove it", {{Kind::Remove, path, {}}});
}

/// What the containers of a framework set themselves (ads-contract 4.3).
void checkRendezvousVariables(const CheckContext& c, const EnvList& list, const ListedVariable& v) {
  const auto own = traitsOf(c.spec.framework).ownVariables;
  if (c.spec.multiNode || std::find(own.begin(), own.end(), v.name) == own.end()) return;
  c.issues.warning(
      "env-overridden", list.nameOf(v),
      fmt::format("{} is worked out by the containers, so the value {} is lost", v.name, shown(v.value)),
      "remove it");
  c.issues.fix("remove it", {{Kind::Remove, list.itemOf(v), {}}});
}

}  // namespace

void checkEnvValues(const CheckContext& context) {
  for (const EnvList& list : context.env.lists()) {
    for (const ListedVariable& v : list.variables) {
      checkSyncArtifacts(context, list, v);
      checkNumbers(context, list, v);
      checkRendezvousVariables(context, list, v);
    }
  }
  checkWorkspace(context);
  checkSyncTarget(context);
  checkEphemeral(context);
}

}  // namespace lockstep
