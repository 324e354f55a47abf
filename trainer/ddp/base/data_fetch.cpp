// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/data_fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/atomic_file.h"
#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/user_dirs.h"
#include "oci/calls/service_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/storage/object_storage_client.h"
#include "oci/storage/object_transfers.h"
#include "trainer/data/folder_lock.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;
using Tell = std::function<void(const std::string&)>;

constexpr const char* kLedgerName = ".lockstep-fetched.json";
constexpr double kMega = 1e6;

// Which objects have come: name -> etag.
using Ledger = std::map<std::string, std::string>;

Ledger readLedger(const fs::path& folder) {
  Ledger ledger;
  const auto text = readFile(folder / kLedgerName);
  const auto json = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!json.is_object()) return ledger;  // fetched anew then
  for (const auto& [name, etag] : json.items())
    if (etag.is_string()) ledger[name] = etag.get<std::string>();
  return ledger;
}

bool leadsOut(const fs::path& name) {
  return name.is_absolute() || name.empty() || std::ranges::find(name, fs::path("..")) != name.end();
}

// A line at the start, then every five seconds at most, then at the end.
class ProgressLines {
 public:
  ProgressLines(std::string what, std::uint64_t total, const Tell& tell)
      : what_(std::move(what)), total_(total), tell_(tell) {}
  void fileDone(std::uint64_t bytes) {
    before_ += bytes;
    isBegun_ = false;
  }
  void inFile(std::uint64_t done) {
    if (!std::exchange(isBegun_, true)) already_ += done;  // a download begins with what was there
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(5)) return;
    last_ = now;
    const double all = static_cast<double>(std::max<std::uint64_t>(total_, 1));
    tell_(fmt::format("Fetching {}: {:.0f} % of {:.1f} MB", what_,
                      100.0 * static_cast<double>(before_ + done) / all,
                      static_cast<double>(total_) / kMega));
  }
  /// Bytes that an earlier fetch had brought.
  [[nodiscard]] std::uint64_t already() const { return already_; }

 private:
  std::string what_;
  std::uint64_t total_, before_ = 0, already_ = 0;
  bool isBegun_ = false;
  const Tell& tell_;
  std::chrono::steady_clock::time_point last_{};
};

std::string alreadyText(std::uint64_t bytes) {
  return bytes == 0 ? "" : fmt::format(", {:.1f} MB of it here before", static_cast<double>(bytes) / kMega);
}

struct Wanted {
  oci::ObjectSummary object;
  std::string name;  // in the folder
};

Result<std::vector<Wanted>> listWanted(oci::ObjectStorageClient& client, const oci::BucketRef& place,
                                       const std::string& prefix, const std::stop_token& stop) {
  auto listing = client.listFolder(place.nameSpace, place.bucket, prefix, false, stop);
  if (!listing) return failure(listing.error());
  std::vector<Wanted> wanted;
  for (oci::ObjectSummary& object : listing->objects) {
    std::string name = object.name.substr(prefix.size());
    if (name.empty() || name.ends_with('/')) continue;  // the mark of a folder
    if (leadsOut(name))
      return failure(ErrorCode::InvalidArgument,
                     fmt::format("the object '{}' cannot become a file", object.name),
                     "its name leads out of the folder", "rename it in the bucket");
    wanted.push_back({std::move(object), std::move(name)});
  }
  if (!wanted.empty()) return wanted;
  return failure(ErrorCode::NotFound,
                 fmt::format("no data in 'oci://{}@{}/{}'", place.bucket, place.nameSpace, prefix),
                 "no object lies there", "upload the files, or correct --data-dir");
}

std::vector<Wanted> missingOf(std::vector<Wanted> wanted, const Ledger& ledger, const fs::path& folder) {
  std::erase_if(wanted, [&](const Wanted& one) {
    std::error_code error;
    const auto found = ledger.find(one.name);
    return found != ledger.end() && found->second == one.object.etag &&
           fs::file_size(folder / one.name, error) == one.object.size && !error;
  });
  return wanted;
}

}  // namespace

Result<void> fetchData(const std::shared_ptr<oci::ServiceClient>& services, const oci::BucketRef& place,
                       const std::string& prefix, const fs::path& folder, const Tell& tell,
                       const std::stop_token& stop) {
  const auto lock = FolderLock::take(folder, ".lockstep-fetch.lock");
  if (!lock) return failure(lock.error());
  oci::ObjectStorageClient client(services);
  auto wanted = listWanted(client, place, prefix, stop);
  if (!wanted) return failure(wanted.error());
  const std::size_t all = wanted->size();
  Ledger ledger = readLedger(folder);
  const std::vector<Wanted> missing = missingOf(std::move(*wanted), ledger, folder);
  std::uint64_t bytes = 0;
  for (const Wanted& one : missing) bytes += one.object.size;
  const std::string what = fmt::format("oci://{}@{}/{}", place.bucket, place.nameSpace, prefix);
  ProgressLines lines(what, bytes, tell);
  oci::ObjectTransfers::Options options;
  options.progress = [&lines](std::uint64_t done, std::uint64_t) { lines.inFile(done); };
  oci::ObjectTransfers transfers(services, place, options);
  for (const Wanted& one : missing) {
    std::error_code error;
    fs::create_directories((folder / one.name).parent_path(), error);
    const auto head =
        transfers.download(one.object.name, folder / one.name, stop, oci::ObjectTransfers::Unfinished::Keep);
    if (!head) return failure(head.error());
    lines.fileDone(one.object.size);
    ledger[one.name] = head->etag;
    if (auto kept = writeFileAtomically(folder / kLedgerName, nlohmann::json(ledger).dump()); !kept)
      return kept;
  }
  if (!missing.empty())
    tell(fmt::format("Fetched {} of {} files ({:.1f} MB{}) from '{}'", missing.size(), all,
                     static_cast<double>(bytes) / kMega, alreadyText(lines.already()), what));
  return {};
}

Result<fs::path> localData(const std::string& dataDir, const std::string& cache,
                           const std::map<std::string, std::string>& environment, const Tell& tell) {
  if (!dataDir.starts_with("oci://")) return fs::path(dataDir);
  const auto uri = parseWorkDirUri(dataDir);
  if (!uri) return failure(uri.error());
  const auto services = oci::openServiceClientInJobRun(environment);
  if (!services) return failure(services.error());
  const fs::path root = cache.empty() ? userCacheDir() / "data" : fs::path(cache);
  const fs::path folder = root / toHex(sha256(uri->toString())).substr(0, 16);
  const std::string prefix = uri->prefix.empty() ? "" : uri->prefix + "/";
  const auto fetched = fetchData(*services, {uri->nameSpace, uri->bucket}, prefix, folder, tell, {});
  if (!fetched) return failure(fetched.error());
  return folder;
}

}  // namespace lockstep::trainer
