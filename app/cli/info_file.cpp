// SPDX-License-Identifier: GPL-3.0-or-later
#include "info_file.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "cluster/cluster_document.h"
#include "cluster/yaml_writer.h"

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
  std::vector<NewEntry> main;
  std::vector<NewValue> others;
  for (const NodeRun& node : run.nodes) {
    NewEntry entry{node.displayName, NewValue::text(node.id.value)};
    if (node.role == NodeRole::Main)
      main.push_back(std::move(entry));
    else
      others.push_back(NewValue::mapping({std::move(entry)}));
  }
  const BlockLayout layout;
  std::string text = blockEntry("jobId", NewValue::text(run.jobId.value), layout) + "\n";
  text += blockEntry("mainJobRunId", NewValue::mapping(std::move(main)), layout) + "\n";
  if (!others.empty()) text += blockEntry("otherJobRunIds", NewValue::sequence(std::move(others)), layout) + "\n";
  text += blockEntry("workDir", NewValue::text(run.workDir), layout) + "\n";
  return fmt::format("{}# To follow all nodes of this run:\n# $ lockstep watch {}\n", text, run.id.value);
}

Result<InfoFile> parseInfo(const std::string& text, const std::string& file) {
  const ClusterDocument document(withoutPreamble(text));
  const auto jobId = document.isParsable() ? document.scalar(FieldPath{"jobId"}) : std::nullopt;
  if (!jobId || jobId->value.empty()) {
    return failure(StatusCode::InvalidArgument, fmt::format("'{}' is not an info file of a launch", file),
                   "it has no line 'jobId: …'", kRemedy);
  }
  const auto workDir = document.scalar(FieldPath{"workDir"});
  return InfoFile{JobId(jobId->value), workDir ? workDir->value : ""};
}

Result<InfoFile> readInfoFile(const std::string& file) {
  auto text = readFile(file, kMaxInfoFile);
  if (!text) return failure(std::move(text.error()));
  return parseInfo(*text, file);
}

}  // namespace lockstep::cli
