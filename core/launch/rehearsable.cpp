// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsable.h"

#include "cluster/spec/framework_traits.h"
#include "launch/job_blocks.h"

namespace lockstep {
namespace {

bool runsOnNode(const FrameworkTraits& traits) {
  return traits.runsOnNode;
}

bool runsOnNode(const std::string& kind) {  // lockstep-node knows no other spelling
  const FrameworkTraits& traits = traitsOf(frameworkNamed(kind));
  return traits.runsOnNode && traits.name == kind;
}

tl::unexpected<Error> refusedKind(const std::string& kind) {
  const std::string alone(traitsOf(frameworkNamed(kind)).aloneAdvice);
  return failure(
      ErrorCode::FailedPrecondition, "a " + kind + " cluster cannot be rehearsed",
      "the rehearsal region runs lockstep-node in place of the image, and lockstep-node runs " +
          frameworkNames("and", runsOnNode) + " clusters only",
      alone + "launch it in OCI, or write it as a compose file with `lockstep export --to compose`");
}

Result<void> blockRehearsable(const JobBlock& block) {
  if (block.namesItsProgram()) return {};
  const std::string kind = block.kind();
  if (runsOnNode(kind)) return {};
  if (!kind.empty()) return refusedKind(kind);
  return failure(ErrorCode::FailedPrecondition, "this job cannot be rehearsed",
                 block.isContainer
                     ? "the rehearsal region has no images, so it cannot know what this one runs"
                     : "it runs driver files and a conda environment that the rehearsal region lacks",
                 block.isContainer
                     ? "name the program in spec.runtime.spec.entrypoint (of an image without an entrypoint: "
                       "entrypoint: [], and the program in cmd), or launch it in OCI"
                     : "rehearse a PYTORCH cluster, or launch it in OCI");
}

}  // namespace

Result<void> rehearsable(const Plan& plan) {
  for (const JobBlock& block : jobBlocksOf(plan))
    if (auto fits = blockRehearsable(block); !fits) return fits;
  return {};
}

}  // namespace lockstep
