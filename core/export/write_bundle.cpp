// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <set>

#include "base/atomic_file.h"
#include "export/export.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// The parts of a path that stays below its folder whatever it says; nullopt for any other.
std::optional<std::vector<std::string>> safeParts(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return std::nullopt;
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return std::nullopt;
    parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

Error refusal(ErrorCode code, const fs::path& path, std::string cause, std::string remedy) {
  return Error{code,
               fmt::format("cannot write '{}'", path.string()),
               std::move(cause),
               std::move(remedy),
               path.string(),
               std::nullopt};
}

/// Every folder on the way below `folder` must be a folder or not be there yet: a link could lead anywhere.
std::optional<Error> flawOnTheWay(const fs::path& folder, const std::vector<std::string>& parts) {
  fs::path at = folder;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    at /= parts[i];
    std::error_code ec;
    const fs::file_status status = fs::symlink_status(at, ec);
    if (status.type() == fs::file_type::not_found) return std::nullopt;
    if (status.type() == fs::file_type::directory) continue;
    return refusal(ErrorCode::FailedPrecondition, at, "something that is no folder stands there",
                   "remove it, or choose another folder");
  }
  return std::nullopt;
}

std::optional<Error> flawOfTarget(const fs::path& target, const ExportedFile& file, bool overwrite) {
  std::error_code ec;
  const fs::file_status status = fs::symlink_status(target, ec);
  if (status.type() == fs::file_type::not_found) return std::nullopt;
  if (status.type() == fs::file_type::none) {
    return refusal(ErrorCode::Io, target, ec.message(), "check the permissions of the folder");
  }
  if (status.type() != fs::file_type::regular)
    return refusal(
        ErrorCode::FailedPrecondition, target,
        fs::is_symlink(status) ? "a symbolic link stands there" : "something that is no file stands there",
        "remove it, or choose another folder");
  if (overwrite) return std::nullopt;
  const auto there = readFile(target, file.content.size() + 1);
  if (there && *there == file.content) return std::nullopt;
  return refusal(ErrorCode::AlreadyExists, target, "it exists, with other content",
                 "choose another folder, or allow it to be overwritten (--overwrite)");
}

/// The nearest folder that exists must let us write.
std::optional<Error> flawOfFolder(const fs::path& folder) {
  fs::path at = folder;
  std::error_code ec;
  while (!at.empty() && !fs::exists(at, ec) && at.has_parent_path() && at.parent_path() != at)
    at = at.parent_path();
  if (at.empty() || !fs::exists(at, ec)) at = ".";
  if (!fs::is_directory(at, ec))
    return refusal(ErrorCode::FailedPrecondition, folder, fmt::format("'{}' is no folder", at.string()),
                   "choose another folder");
  if (::access(at.c_str(), W_OK | X_OK) == 0) return std::nullopt;
  return errnoError(fmt::format("cannot write into '{}'", at.string()), errno,
                    "choose a folder that you may write to");
}

std::optional<Error> flawOf(const ExportBundle& bundle, const fs::path& folder, bool overwrite) {
  if (auto flaw = flawOfFolder(folder)) return flaw;
  std::set<std::string> seen;
  for (const ExportedFile& file : bundle.files) {
    const auto parts = safeParts(file.path);
    if (!parts || !seen.insert(file.path).second)
      return refusal(ErrorCode::Internal, file.path,
                     parts ? "two files have this path" : "the path leads out of the folder", "");
    if (auto flaw = flawOnTheWay(folder, *parts)) return flaw;
    if (auto flaw = flawOfTarget(folder / file.path, file, overwrite)) return flaw;
    const fs::path parent = (folder / file.path).parent_path();
    std::error_code ec;
    if (fs::exists(parent, ec)) {
      if (auto flaw = flawOfFolder(parent)) return flaw;
    }
  }
  return std::nullopt;
}

mode_t modeOf(const ExportedFile& file) {
  if (file.secret) return 0600;
  return file.executable ? 0755 : 0644;
}

}  // namespace

Result<std::vector<fs::path>> writeBundle(const ExportBundle& bundle, const fs::path& folder,
                                          bool overwrite) {
  if (auto flaw = flawOf(bundle, folder, overwrite)) return failure(*flaw);
  std::vector<fs::path> written;
  for (const ExportedFile& file : bundle.files) {
    const fs::path target = folder / file.path;
    std::error_code ec;
    fs::create_directories(target.parent_path(), ec);
    if (ec)
      return failure(errnoError(fmt::format("cannot create the folder '{}'", target.parent_path().string()),
                                ec.value(), "choose a folder that you may write to"));
    if (auto done = writeFileAtomically(target, file.content, modeOf(file)); !done)
      return failure(done.error());
    written.push_back(target);
  }
  return written;
}

}  // namespace lockstep
