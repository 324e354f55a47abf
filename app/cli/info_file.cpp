// SPDX-License-Identifier: GPL-3.0-or-later
#include "info_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "yaml/yaml_document.h"
#include "yaml/yaml_text.h"

namespace lockstep::cli {
namespace {

constexpr std::uint64_t kMaxInfoFile = 8ULL << 20;
constexpr const char* kRemedy =
    "give an info file that `lockstep run --info` or `ads opctl run` wrote, or a run id";

// The text with empty lines for those before the one that begins with "jobId:", so that places stay as they are;
// empty when there is no such line.
std::string withoutPreamble(const std::string& text) {
  if (text.starts_with("jobId:")) return text;
  const std::size_t at = text.find("\njobId:");
  if (at == std::string::npos) return {};
  const std::string_view body = std::string_view(text).substr(at + 1);
  const auto lines = std::count(text.begin(), text.end() - static_cast<std::ptrdiff_t>(body.size()), '\n');
  return std::string(static_cast<std::size_t>(lines), '\n').append(body);
}

std::string textOf(const YamlValue* value) {
  return value ? value->text : std::string();
}

tl::unexpected<Error> noInfoFile(const std::string& file, std::string cause, std::string where = {}) {
  return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is not an info file of a launch", file),
                 std::move(cause), kRemedy, std::move(where));
}

}  // namespace

Result<std::string> infoText(const TrainingRun& run) {
  using Json = nlohmann::ordered_json;
  Json main = Json::object();
  Json others = Json::array();
  for (const NodeRun& node : run.nodes) {
    if (node.role == NodeRole::Main)
      main[node.displayName] = node.id.value;
    else
      others.push_back({{node.displayName, node.id.value}});
  }
  Json info = {{"jobId", run.jobId.value}, {"mainJobRunId", std::move(main)}};
  if (!others.empty()) info["otherJobRunIds"] = std::move(others);
  info["workDir"] = run.workDir;
  auto text = yamlText(info);
  if (!text) return text;
  return fmt::format("{}# To follow all nodes of this run:\n# $ lockstep watch {}\n", *text, run.id.value);
}

Result<InfoFile> parseInfo(const std::string& text, const std::string& file) {
  const auto info = readYaml(withoutPreamble(text), file);
  if (!info) return noInfoFile(file, info.error().cause, info.error().where);
  const std::string jobId = textOf(info->find("jobId"));
  if (jobId.empty()) return noInfoFile(file, "it has no line 'jobId: …'");
  return InfoFile{JobId(jobId), textOf(info->find("workDir"))};
}

Result<InfoFile> readInfoFile(const std::string& file) {
  auto text = readFile(file, kMaxInfoFile);
  if (!text) return failure(std::move(text.error()));
  return parseInfo(*text, file);
}

}  // namespace lockstep::cli
