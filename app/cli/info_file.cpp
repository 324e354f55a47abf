// SPDX-License-Identifier: GPL-3.0-or-later
#include "info_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/atomic_file.h"

namespace lockstep::cli {
namespace {

constexpr std::uint64_t kMaxInfoFile = 8ULL << 20;
constexpr const char* kRemedy =
    "give an info file that `lockstep run --info` or `ads opctl run` wrote, or a run id";

// The text from the line that begins with "jobId:" on; empty when there is none.
std::string withoutPreamble(const std::string& text) {
  if (text.rfind("jobId:", 0) == 0) return text;
  const std::size_t at = text.find("\njobId:");
  return at == std::string::npos ? std::string() : text.substr(at + 1);
}

}  // namespace

std::string infoText(const TrainingRun& run) {
  YAML::Emitter out;
  out << YAML::BeginMap << YAML::Key << "jobId" << YAML::Value << run.jobId.value;
  out << YAML::Key << "mainJobRunId" << YAML::Value << YAML::BeginMap;
  bool hasOthers = false;
  for (const NodeRun& node : run.nodes) {
    hasOthers = hasOthers || node.role != NodeRole::Main;
    if (node.role == NodeRole::Main) out << YAML::Key << node.displayName << YAML::Value << node.id.value;
  }
  out << YAML::EndMap;
  if (hasOthers) {
    out << YAML::Key << "otherJobRunIds" << YAML::Value << YAML::BeginSeq;
    for (const NodeRun& node : run.nodes) {
      if (node.role == NodeRole::Main) continue;
      out << YAML::BeginMap << YAML::Key << node.displayName << YAML::Value << node.id.value << YAML::EndMap;
    }
    out << YAML::EndSeq;
  }
  out << YAML::Key << "workDir" << YAML::Value << run.workDir << YAML::EndMap;
  return fmt::format("{}\n# To follow all nodes of this run:\n# $ lockstep watch {}\n", out.c_str(),
                     run.id.value);
}

Result<InfoFile> parseInfo(const std::string& text, const std::string& file) {
  const std::string what = fmt::format("'{}' is not an info file of a launch", file);
  try {
    const YAML::Node document = YAML::Load(withoutPreamble(text));
    if (!document.IsMap() || !document["jobId"] || !document["jobId"].IsScalar()) {
      return failure(StatusCode::InvalidArgument, what, "it has no line 'jobId: …'", kRemedy);
    }
    const YAML::Node workDir = document["workDir"];
    return InfoFile{JobId(document["jobId"].Scalar()), workDir && workDir.IsScalar() ? workDir.Scalar() : ""};
  } catch (const YAML::Exception& error) {
    return failure(StatusCode::InvalidArgument, what, error.msg, kRemedy,
                   fmt::format("{}:{}:{}", file, error.mark.line + 1, error.mark.column + 1));
  }
}

Result<InfoFile> readInfoFile(const std::string& file) {
  auto text = readFile(file, kMaxInfoFile);
  if (!text) return failure(std::move(text.error()));
  return parseInfo(*text, file);
}

}  // namespace lockstep::cli
