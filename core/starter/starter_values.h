// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "base/error.h"

namespace lockstep {

/// What a starter's train.yaml leaves open. Absent: stays as it is.
struct StarterValues {
  std::optional<std::string> compartment, project, subnet, logGroup, log;  // OCIDs
  std::optional<std::string> bucket;                                       // "bucket@namespace"
  std::optional<std::string> image;                                        // a whole image reference
  [[nodiscard]] bool empty() const;
};

/// The text of a train.yaml with these values in their places and every other character as it was. The bucket
/// takes the place of the one in workDir, whose prefix stays; its namespace also replaces "<namespace>" in
/// the image. Pure. Fails when the bucket is not "bucket@namespace" or the text is no train.yaml.
[[nodiscard]] Result<std::string> filledIn(std::string trainYaml, const StarterValues& values);

}  // namespace lockstep
