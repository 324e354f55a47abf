// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/folder/run_folder.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <vector>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kForms =
    "name the folder of one run in a work dir: file:///PATH/RUN, a path, or "
    "oci://BUCKET@NAMESPACE/PREFIX/RUN; RUN is the "
    "OCID of the job, or Undefined outside the service";
constexpr const char* kExpected =
    "lockstep/run.json, lockstep/metrics/, lockstep/heartbeat.json or MAIN_config.json";
constexpr int kMaxLooks = 1000;  // at folders, for a hint
constexpr std::size_t kMaxHints = 3;

bool hasScheme(const std::string& reference) {
  return reference.find("://") != std::string::npos;
}

tl::unexpected<Error> refuse(const std::string& reference, std::string cause) {
  return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is not the folder of a run", reference),
                 std::move(cause), kForms);
}

std::string withoutSlashes(std::string text) {
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

/// Takes the last part off a path.
std::string popName(std::string& path) {
  const std::size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  path.resize(slash == std::string::npos ? 0 : slash);
  return name;
}

// What somebody meant who named the work dir: the runs in it.
std::string runsBelow(const fs::path& folder) {
  std::error_code ec;
  std::vector<std::string> names;
  int looks = 0;
  for (fs::directory_iterator it(folder, ec), end; !ec && it != end && ++looks <= kMaxLooks;
       it.increment(ec)) {
    std::error_code none;
    if (fs::is_directory(it->path() / "lockstep", none) && names.size() <= kMaxHints)
      names.push_back(it->path().string());
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i == kMaxHints ? " …" : ", ") + (i == kMaxHints ? std::string() : names[i]);
  return text;
}

Error notARun(const RunFolder& folder) {
  Error error{ErrorCode::NotFound,
              fmt::format("there is no run in '{}'", folder.uri()),
              fmt::format("below it there is none of {}", kExpected),
              kForms,
              {},
              {}};
  if (folder.workDir.scheme != WorkDirUri::Scheme::File) return error;
  std::error_code ec;
  const fs::path path = fs::path(folder.workDir.prefix) / folder.name;
  const fs::file_status status = fs::status(path, ec);
  if (!fs::exists(status)) {
    error.cause = "there is no such folder";
  } else if (!fs::is_directory(status)) {
    error.code = ErrorCode::InvalidArgument;
    error.cause = "it is a file, and no folder";
  } else if (const std::string runs = runsBelow(path); !runs.empty()) {
    error.code = ErrorCode::InvalidArgument;
    error.cause = "it is a work dir, in which runs lie";
    error.remedy = "name the folder of one of them: " + runs;
  }
  return error;
}

}  // namespace

std::string RunFolder::uri() const {
  const std::string parent = workDir.toString();
  return parent + (parent.ends_with('/') ? "" : "/") + name;
}

bool isFolderHere(const std::string& reference) {
  std::error_code ec;
  return fs::is_directory(reference, ec);
}

bool namesRunFolder(const std::string& reference) {
  if (hasScheme(reference) || reference == "." || reference == "..") return true;
  std::error_code ec;
  return reference.find('/') != std::string::npos && !fs::is_regular_file(reference, ec);
}

Result<RunFolder> parseRunFolder(const std::string& reference) {
  std::error_code ec;
  const bool isPath = !hasScheme(reference);
  if (isPath && reference.empty()) return refuse(reference, "it is empty");
  auto place = parseWorkDirUri(isPath ? fs::absolute(reference, ec).string() : reference);
  if (!place) return refuse(reference, place.error().cause);
  if (place->scheme == WorkDirUri::Scheme::File)
    place->prefix = withoutSlashes(fs::path(place->prefix).lexically_normal().string());
  RunFolder folder{*std::move(place), {}};
  folder.name = popName(folder.workDir.prefix);
  if (folder.name.empty())
    return refuse(reference, folder.workDir.scheme == WorkDirUri::Scheme::Oci
                                 ? "it is a bucket, and no folder in one"
                                 : "it is the root of the disk");
  if (folder.workDir.scheme == WorkDirUri::Scheme::File && folder.workDir.prefix.empty())
    folder.workDir.prefix = "/";
  return folder;
}

Result<void> expectRun(const RunFolder& folder, ObjectStore& workDir, const std::stop_token& stop) {
  // The cheap ones first; the metrics may be very many.
  const std::array names{layout::runDescription(folder.name), layout::heartbeatFile(folder.name),
                         layout::failureFile(folder.name), layout::mainConfig(folder.name),
                         layout::metricsFolder(folder.name)};
  for (const std::string& name : names) {
    const auto found = workDir.list(name, {}, stop);
    if (!found && found.error().code != ErrorCode::NotFound) return failure(found.error());
    if (found && !found->empty()) return {};
  }
  return failure(notARun(folder));
}

TrainingRun runAt(const RunFolder& folder) {
  TrainingRun run;
  run.id = RunId(folder.uri());
  // All runs outside the service have the same one; their work dirs tell them apart.
  std::string parent = folder.workDir.prefix;
  const std::string workDirName = popName(parent);
  const bool hasOwnName = folder.name.starts_with("ocid1.") || workDirName.empty();
  run.name = hasOwnName ? folder.name : workDirName + "/" + folder.name;
  run.backend = kFolderBackend;
  run.jobId = JobId(folder.name);
  run.workDir = folder.workDir.toString();
  run.launchComplete = true;
  return run;
}

}  // namespace lockstep
