// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/encoding.h"
#include "setup/findings.h"
#include "setup/setup_steps.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

class BucketStep final : public SetupStep {
 public:
  explicit BucketStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "bucket"; }
  StepReport check(const std::stop_token& stop) override;

 private:
  SetupContextPtr context_;
};

Finding namespaceFinding(oci::ServiceClient& services, const WorkDirUri& uri, const std::stop_token& stop) {
  const auto answer = services.call(objectStorageRead("GetNamespace", "/n/"), stop);
  if (!answer) return blockedFinding(answer.error());
  const auto own = nlohmann::json::parse(answer->body, nullptr, false);
  const std::string evidence = evidenceOf("GetNamespace", *answer);
  if (own == nlohmann::json(uri.nameSpace)) {
    return {StepState::Ready, fmt::format("namespace '{}' is the tenancy's", uri.nameSpace), evidence, {}};
  }
  return {StepState::Warning,
          fmt::format("namespace '{}' of the work dir is not the tenancy's, which is {}", uri.nameSpace,
                      own.dump()),
          evidence, "check the part after '@' in workDir, unless the bucket of another tenancy is meant"};
}

Finding bucketFinding(oci::ServiceClient& services, const WorkDirUri& uri, const std::stop_token& stop) {
  const std::string path = fmt::format("/n/{}/b/{}", percentEncode(uri.nameSpace), percentEncode(uri.bucket));
  const auto answer = services.call(objectStorageRead("GetBucket", path), stop);
  if (answer) {
    return {StepState::Ready,
            fmt::format("bucket '{}' exists in namespace '{}'", uri.bucket, uri.nameSpace),
            evidenceOf("GetBucket", *answer),
            {}};
  }
  Finding finding = blockedFinding(answer.error());
  if (answer.error().code == StatusCode::NotFound) {
    finding.text = fmt::format("bucket '{}' does not exist in namespace '{}', or you may not see it",
                               uri.bucket, uri.nameSpace);
    finding.remedy = "create the bucket, or ask for a policy that lets you read it, or change workDir";
  }
  return finding;
}

StepReport BucketStep::check(const std::stop_token& stop) {
  const std::string workDir = context_->workDir();
  if (workDir.empty()) {
    return reportOf({{StepState::NotApplicable,
                      "no work dir was named, so there is no bucket to look at",
                      {},
                      "name one, or a train.yaml that has one"}});
  }
  const auto uri = parseWorkDirUri(workDir);
  if (!uri) return reportOf({blockedFinding(uri.error())});
  if (uri->scheme == WorkDirUri::Scheme::File) {
    return reportOf({{StepState::NotApplicable,
                      fmt::format("work dir '{}' is a folder, not a bucket", workDir),
                      {},
                      {}}});
  }
  auto services = context_->services();
  if (!services) return reportOf({blockedFinding(services.error())});
  std::vector<Finding> findings{namespaceFinding(**services, *uri, stop)};
  if (findings.front().state != StepState::Blocked) findings.push_back(bucketFinding(**services, *uri, stop));
  return reportOf(std::move(findings));
}

}  // namespace

std::unique_ptr<SetupStep> makeBucketStep(SetupContextPtr context) {
  return std::make_unique<BucketStep>(std::move(context));
}

}  // namespace lockstep
