// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/imports/import_run.h"

#include <fmt/format.h>

#include <set>

#include "base/bounds.h"
#include "metrics/events/event_file.h"
#include "portable/imports/csv_samples.h"
#include "portable/imports/imported_segments.h"
#include "portable/run_description.h"
#include "portable/run_file_format.h"
#include "portable/run_file_writer.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

// By what stands in it, whatever it is called.
bool isEventFile(const fs::path& path) {
  constexpr std::size_t kBeginning = 64 << 10,
                        kSmallest = 24;  // a record with its checksums, and the version
  auto file = EventFile::open(path);
  return file && file->readNew(kBeginning).has_value() && file->bytesRead() >= kSmallest;
}

TrainingRun describing(const ImportedRun& imported) {
  const auto [begun, ended] = timesOf(imported);
  TrainingRun run;
  run.id = RunId(imported.name);
  run.name = imported.name;
  run.created = begun;
  run.finished = ended;
  run.launchComplete = true;
  NodeRun node;
  node.id = JobRunId("imported");
  node.displayName = imported.name;
  node.nodes = 1;
  node.state = JobRunState::Silent;
  node.started = begun;
  node.finished = ended;
  run.nodes.push_back(std::move(node));
  return run;
}

}  // namespace

Result<std::vector<ImportedRun>> readForeignRuns(const fs::path& path, const ReadProgress& progress,
                                                 const std::stop_token& stop) {
  std::error_code ec;
  const fs::file_status status = fs::status(path, ec);
  if (!fs::exists(status))
    return failure(ErrorCode::NotFound, fmt::format("cannot import '{}'", path.string()),
                   "there is no such file or folder");
  if (fs::is_directory(status) || isEventFile(path)) return runsInBoard(path, progress, stop);
  return runsInCsv(path, stop);
}

Result<void> saveImportedRun(const ImportedRun& run, const fs::path& path, const std::stop_token& stop) {
  auto writer = RunFileWriter::create(path);
  if (!writer) return failure(std::move(writer.error()));
  const TrainingRun described = describing(run);
  const std::string description = describedRun(described, SecretFilter({}), *described.finished);
  if (auto done = writer->add(run_file::kDescription, description); !done) return done;
  const std::string folder = std::string(run_file::kWorkDir) + layout::metricsFolder("").substr(1);
  const auto put = [&](const std::string& name, const std::string& bytes) {
    return writer->add(folder + name, bytes);
  };
  if (auto done = putSegments(run, put, stop); !done) return done;
  return writer->finish();
}

}  // namespace lockstep
