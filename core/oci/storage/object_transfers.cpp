// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/storage/object_transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "base/text/encoding.h"
#include "oci/calls/side_by_side.h"
#include "oci/calls/typed_calls.h"
#include "oci/storage/file_slice.h"
#include "oci/storage/multipart_client.h"
#include "oci/storage/object_paths.h"
#include "oci/storage/partial_download.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMaxParts = 10'000;
constexpr int kRangeFailures = 5;  // in a row, without a byte in between
constexpr int kReplacements = 3;   // of an object while it is downloaded
constexpr auto kAbortTime = 30s;

Result<void> checkDownload(const std::string& object, const ObjectHead& head,
                           const std::filesystem::path& file) {
  if (head.md5.empty()) return {};  // what was put in parts has none; each range was of the right object
  const auto opened = OpenFile::open(file);
  const auto checksum = opened ? FileSlice(*opened, 0, head.size).md5() : failure(opened.error());
  if (!checksum) return failure(checksum.error());
  if (*checksum == head.md5) return {};
  return failure(ErrorCode::DataLoss, fmt::format("cannot download '{}'", object),
                 "its bytes do not have the checksum they should have", "try again");
}

}  // namespace

/// What is uploaded in which parts.
struct ObjectTransfers::PartPlan {
  std::shared_ptr<OpenFile> file;
  std::string object;
  std::uint64_t partSize = 0;

  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>((file->size() + partSize - 1) / partSize);
  }
  [[nodiscard]] std::shared_ptr<FileSlice> part(std::size_t index) const {
    const std::uint64_t offset = index * partSize;
    return std::make_shared<FileSlice>(file, offset, std::min(partSize, file->size() - offset));
  }
};

class ObjectTransfers::Progress {
 public:
  Progress(const Options& options, std::uint64_t total) : options_(options), total_(total) {}
  void add(std::uint64_t bytes) {
    if (!options_.progress) return;
    const std::lock_guard lock(mutex_);
    done_ += bytes;
    options_.progress(done_, total_);
  }

 private:
  const Options& options_;
  const std::uint64_t total_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
};

Result<PutAnswer> ObjectTransfers::upload(const std::filesystem::path& file, const std::string& object,
                                          const std::stop_token& stop, Unfinished unfinished,
                                          const PutOptions& put) {
  if (auto fine = checkObjectName(object); !fine) return failure(fine.error());
  const auto opened = OpenFile::open(file);
  if (!opened) return failure(opened.error());
  PartPlan plan{*opened, object, std::max<std::uint64_t>(1, options_.partSize)};
  const std::uint64_t size = plan.file->size();
  plan.partSize = std::max(plan.partSize, (size + kMaxParts - 1) / kMaxParts);
  if (size > plan.partSize) return uploadInParts(plan, put, unfinished, stop);
  const auto whole = std::make_shared<FileSlice>(plan.file, 0, size);
  const auto checksum = whole->md5();
  if (!checksum) return failure(checksum.error());
  ServiceCall call = storageCall("PutObject", "PUT", objectPath(place_.nameSpace, place_.bucket, object));
  addPutHeaders(call, put);
  call.headers.emplace_back("content-md5", *checksum);
  call.source = whole;
  call.bodySigning = BodySigning::Excluded;
  call.timeout = timeFor(size);
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  if (plan.file->hasChanged())
    return failure(ErrorCode::FailedPrecondition,
                   fmt::format("'{}' changed while it was uploaded", file.string()), {}, "upload it again");
  Progress(options_, size).add(size);
  return PutAnswer{headerValue(response->headers, "etag"), headerValue(response->headers, "opc-content-md5"),
                   headerValue(response->headers, "version-id")};
}

Result<PutAnswer> ObjectTransfers::uploadInParts(const PartPlan& plan, const PutOptions& put,
                                                 Unfinished unfinished, const std::stop_token& stop) {
  MultipartClient client(services_, place_);
  MultipartUpload upload{plan.object, {}, {}};
  if (unfinished == Unfinished::Keep) {
    const auto known = client.listUploads(stop);
    if (!known) return failure(known.error());
    for (const MultipartUpload& one : *known) {
      const bool isNewer = upload.uploadId.empty() || one.timeCreated > upload.timeCreated;
      if (one.object == plan.object && isNewer) upload = one;
    }
  }
  if (upload.uploadId.empty()) {
    auto created = client.create(plan.object, put, stop);
    if (!created) return failure(created.error());
    upload.uploadId = *std::move(created);
  }
  const auto parts = sendParts(plan, upload, stop);
  auto answer = parts ? client.commit(upload, *parts, put, stop) : failure(parts.error());
  if (answer || unfinished == Unfinished::Keep) return answer;
  // Not with `stop`, which may be what ended it: parts that nobody sees would cost money for ever.
  std::stop_source limit;
  const std::jthread timer([&limit](const std::stop_token& over) {
    SystemClock().sleepFor(kAbortTime, over);
    limit.request_stop();
  });
  if (const auto gone = client.abort(upload, limit.get_token()); !gone) {
    const bool isGone = gone.error().service && gone.error().service->httpStatus == 404;
    if (!isGone)
      answer.error().remedy += fmt::format("{}its parts are still in the bucket: abort the upload '{}'",
                                           answer.error().remedy.empty() ? "" : "; ", upload.uploadId);
  }
  return answer;
}

Result<std::vector<UploadedPart>> ObjectTransfers::sendParts(const PartPlan& plan,
                                                             const MultipartUpload& upload,
                                                             const std::stop_token& stop) {
  MultipartClient client(services_, place_);
  const auto known = client.listParts(upload, stop);
  if (!known) return failure(known.error());
  Progress progress(options_, plan.file->size());
  std::vector<UploadedPart> parts(plan.count());
  auto done = sideBySide(
      parts.size(), options_.parallel, stop,
      [&](std::size_t index, const std::stop_token& token) -> Result<void> {
        const int number = static_cast<int>(index) + 1;
        const auto slice = plan.part(index);
        const auto checksum = slice->md5();
        if (!checksum) return failure(checksum.error());
        const auto there = std::find_if(known->begin(), known->end(), [&](const UploadedPart& part) {
          return part.number == number && part.size == slice->size() && part.md5 == *checksum;
        });
        auto sent = there != known->end() ? Result<UploadedPart>(*there)
                                          : client.uploadPart(upload, number, slice, *checksum, token);
        if (!sent) return failure(sent.error());
        parts[index] = *std::move(sent);
        progress.add(slice->size());
        return {};
      });
  if (!done) return failure(done.error());
  if (!plan.file->hasChanged()) return parts;
  return failure(ErrorCode::FailedPrecondition,
                 fmt::format("'{}' changed while it was uploaded", plan.file->path().string()), {},
                 "upload it again");
}

// Keeps what came of a range when its connection breaks, and asks for the rest.
Result<void> ObjectTransfers::fetchRange(const std::string& object, const std::string& etag,
                                         PartialDownload& file, std::size_t index, Progress& progress,
                                         const std::stop_token& stop) {
  int failures = 0;
  while (true) {
    const PartialDownload::Range before = file.range(index);
    if (before.got == before.size) return {};
    ServiceCall call = storageCall("GetObject", "GET", objectPath(place_.nameSpace, place_.bucket, object));
    call.headers = {
        {"range", fmt::format("bytes={}-{}", before.first + before.got, before.first + before.size - 1)},
        {"if-match", etag}};
    call.timeout = timeFor(before.size);
    std::optional<Error> writeTrouble;
    call.receive = [&](std::string_view bytes) {
      const auto written = file.write(index, bytes);
      if (!written) writeTrouble = written.error();
      if (written) progress.add(*written);
      return written && *written == bytes.size();
    };
    const auto response = services_->call(call, stop);
    if (writeTrouble) return failure(*writeTrouble);
    if (response && response->status != 206)
      return failure(malformed(call, *response, "it is not the range that was asked for"));
    const bool tooMuch = !response && response.error().code == ErrorCode::Cancelled && !stop.stop_requested();
    if (tooMuch)
      return failure(ErrorCode::DataLoss, fmt::format("cannot download '{}'", object),
                     "the service sent more than the range that was asked for");
    const std::uint64_t got = file.range(index).got;
    if (got == before.size) return {};
    failures = got > before.got ? 0 : failures + 1;
    if (response && failures > 0)
      return failure(malformed(call, *response, "it ends before the range that was asked for"));
    const bool mayPass = response || response.error().code == ErrorCode::Unavailable ||
                         response.error().code == ErrorCode::DeadlineExceeded;
    if (!mayPass || failures >= kRangeFailures) return failure(response.error());
  }
}

Result<void> ObjectTransfers::fetchRanges(const std::string& object, const ObjectHead& head,
                                          PartialDownload& file, const std::stop_token& stop) {
  Progress progress(options_, head.size);
  progress.add(file.already());
  return sideBySide(file.count(), options_.parallel, stop,
                    [&](std::size_t index, const std::stop_token& token) {
                      return fetchRange(object, head.etag, file, index, progress, token);
                    });
}

Result<ObjectHead> ObjectTransfers::downloadOnce(const std::string& object, const std::filesystem::path& file,
                                                 Unfinished unfinished, const std::stop_token& stop) {
  const auto head = ObjectStorageClient(services_).headObject(place_.nameSpace, place_.bucket, object, stop);
  if (!head) return head;
  auto part = PartialDownload::open(file, *head, options_.partSize, unfinished == Unfinished::Keep);
  if (!part) return failure(part.error());
  if (auto done = fetchRanges(object, *head, **part, stop); !done) return failure(done.error());
  if (auto fine = checkDownload(object, *head, (*part)->path()); !fine) {
    (*part)->discard();
    // What lay on the disk since an earlier time may have gone bad there.
    const bool isOld = (*part)->already() > 0;
    part->reset();
    return isOld ? downloadOnce(object, file, unfinished, stop) : failure(fine.error());
  }
  if (auto done = (*part)->finish(); !done) return failure(done.error());
  return head;
}

Result<ObjectHead> ObjectTransfers::download(const std::string& object, const std::filesystem::path& file,
                                             const std::stop_token& stop, Unfinished unfinished) {
  for (int attempt = 1;; ++attempt) {
    auto head = downloadOnce(object, file, unfinished, stop);
    const bool isReplaced = !head && head.error().service && head.error().service->httpStatus == 412;
    if (!isReplaced || unfinished == Unfinished::Abort || attempt == kReplacements) return head;
  }
}

std::vector<Result<std::string>> ObjectTransfers::fetchMany(const std::vector<std::string>& names,
                                                            const std::stop_token& stop) {
  const Error notFetched{ErrorCode::Cancelled, "the transfer was cancelled", {}, {}, {}, {}};
  std::vector<Result<std::string>> objects(names.size(), failure(notFetched));
  ObjectStorageClient client(services_);
  // A failure is the object's own and ends no other.
  (void)sideBySide(names.size(), options_.parallel, stop,
                   [&](std::size_t index, const std::stop_token& token) -> Result<void> {
                     objects[index] =
                         client.getObject(place_.nameSpace, place_.bucket, names[index], std::nullopt, token);
                     return {};
                   });
  return objects;
}

}  // namespace lockstep::oci
