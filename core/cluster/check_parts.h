// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "cluster/cluster_spec.h"
#include "cluster/issue_list.h"

namespace lockstep {

/// What every part of the checks looks at.
struct CheckContext {
  const ClusterSpec& spec;
  const YamlTree& tree;
  IssueList& issues;
};

void checkReferences(const CheckContext& context);   // OCIDs, image, work dir
void checkEnvironment(const CheckContext& context);  // every env list
void checkNodes(const CheckContext& context);        // roles, shape, storage
void checkRuntime(const CheckContext& context);      // code, arguments, options that the framework reads

/// Whether a text holds something in <angle brackets> that somebody was to replace.
[[nodiscard]] bool hasPlaceholder(std::string_view text);

/// Empty: an OCID. Else why not: "it does not begin with 'ocid1.'".
[[nodiscard]] std::string ocidProblem(std::string_view text);
/// The kind of resource in an OCID: "subnet" of "ocid1.subnet.oc1.iad.aaaa".
[[nodiscard]] std::string_view ocidKind(std::string_view ocid);
/// Empty: REGISTRY/REPOSITORY:TAG or …@sha256:DIGEST. Else why not.
[[nodiscard]] std::string imageProblem(std::string_view text);
/// Whether an image names its tag or digest.
[[nodiscard]] bool imageHasTag(std::string_view image);
/// Empty: oci://bucket@namespace/prefix. Else why not.
[[nodiscard]] std::string workDirProblem(std::string_view text);

}  // namespace lockstep
