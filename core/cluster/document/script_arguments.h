// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cluster/document/cluster_document.h"

namespace lockstep {

/// One argument of the training script: "--lr" and "0.1", "--amp" and nothing, or a value that stands alone.
struct ScriptArgument {
  std::string name;  // with its dashes; empty: a value that stands alone
  std::string value;
  bool operator==(const ScriptArgument&) const = default;
};

/// The words of spec.runtime.spec.args, put together as argparse would: a word that begins with a dash and is no number is a
/// name, and the word behind it its value, unless that is a name, too. "--lr=0.1" is both. Empty where args is no list.
[[nodiscard]] std::vector<ScriptArgument> scriptArguments(const ClusterDocument& document);

/// The document with another value for one argument; `name` without its dashes. Of several of that name the last one counts, and
/// is changed; one that is not there comes behind all others, as "--<name>" and its value. InvalidArgument: the name is none, or
/// args is no list; FailedPrecondition: it stands there without a value. Pure.
[[nodiscard]] Result<ClusterDocument> withScriptArgument(const ClusterDocument& document,
                                                         std::string_view name, std::string_view value);

}  // namespace lockstep
