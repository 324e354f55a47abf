// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/storage/bucket_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "oci/storage/object_paths.h"
#include "oci/storage/object_storage_client.h"
#include "setup/step/findings.h"
#include "setup/storage/bucket_fixes.h"
#include "setup/storage/bucket_search.h"

namespace lockstep {
namespace {

class BucketStep final : public SetupStep {
 public:
  explicit BucketStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "bucket"; }
  StepReport check(const std::stop_token& stop) override;
  Result<void> takeBack(const AppliedChange& change, const std::stop_token& stop) override;

 private:
  SetupContextPtr context_;
};

/// One check of one work dir. Collects findings, fixes and facts.
class BucketCheck {
 public:
  BucketCheck(const SetupContext& context, ServicesPtr services, const std::stop_token& stop)
      : context_(context), services_(std::move(services)), stop_(stop) {}

  StepReport named(const WorkDirUri& uri);
  StepReport pick();

 private:
  void checkNamespace(const WorkDirUri& uri);
  void checkBucket(const WorkDirUri& uri);
  void checkProperties(const WorkDirUri& uri, const nlohmann::json& bucket);
  void checkPlace(const WorkDirUri& uri, const std::string& compartmentId);
  void checkObjects(const WorkDirUri& uri);
  void proposeBucket(const WorkDirUri& uri);
  bool isBlocked() const { return reportOf(findings_).state == StepState::Blocked; }
  StepReport report() {
    StepReport report = reportOf(std::move(findings_));
    report.fixes = std::move(fixes_);
    report.facts = std::move(facts_);
    return report;
  }

  const SetupContext& context_;
  const ServicesPtr services_;
  const std::stop_token stop_;
  std::vector<Finding> findings_;
  std::vector<ProposedFix> fixes_;
  std::map<std::string, std::string> facts_;
};

// Bucket names: letters, digits, '-', '_' and '.' (oci-rest-contract 4.3).
bool isBucketName(const std::string& name) {
  return !name.empty() && name.size() <= 256 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
             std::string::npos;
}

void BucketCheck::checkNamespace(const WorkDirUri& uri) {
  const auto own = context_.nameSpace(stop_);
  if (!own) {
    findings_.push_back(refusedFinding(own.error()));
  } else if (*own == uri.nameSpace) {
    findings_.push_back({StepState::Ready,
                         fmt::format("namespace '{}' is the tenancy's", uri.nameSpace),
                         "GetNamespace 200",
                         {}});
  } else {
    findings_.push_back({StepState::Warning,
                         fmt::format("namespace '{}' of the work dir is not the tenancy's, which is '{}'",
                                     uri.nameSpace, *own),
                         "GetNamespace 200",
                         fmt::format("write oci://{}@{}/{} unless the bucket of another tenancy is meant",
                                     uri.bucket, *own, uri.prefix),
                         "namespace-not-own"});
  }
}

void BucketCheck::proposeBucket(const WorkDirUri& uri) {
  const auto own = context_.nameSpace(stop_);
  if (!own || *own != uri.nameSpace) return;  // nobody creates buckets in another tenancy
  const auto compartment = context_.compartment(stop_);
  if (compartment) {
    fixes_.push_back(createBucketFix(services_, uri, *compartment));
  } else {
    findings_.push_back(noCompartmentFinding(compartment.error()));
  }
}

void BucketCheck::checkBucket(const WorkDirUri& uri) {
  const auto call = oci::storageCall("GetBucket", "GET", oci::bucketPath(uri.nameSpace, uri.bucket));
  const auto answer = services_->call(call, stop_);
  if (!answer && answer.error().code == ErrorCode::NotFound) {
    MissingBucket missing = missingBucket(context_, uri, answer.error(), stop_);
    findings_.push_back(std::move(missing.finding));
    if (findings_.back().code == "bucket-missing" || !missing.meant.empty()) proposeBucket(uri);
    if (!missing.meant.empty()) {
      WorkDirUri meant = uri;
      meant.bucket = missing.meant;
      facts_["cluster.workDir"] = meant.toString();
    }
    return;
  }
  if (!answer) {
    findings_.push_back(refusedFinding(answer.error()));
    return;
  }
  const auto bucket = nlohmann::json::parse(answer->body, nullptr, false);
  findings_.push_back({StepState::Ready,
                       fmt::format("bucket '{}' exists in namespace '{}'", uri.bucket, uri.nameSpace),
                       evidenceOf("GetBucket", *answer),
                       {}});
  if (bucket.is_object()) checkProperties(uri, bucket);
  checkObjects(uri);
}

void BucketCheck::checkProperties(const WorkDirUri& uri, const nlohmann::json& bucket) {
  const std::string access = stringField(bucket, "publicAccessType");
  if (!access.empty() && access != "NoPublicAccess") {
    findings_.push_back({StepState::Warning,
                         fmt::format("bucket '{}' is public ({}): anybody on the internet can read what the "
                                     "job runs write there",
                                     uri.bucket, access),
                         "GetBucket publicAccessType", "close it, unless that is meant", "bucket-public"});
    fixes_.push_back(closeBucketFix(services_, uri, stringField(bucket, "etag"), access));
  }
  if (stringField(bucket, "storageTier") == "Archive")
    findings_.push_back(
        {StepState::Blocked,
         fmt::format("bucket '{}' archives: its objects cannot be read until they are restored", uri.bucket),
         "GetBucket storageTier", "name another bucket in workDir; the tier of a bucket cannot be changed",
         "bucket-archive"});
  if (boolField(bucket, "isReadOnly", false))
    findings_.push_back({StepState::Blocked,
                         fmt::format("bucket '{}' is read-only, as the target of a replication", uri.bucket),
                         "GetBucket isReadOnly", "name another bucket in workDir", "bucket-read-only"});
  checkPlace(uri, stringField(bucket, "compartmentId"));
}

// Policies of the guides grant access in the cluster's compartment: a bucket elsewhere is easily overlooked.
void BucketCheck::checkPlace(const WorkDirUri& uri, const std::string& compartmentId) {
  const std::string wanted = context_.compartmentId();
  if (wanted.empty() || compartmentId.empty() || wanted == compartmentId) return;
  if (!context_.compartment(stop_)) return;  // which the step project says
  findings_.push_back(
      {StepState::Warning,
       fmt::format("bucket '{}' is in compartment {}, the cluster in {}", uri.bucket,
                   context_.compartmentText(compartmentId, stop_), context_.compartmentText(wanted, stop_)),
       "GetBucket compartmentId",
       "the policies have to name the bucket's compartment too (step policies), or use a bucket "
       "of the cluster's",
       "bucket-other-compartment"});
}

void BucketCheck::checkObjects(const WorkDirUri& uri) {
  const std::string path = oci::bucketPath(uri.nameSpace, uri.bucket) + "/o?limit=1";
  const auto answer = services_->call(oci::storageCall("ListObjects", "GET", path), stop_);
  if (answer) {
    findings_.push_back(
        {StepState::Ready, fmt::format("you may list the objects of bucket '{}'", uri.bucket),
         evidenceOf("ListObjects", *answer),
         "a check writes nothing: the probe among the changes writes an object, reads it and deletes it"});
    fixes_.push_back(probeBucketFix(services_, uri));
    return;
  }
  Finding finding = refusedFinding(answer.error());
  if (answer.error().code == ErrorCode::NotFound) {
    finding.code = "objects-not-readable";
    finding.text = fmt::format("you may see bucket '{}', but not the objects in it", uri.bucket);
    finding.cause.clear();
    finding.remedy = "you need a policy that lets your group manage objects there (step policies)";
  }
  findings_.push_back(std::move(finding));
}

StepReport BucketCheck::named(const WorkDirUri& uri) {
  if (!isBucketName(uri.bucket))
    return reportOf({{StepState::Blocked, fmt::format("'{}' cannot be the name of a bucket", uri.bucket),
                      fmt::format("work dir {}", uri.toString()),
                      "a name has letters, digits, '-', '_' and '.' only", "bucket-name"}});
  checkNamespace(uri);
  if (!isBlocked()) checkBucket(uri);
  if (!isBlocked()) facts_["cluster.workDir"] = uri.toString();
  return report();
}

// Nobody has named a work dir: the compartment's only bucket is meant, or one is proposed.
StepReport BucketCheck::pick() {
  const auto compartment = context_.compartment(stop_);
  if (!compartment) return reportOf({noCompartmentFinding(compartment.error())});
  const auto found = unnamedWorkDir(context_, stop_);
  if (!found) return reportOf({refusedFinding(found.error())});
  const WorkDirUri& uri = found->uri;
  if (found->isThere) return named(uri);
  if (!found->isOpen()) {
    findings_.push_back(
        {StepState::Blocked,
         fmt::format("no work dir is named, and compartment {} has no bucket", compartment->name),
         isToBeMade(*compartment) ? "ListCompartments 200" : "ListBuckets 200",
         fmt::format("create one; the work dir is then {}", uri.toString()), "bucket-missing"});
    fixes_.push_back(createBucketFix(services_, uri, *compartment));
    return report();
  }
  std::string names;
  for (const oci::Bucket& one : found->buckets) names += (names.empty() ? "" : ", ") + one.name;
  findings_.push_back({StepState::Warning,
                       fmt::format("no work dir is named, and compartment {} has {} buckets: {}",
                                   compartment->name, found->buckets.size(), names),
                       "ListBuckets 200",
                       fmt::format("choose one, as oci://BUCKET@{}/{}", uri.nameSpace, uri.prefix),
                       "bucket-not-chosen"});
  fixes_.push_back(createBucketFix(services_, uri, *compartment));
  return report();
}

StepReport BucketStep::check(const std::stop_token& stop) {
  const std::string workDir = context_->workDir();
  const auto uri = workDir.empty() ? Result<WorkDirUri>(WorkDirUri{}) : parseWorkDirUri(workDir);
  if (!uri) {
    Finding finding = blockedFinding(uri.error());
    finding.code = "work-dir-grammar";
    return reportOf({std::move(finding)});
  }
  if (uri->scheme == WorkDirUri::Scheme::File)
    return reportOf({{StepState::NotApplicable,
                      fmt::format("work dir '{}' is a folder, not a bucket", workDir),
                      {},
                      {}}});
  const auto services = context_->services();
  if (!services) return reportOf({needsAuth(services.error())});
  BucketCheck check(*context_, *services, stop);
  return workDir.empty() ? check.pick() : check.named(*uri);
}

Result<void> BucketStep::takeBack(const AppliedChange& change, const std::stop_token& stop) {
  if (change.kind != "bucket-created" && change.kind != "bucket-closed")
    return SetupStep::takeBack(change, stop);
  const auto services = context_->services();
  if (!services) return failure(services.error());
  return takeBackBucketChange(*services, change, stop);
}

}  // namespace

std::unique_ptr<SetupStep> makeBucketStep(SetupContextPtr context) {
  return std::make_unique<BucketStep>(std::move(context));
}

}  // namespace lockstep
