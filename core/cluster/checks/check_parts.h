// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "cluster/reading/env_lists.h"
#include "cluster/reading/issue_list.h"
#include "cluster/spec/cluster_spec.h"

namespace lockstep {

/// What every part of the checks looks at.
struct CheckContext {
  const ClusterSpec& spec;
  const YamlTree& tree;
  const EnvLists& env;
  IssueList& issues;
};

// Of every file.
void checkReferences(const CheckContext& context);     // OCIDs, image, work dir
void checkRegions(const CheckContext& context);        // regions in OCIDs and in the image's registry
void checkShapes(const CheckContext& context);         // shapes, their details, storage
void checkEnvironment(const CheckContext& context);    // every env list: names, duplicates, sizes
void checkEnvValues(const CheckContext& context);      // variables whose values the containers want in a form
void checkEnvReferences(const CheckContext& context);  // ${NAME}: form, loops, nesting
void checkMultiNode(const CheckContext& context);      // the native multi-node layout
// Of `kind: distributed`.
void checkNodes(const CheckContext& context);      // roles, network, logs
void checkRuntime(const CheckContext& context);    // code, arguments
void checkFramework(const CheckContext& context);  // what the framework's containers read and how
void checkPorts(const CheckContext& context);      // ports against the framework
// Of `kind: job`.
void checkJob(const CheckContext& context);

/// Looks for keys that nothing reads, in the mappings whose keys are known.
void checkKeys(const YamlTree& tree, IssueList& issues);

/// At most 255 characters, room for `reserved` more included.
void checkNameLength(const CheckContext& context, const FieldPath& path, const std::string& name,
                     std::size_t reserved = 0);

/// Whether a text holds something that somebody was to replace: <angle brackets>, your_compartment_name.
[[nodiscard]] bool hasPlaceholder(std::string_view text);
/// The part of a text in <angle brackets>; empty when there is none.
[[nodiscard]] std::string_view bracketedPart(std::string_view text);

/// Empty: an OCID. Else why not: "it does not begin with 'ocid1.'".
[[nodiscard]] std::string ocidProblem(std::string_view text);
/// The kind of resource in an OCID: "subnet" of "ocid1.subnet.oc1.iad.aaaa".
[[nodiscard]] std::string_view ocidKind(std::string_view ocid);
/// The region in an OCID: "iad" of "ocid1.subnet.oc1.iad.aaaa"; empty when it names none.
[[nodiscard]] std::string_view ocidRegion(std::string_view ocid);
/// Empty: REGISTRY/REPOSITORY:TAG or …@sha256:DIGEST. Else why not.
[[nodiscard]] std::string imageProblem(std::string_view text);
/// Whether an image names its tag or digest.
[[nodiscard]] bool imageHasTag(std::string_view image);
/// The registry's host in an image; empty when it names none.
[[nodiscard]] std::string_view imageRegistry(std::string_view image);
/// Empty: oci://bucket@namespace/prefix. Else why not.
[[nodiscard]] std::string workDirProblem(std::string_view text);
/// "us-ashburn-1" for a region's id or short code in any case; empty when it is not known.
[[nodiscard]] std::string regionNamed(std::string_view idOrShortCode);

[[nodiscard]] bool isDigits(std::string_view text);

}  // namespace lockstep
