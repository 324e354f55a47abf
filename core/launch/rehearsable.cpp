// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsable.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "launch/job_blocks.h"

namespace lockstep {
namespace {

// What lockstep-node starts.
constexpr std::string_view kKinds[] = {"PYTORCH", "DASK", "HOROVOD", "TENSORFLOW"};

tl::unexpected<Status> refusedKind(const std::string& kind) {
  const std::string alone =
      kind == "RAY" ? "try the script alone, on a Ray of this machine (pip install ray); " : "";
  return failure(
      StatusCode::FailedPrecondition, "a " + kind + " cluster cannot be rehearsed",
      "the rehearsal region runs lockstep-node in place of the image, and lockstep-node runs "
      "PYTORCH, DASK, HOROVOD and TENSORFLOW clusters only",
      alone + "launch it in OCI, or write it as a compose file with `lockstep export --to compose`");
}

Result<void> blockRehearsable(const JobBlock& block) {
  if (block.namesItsProgram()) return {};
  const std::string kind = block.kind();
  if (std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds)) return {};
  if (!kind.empty()) return refusedKind(kind);
  return failure(StatusCode::FailedPrecondition, "this job cannot be rehearsed",
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
