// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/code/artifact_sync.h"

#include <fmt/format.h>

#include "base/child_process.h"
#include "base/clock.h"
#include "oci/storage/object_storage_client.h"
#include "oci/storage/object_transfers.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::string& first, const std::string& second) {
  return first.empty() ? second : first + "/" + second;
}

ArtifactSink sinkIntoBucket(const std::shared_ptr<oci::ServiceClient>& services, const std::string& ns,
                            const std::string& bucket, const std::string& prefix) {
  return [=](const fs::path& file, const std::string& name, const std::stop_token& stop) -> Result<void> {
    oci::ObjectTransfers transfers(services, {ns, bucket});
    const auto put = transfers.upload(file, joined(prefix, name), stop);
    if (!put) return failure(put.error());
    return {};
  };
}

ArtifactSink sinkIntoFolder(const fs::path& target) {
  return [=](const fs::path& file, const std::string& name, const std::stop_token&) -> Result<void> {
    const fs::path to = target / name;
    const fs::path part = to.string() + ".lockstep-part";
    std::error_code error;
    fs::create_directories(to.parent_path(), error);
    if (!error) fs::copy_file(file, part, fs::copy_options::overwrite_existing, error);
    if (!error) fs::rename(part, to, error);
    if (error) return failure(errnoError(fmt::format("cannot keep '{}'", file.string()), error.value()));
    return {};
  };
}

Result<ArtifactSink> sinkFor(const NodeSettings& settings, const Environment& environment,
                             const std::shared_ptr<oci::ServiceClient>& services,
                             const std::stop_token& stop) {
  const std::string below = fmt::format("sync/{}/{}", settings.jobId, settings.jobRunId);
  const std::string workspace = environmentValue(environment, "WORKSPACE");
  if (workspace.empty()) {
    const auto uri = parseWorkDirUri(settings.workDir);
    if (!uri) return failure(uri.error());
    if (uri->scheme == WorkDirUri::Scheme::File) return sinkIntoFolder(fs::path(uri->prefix) / below);
    return sinkIntoBucket(services, uri->nameSpace, uri->bucket, joined(uri->prefix, below));
  }
  if (!services)
    return failure(ErrorCode::Unauthenticated, fmt::format("cannot sync to the bucket '{}'", workspace),
                   "there are no credentials", "run inside a job run, or set OCI_IAM_TYPE=api_key");
  const auto ns = oci::ObjectStorageClient(services).getNamespace(stop);
  if (!ns) return failure(ns.error());
  return sinkIntoBucket(services, *ns, workspace,
                        joined(environmentValue(environment, "WORKSPACE_PREFIX"), below));
}

}  // namespace

Result<std::unique_ptr<ArtifactSync>> ArtifactSync::open(const NodeSettings& settings,
                                                         const Environment& environment,
                                                         const std::shared_ptr<oci::ServiceClient>& services,
                                                         const std::stop_token& stop) {
  if (settings.syncFolder.empty()) return nullptr;
  auto sink = sinkFor(settings, environment, services, stop);
  if (!sink) return failure(sink.error());
  return std::make_unique<ArtifactSync>(settings.syncFolder, settings.syncInterval, std::move(*sink));
}

ArtifactSync::ArtifactSync(fs::path folder, std::chrono::milliseconds interval, ArtifactSink sink)
    : folder_(std::move(folder)),
      interval_(interval),
      sink_(std::move(sink)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void ArtifactSync::run(const std::stop_token& stop) {
  SystemClock clock;
  while (clock.sleepFor(interval_, stop)) {
    [[maybe_unused]] const auto done = syncNow(stop);  // what failed is tried again; the last round tells
  }
}

int ArtifactSync::filesKept() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(kept_.size());
}

Result<void> ArtifactSync::syncNow(const std::stop_token& stop) {
  const std::lock_guard lock(mutex_);
  Result<void> outcome;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder_, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (!entry->is_regular_file(ignored)) continue;
    const auto kept = keep(entry->path(), stop);
    if (!kept && outcome) outcome = failure(kept.error());
    if (stop.stop_requested()) break;
  }
  return outcome;
}

Result<bool> ArtifactSync::keep(const fs::path& file, const std::stop_token& stop) {
  const auto look = [&file]() -> std::optional<Seen> {
    std::error_code error;
    Seen seen{fs::last_write_time(file, error), 0};
    if (!error) seen.size = fs::file_size(file, error);
    return error ? std::nullopt : std::optional(seen);
  };
  const auto before = look();
  if (!before) return false;  // gone again
  const std::string name = file.lexically_relative(folder_).generic_string();
  const auto known = kept_.find(name);
  if (known != kept_.end() && known->second == *before) return false;
  if (auto sent = sink_(file, name, stop); !sent) return failure(sent.error());
  if (look() == before)
    kept_[name] = *before;  // else it was written meanwhile: once more with the next round
  return true;
}

}  // namespace lockstep::node
