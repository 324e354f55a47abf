// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/registry/distribution_path.h"

#include "rehearsal/registry/manifest.h"

namespace lockstep::rehearsal {
namespace {

using Kind = RegistryPath::Kind;

// Cuts the last segment off.
std::string_view popLast(std::string_view& rest) {
  const std::size_t slash = rest.rfind('/');
  const std::string_view last = slash == std::string_view::npos ? rest : rest.substr(slash + 1);
  rest = slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
  return last;
}

Kind kindOf(std::string_view& rest, std::string& reference) {
  reference = popLast(rest);
  if (rest.ends_with("/manifests")) {
    popLast(rest);
    return isTag(reference) || isDigest(reference) ? Kind::Manifest : Kind::Unknown;
  }
  if (rest.ends_with("/blobs/uploads")) {
    popLast(rest);
    popLast(rest);
    return reference.empty() ? Kind::NewUpload : Kind::Upload;
  }
  if (!rest.ends_with("/blobs") && !rest.ends_with("/tags")) return Kind::Unknown;
  const bool isTags = popLast(rest) == "tags";
  if (isTags) return reference == "list" ? Kind::Tags : Kind::Unknown;
  if (reference == "uploads") return Kind::NewUpload;
  return isDigest(reference) ? Kind::Blob : Kind::Unknown;
}

}  // namespace

RegistryPath readRegistryPath(std::string_view rest) {
  RegistryPath path;
  if (rest.empty()) {
    path.kind = Kind::Ping;
    return path;
  }
  if (rest.size() > 1024) return path;
  const Kind kind = kindOf(rest, path.reference);
  const std::size_t slash = rest.find('/');
  if (kind == Kind::Unknown || slash == std::string_view::npos || slash == 0) return path;
  path.nameSpace = rest.substr(0, slash);
  path.repository = rest.substr(slash + 1);
  if (isRepositoryName(path.repository)) path.kind = kind;
  return path;
}

}  // namespace lockstep::rehearsal
