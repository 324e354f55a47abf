// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/open_saved_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/encoding.h"
#include "portable/line_chunks.h"
#include "portable/run_description.h"
#include "portable/run_file_format.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxTextBytes = 8 << 20;

// What need not be there; what makes no sense is as good as not there.
Result<std::string> textOf(const RunFile& file, const char* name) {
  auto text = file.get(name, {});
  if (!text && text.error().code == ErrorCode::NotFound) return std::string();
  if (text && (text->size() > kMaxTextBytes || !isUtf8(*text))) return std::string();
  return text;
}

bool isListOfFindings(const std::string& text) {
  return nlohmann::json::parse(text, nullptr, false).is_array();
}

Error refusal(const RunFile& file, Error why) {
  why.what = fmt::format("cannot open the run file '{}'", file.path().string());
  if (why.code == ErrorCode::NotFound) {
    why.code = ErrorCode::DataLoss;
    why.cause = "it does not say which run it is of";
  }
  if (why.remedy.empty()) why.remedy = "copy or save the file again";
  return why;
}

}  // namespace

std::unique_ptr<LogSource> OpenedRunFile::lines() const {
  return hasLines ? std::make_unique<RunFileLines>(file) : nullptr;
}

Result<OpenedRunFile> openSavedRun(const std::filesystem::path& path) {
  auto file = RunFile::open(path);
  if (!file) return failure(std::move(file.error()));
  const auto description = (*file)->get(run_file::kDescription, {});
  if (!description) return failure(refusal(**file, description.error()));
  auto run = runDescribedBy(*description);
  if (!run) return failure(refusal(**file, run.error()));
  OpenedRunFile opened{*std::move(run), "[]", nullptr, *file, false};
  auto yaml = textOf(**file, run_file::kTrainYaml), findings = textOf(**file, run_file::kFindings);
  if (!yaml) return failure(std::move(yaml.error()));
  if (!findings) return failure(std::move(findings.error()));
  opened.run.trainYaml = *std::move(yaml);
  if (isListOfFindings(*findings)) opened.findings = *std::move(findings);
  opened.run.id = RunId("file://" + path.string());
  opened.run.workDir = opened.run.id.value;
  if (opened.run.jobId.empty()) opened.run.jobId = JobId("run");
  opened.workDir = storeIn(*file, run_file::kWorkDir, layout::jobFolder(opened.run.jobId.value));
  const auto lines = (*file)->list(run_file::kLines, {}, {});
  if (!lines) return failure(lines.error());
  opened.hasLines = !lines->empty();
  return opened;
}

}  // namespace lockstep
