// SPDX-License-Identifier: GPL-3.0-or-later
#include "workdir/work_dir_uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lockstep {
namespace {

constexpr const char* kForms =
    "write oci://bucket@namespace/prefix, file:///absolute/path or an absolute path";

std::string_view withoutSlashes(std::string_view text) {
  while (text.starts_with('/')) text.remove_prefix(1);
  while (text.ends_with('/')) text.remove_suffix(1);
  return text;
}

bool isName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
}

tl::unexpected<Error> refuse(std::string_view text, std::string cause) {
  return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is not a work dir", text), std::move(cause),
                 kForms);
}

Result<WorkDirUri> parseBucket(std::string_view text, std::string_view rest) {
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view authority = rest.substr(0, slash);
  const std::size_t at = authority.find('@');
  if (at == std::string_view::npos)
    return refuse(text, "the namespace is missing: there is no '@' after the bucket");
  const std::string_view bucket = authority.substr(0, at);
  const std::string_view nameSpace = authority.substr(at + 1);
  if (bucket.empty()) return refuse(text, "the bucket is missing");
  if (nameSpace.empty()) return refuse(text, "the namespace is missing");
  if (!isName(bucket)) {
    return refuse(text,
                  fmt::format("'{}' cannot be a bucket: letters, digits, '-', '_' and '.' only", bucket));
  }
  if (!isName(nameSpace)) return refuse(text, fmt::format("'{}' cannot be a namespace", nameSpace));
  return WorkDirUri{WorkDirUri::Scheme::Oci, std::string(bucket), std::string(nameSpace),
                    std::string(withoutSlashes(rest.substr(slash)))};
}

Result<WorkDirUri> parseFolder(std::string_view text, std::string_view path) {
  if (!path.starts_with('/')) return refuse(text, "the path is not absolute");
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return WorkDirUri{WorkDirUri::Scheme::File, {}, {}, std::string(path)};
}

}  // namespace

std::string WorkDirUri::toString() const {
  if (scheme == Scheme::File) return "file://" + prefix;
  return fmt::format("oci://{}@{}{}{}", bucket, nameSpace, prefix.empty() ? "" : "/", prefix);
}

Result<WorkDirUri> parseWorkDirUri(std::string_view text) {
  if (text.empty()) return failure(ErrorCode::InvalidArgument, "the work dir is empty", {}, kForms);
  const bool printable =
      std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (!printable) return refuse(text, "it contains a control character");
  if (text.starts_with("oci://")) return parseBucket(text, text.substr(6));
  if (text.starts_with("file://")) return parseFolder(text, text.substr(7));
  const std::size_t scheme = text.find("://");
  if (scheme != std::string_view::npos) {
    return refuse(text, fmt::format("the scheme '{}' is not known", text.substr(0, scheme)));
  }
  return parseFolder(text, text);
}

namespace layout {

std::string jobFolder(const std::string& jobId) {
  return jobId + "/";
}
std::string mainConfig(const std::string& jobId) {
  return jobFolder(jobId) + "MAIN_config.json";
}
std::string workerConfig(const std::string& jobId, const std::string& runId) {
  return fmt::format("{}WORKER_{}_config.json", jobFolder(jobId), runId);
}
std::string stopFile(const std::string& jobId) {
  return jobFolder(jobId) + "stop";
}
std::string failureFile(const std::string& jobId) {
  return jobFolder(jobId) + "lockstep/failure.json";
}
std::string runDescription(const std::string& jobId) {
  return jobFolder(jobId) + "lockstep/run.json";
}
std::string nodeFile(const std::string& jobId, int node) {
  return fmt::format("{}lockstep/nodes/{}.json", jobFolder(jobId), node);
}
std::string reachFile(const std::string& jobId, int node) {
  return fmt::format("{}lockstep/reach/{}.json", jobFolder(jobId), node);
}
std::string aliveFolder(const std::string& jobId) {
  return jobFolder(jobId) + "lockstep/alive/";
}
std::string attemptFolder(const std::string& jobId, int attempt) {
  return fmt::format("{}lockstep/attempts/{}/", jobFolder(jobId), attempt);
}
std::string heartbeatFile(const std::string& jobId) {
  return jobFolder(jobId) + "lockstep/heartbeat.json";
}
std::string stepFile(const std::string& jobId) {
  return jobFolder(jobId) + "lockstep/step.json";
}

std::string stackRequest(const std::string& jobId) {
  return jobFolder(jobId) + "lockstep/stacks/request.json";
}
std::string stackReports(const std::string& jobId, const std::string& request) {
  return jobFolder(jobId) + "lockstep/stacks/" + request + "/";
}
std::string stackReport(const std::string& jobId, const std::string& request, int rank) {
  return stackReports(jobId, request) + std::to_string(rank) + ".json";
}
std::string metricsFolder(const std::string& jobId) {
  return jobFolder(jobId) + "lockstep/metrics/";
}
std::string metricIndex(const std::string& jobId) {
  return metricsFolder(jobId) + kMetricIndexName;
}

}  // namespace layout
}  // namespace lockstep
