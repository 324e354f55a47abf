// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/storage/bucket_fixes.h"

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/text/encoding.h"
#include "oci/calls/typed_calls.h"
#include "oci/storage/object_paths.h"
#include "oci/storage/object_storage_client.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

using Applied = Result<std::vector<AppliedChange>>;

constexpr const char* kCreated = "bucket-created";
constexpr const char* kClosed = "bucket-closed";
constexpr const char* kPrivate = "NoPublicAccess";

AppliedChange changeOf(std::string kind, std::string title, nlohmann::json undo) {
  AppliedChange change;
  change.kind = std::move(kind);
  change.title = std::move(title);
  change.undo = std::move(undo);
  return change;
}

std::string textOf(const WorkDirUri& uri, const std::string& compartment, const std::string& access) {
  return fmt::format("bucket {}\n  namespace {}\n  compartment {}\n  public access: {}\n", uri.bucket,
                     uri.nameSpace, compartment, access);
}

oci::ServiceCall accessCall(const std::string& ns, const std::string& bucket, const std::string& access,
                            const std::string& etag) {
  auto call = oci::postTo(oci::Service::ObjectStorage, "UpdateBucket", oci::bucketPath(ns, bucket),
                          {{"publicAccessType", access}}, {});
  if (!etag.empty()) call.headers.emplace_back("if-match", etag);
  return call;
}

Applied create(const ServicesPtr& services, const WorkDirUri& uri, const std::string& compartmentId,
               const std::stop_token& stop) {
  const auto bucket =
      oci::ObjectStorageClient(services).createBucket(uri.nameSpace, {uri.bucket, compartmentId}, stop);
  if (!bucket) {
    Error error = bucket.error();
    if (error.code == ErrorCode::AlreadyExists || error.code == ErrorCode::FailedPrecondition)
      error.remedy =
          "a bucket of that name is in this namespace already, in a compartment that you may not "
          "see: choose another name, or ask for a policy that lets you use it";
    return failure(error);
  }
  return std::vector{changeOf(kCreated, fmt::format("created bucket '{}'", uri.bucket),
                              {{"namespace", uri.nameSpace}, {"bucket", uri.bucket}})};
}

Applied close(const ServicesPtr& services, const WorkDirUri& uri, const std::string& etag,
              const std::string& before, const std::stop_token& stop) {
  const auto answer = services->call(accessCall(uri.nameSpace, uri.bucket, kPrivate, etag), stop);
  if (!answer) return failure(answer.error());
  return std::vector{changeOf(kClosed, fmt::format("closed bucket '{}' to the public", uri.bucket),
                              {{"namespace", uri.nameSpace},
                               {"bucket", uri.bucket},
                               {"before", before},
                               {"etag", headerValue(answer->headers, "etag")}})};
}

Applied probe(const ServicesPtr& services, const WorkDirUri& uri, const std::stop_token& stop) {
  oci::ObjectStorageClient storage(services);
  const std::string bytes = "Lockstep looks whether it may write here\n";
  const std::string name =
      fmt::format("{}{}lockstep-probe-{}", uri.prefix, uri.prefix.empty() ? "" : "/", toHex(randomBytes(8)));
  oci::PutOptions options;
  options.isNew = true;
  if (const auto put = storage.putObject(uri.nameSpace, uri.bucket, name, bytes, stop, options); !put)
    return failure(put.error());
  const auto read = storage.getObject(uri.nameSpace, uri.bucket, name, {}, stop);
  // Deleted even when the user has given up meanwhile: it is to leave nothing.
  if (const auto gone = storage.deleteObject(uri.nameSpace, uri.bucket, name, {}); !gone) {
    Error error = gone.error();
    error.cause += fmt::format("; the object '{}' is left in bucket '{}'", name, uri.bucket);
    return failure(error);
  }
  if (!read) return failure(read.error());
  if (*read != bytes)
    return failure(ErrorCode::DataLoss, fmt::format("object '{}' reads other than it was written", name),
                   fmt::format("{} bytes instead of {}", read->size(), bytes.size()));
  return std::vector<AppliedChange>{};
}

}  // namespace

ProposedFix createBucketFix(const ServicesPtr& services, const WorkDirUri& uri,
                            const oci::Compartment& compartment) {
  ProposedFix fix;
  fix.id = "create-bucket";
  fix.title = fmt::format("create bucket '{}' in compartment {}", uri.bucket, compartment.name);
  fix.after = textOf(uri, fmt::format("{} ({})", compartment.name, compartment.id), "none");
  fix.calls = {fmt::format("CreateBucket POST /n/{}/b", uri.nameSpace)};
  fix.apply = [services, uri, id = compartment.id](const std::stop_token& stop) {
    return create(services, uri, id, stop);
  };
  return madeIn(compartment, std::move(fix));
}

ProposedFix closeBucketFix(const ServicesPtr& services, const WorkDirUri& uri, const std::string& etag,
                           const std::string& publicAccess) {
  ProposedFix fix;
  fix.id = "close-bucket";
  fix.title = fmt::format("let only those with a policy read bucket '{}'", uri.bucket);
  fix.before = fmt::format("bucket {}\n  public access: {}\n", uri.bucket, publicAccess);
  fix.after = fmt::format("bucket {}\n  public access: none\n", uri.bucket);
  fix.calls = {fmt::format("UpdateBucket POST /n/{}/b/{}", uri.nameSpace, uri.bucket)};
  fix.apply = [services, uri, etag, publicAccess](const std::stop_token& stop) {
    return close(services, uri, etag, publicAccess, stop);
  };
  return fix;
}

ProposedFix probeBucketFix(const ServicesPtr& services, const WorkDirUri& uri) {
  ProposedFix fix;
  fix.id = "probe-bucket";
  fix.title = fmt::format("write, read and delete an object in bucket '{}' (leaves nothing)", uri.bucket);
  const std::string path = fmt::format("/n/{}/b/{}/o/…lockstep-probe-…", uri.nameSpace, uri.bucket);
  fix.calls = {"PutObject PUT " + path, "GetObject GET " + path, "DeleteObject DELETE " + path};
  fix.apply = [services, uri](const std::stop_token& stop) { return probe(services, uri, stop); };
  return fix;
}

Result<void> takeBackBucketChange(const ServicesPtr& services, const AppliedChange& change,
                                  const std::stop_token& stop) {
  const std::string ns = stringField(change.undo, "namespace"), bucket = stringField(change.undo, "bucket");
  if (change.kind == kCreated) {
    auto done = oci::ObjectStorageClient(services).deleteBucket(ns, bucket, stop);
    const bool isGone = !done && done.error().code == ErrorCode::NotFound;
    if (done || isGone) return {};
    Error error = done.error();
    error.remedy = fmt::format(
        "what is in bucket '{}' was put there since: delete it first if nobody needs "
        "it",
        bucket);
    return failure(error);
  }
  const auto answer = services->call(
      accessCall(ns, bucket, stringField(change.undo, "before"), stringField(change.undo, "etag")), stop);
  if (!answer) return failure(answer.error());
  return {};
}

}  // namespace lockstep
