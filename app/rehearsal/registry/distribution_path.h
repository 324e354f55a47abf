// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep::rehearsal {

/// What a path below /v2/ means.
struct RegistryPath {
  enum class Kind { Unknown, Ping, Blob, NewUpload, Upload, Manifest, Tags };
  Kind kind = Kind::Unknown;
  std::string nameSpace, repository;  // "namespace/path/of/repository"
  std::string reference;              // digest, tag or upload id
};

/// Reads the path after "/v2/", decoded. Kind::Unknown for whatever is no such path.
[[nodiscard]] RegistryPath readRegistryPath(std::string_view rest);

}  // namespace lockstep::rehearsal
