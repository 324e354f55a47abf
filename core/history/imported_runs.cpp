// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/imported_runs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/user_dirs.h"
#include "history/run_results.h"
#include "launch/run_names.h"
#include "metrics/read_to_end.h"
#include "portable/open_saved_run.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kPiece = 1 << 20;
constexpr std::string_view kScheme = "file://";

std::string importingOf(const fs::path& file) {
  return fmt::format("cannot import '{}'", file.string());
}

/// Bytes of a file, piece by piece.
Result<void> readPieces(int fd, const fs::path& file, const PutBytes& put, const std::stop_token& stop) {
  std::vector<char> piece(kPiece);
  for (;;) {
    if (stop.stop_requested()) return failure(ErrorCode::Cancelled, importingOf(file), "cancelled");
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failure(errnoError(importingOf(file), errno));
    if (n == 0) return {};
    if (auto done = put({piece.data(), static_cast<std::size_t>(n)}); !done) return done;
  }
}

Result<void> copyFile(const fs::path& from, const fs::path& to, const std::stop_token& stop) {
  const int fd = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failure(errnoError(importingOf(from), errno));
  auto done = writeFileInPieces(to, [&](const PutBytes& put) { return readPieces(fd, from, put, stop); });
  ::close(fd);
  return done;
}

Result<std::vector<RunResult>> resultsIn(const OpenedRunFile& opened, const std::stop_token& stop) {
  const std::string& job = opened.run.jobId.value;
  MetricReader reader(opened.workDir, layout::metricsFolder(job), layout::runDescription(job));
  MetricStore samples;
  const ReadToEnd read = readToEnd(
      reader, [&](const MetricReader::Update& update) { samples.add(update.batches); }, stop);
  if (read.problem) return failure(*read.problem);
  return resultsOf(samples);
}

Result<TrainingRun> addTo(RunStore& store, const fs::path& copy, RunId id, const std::stop_token& stop) {
  auto opened = openSavedRun(copy);  // the copy: what it was made of may have changed since
  if (!opened) return failure(std::move(opened.error()));
  const auto results = resultsIn(*opened, stop);
  if (!results) return failure(results.error());
  TrainingRun run = opened->run;
  run.id = std::move(id);
  run.workDir = std::string(kScheme) + copy.string();
  if (auto saved = store.save(run); !saved) return failure(std::move(saved.error()));
  if (auto kept = store.keepResults(run.id, *results); !kept) {
    (void)store.remove(run.id);
    return failure(std::move(kept.error()));
  }
  return run;
}

}  // namespace

fs::path importedRunsFolder() {
  return userDataDir() / "imported";
}

Result<TrainingRun> importRunFile(const fs::path& file, RunStore& store, const std::stop_token& stop) {
  const auto opened = openSavedRun(file);
  if (!opened) return failure(opened.error());
  auto id = newRunId(opened->run.name, store);
  if (!id) return failure(std::move(id.error()));
  if (const int reason = makePrivateFolder(importedRunsFolder()); reason != 0)
    return failure(
        errnoError(fmt::format("cannot make the folder '{}'", importedRunsFolder().string()), reason));
  const fs::path copy = importedRunsFolder() / (id->value + ".lockstep");
  if (auto copied = copyFile(file, copy, stop); !copied) return failure(std::move(copied.error()));
  auto run = addTo(store, copy, *std::move(id), stop);
  std::error_code ec;
  if (!run) fs::remove(copy, ec);
  return run;
}

Result<StoredSize> freeImportedRun(const TrainingRun& run) {
  const fs::path file = run.workDir.starts_with(kScheme) ? run.workDir.substr(kScheme.size()) : "";
  if (run.backend != kFileBackend || file.parent_path() != importedRunsFolder())
    return failure(ErrorCode::InvalidArgument, fmt::format("run '{}' has no file here", run.id.value),
                   "it was not imported");
  std::error_code ec;
  const auto bytes = fs::file_size(file, ec);
  if (ec) return StoredSize{};  // somebody else was quicker
  if (!fs::remove(file, ec) && ec)
    return failure(errnoError(fmt::format("cannot remove '{}'", file.string()), ec.value()));
  return StoredSize{1, bytes};
}

}  // namespace lockstep
