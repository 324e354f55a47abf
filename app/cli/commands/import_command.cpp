// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/user_dirs.h"
#include "cli.h"
#include "history/imported_runs.h"
#include "interrupt.h"
#include "output.h"
#include "portable/imports/import_run.h"
#include "portable/run_file.h"
#include "progress_bar.h"
#include "target.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Options {
  std::string path, name, file;
  bool force = false, json = false;
};

/// What is said of each run that came in.
struct Imported {
  std::string id, name;
  std::uint64_t samples = 0;
};

void tellOdd(const ImportedRun& run) {
  if (!run.hasTimes)
    note(fmt::format("{}: nothing says when it was recorded; times only say what came first", run.name));
  if (run.passedOver > 0)
    note(fmt::format("{}: passed over, since they are no samples: {}", run.name, run.passedOver));
  for (const std::string& name : run.otherSteps)
    note(fmt::format("{}: {} is counted in other steps; it stands where it was recorded", run.name, name));
}

/// A file that is gone with it.
class FileForAWhile {
 public:
  explicit FileForAWhile(fs::path path) : path_(std::move(path)) {}
  FileForAWhile(const FileForAWhile&) = delete;
  FileForAWhile& operator=(const FileForAWhile&) = delete;
  ~FileForAWhile() {
    std::error_code ec;
    fs::remove(path_, ec);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Result<Imported> intoList(const ImportedRun& run, RunStore& store, const std::stop_token& stop) {
  if (const int reason = makePrivateFolder(importedRunsFolder()); reason != 0)
    return failure(
        errnoError(fmt::format("cannot make the folder '{}'", importedRunsFolder().string()), reason));
  const FileForAWhile file(importedRunsFolder() / fmt::format(".importing-{}", ::getpid()));
  if (auto saved = saveImportedRun(run, file.path(), stop); !saved) return failure(saved.error());
  const auto known = importRunFile(file.path(), store, stop);
  if (!known) return failure(known.error());
  return Imported{known->id.value, known->name, run.samples};
}

Result<std::vector<Imported>> importForeign(const Options& options, RunStore* store,
                                            const std::stop_token& stop) {
  ProgressBar bar(true);
  const auto show = [&](std::uint64_t read, std::uint64_t of) {
    bar.show(of == 0 ? 1.0 : static_cast<double>(read) / static_cast<double>(of), "reading event files");
  };
  auto runs = readForeignRuns(options.path, show, stop);
  bar.clear();
  if (!runs) return failure(std::move(runs.error()));
  if (!options.file.empty() && runs->size() > 1)
    return failure(ErrorCode::InvalidArgument, fmt::format("cannot write '{}'", options.file),
                   fmt::format("there are {} runs in '{}'", runs->size(), options.path),
                   "name a folder or a file of one run, or leave --output out");
  std::vector<Imported> all;
  for (ImportedRun& run : *runs) {
    if (!options.name.empty()) run.name = runs->size() == 1 ? options.name : options.name + " - " + run.name;
    bar.show(std::nullopt, "importing " + run.name);
    auto one =
        store != nullptr ? intoList(run, *store, stop) : saveImportedRun(run, options.file, stop).map([&] {
          return Imported{{}, run.name, run.samples};
        });
    bar.clear();
    if (!one) return failure(std::move(one.error()));
    tellOdd(run);
    all.push_back(*std::move(one));
  }
  return all;
}

Result<std::vector<Imported>> importAny(const Options& options, const std::stop_token& stop) {
  if (!options.file.empty()) return importForeign(options, nullptr, stop);
  auto store = openRunStore();
  if (!store) return failure(std::move(store.error()));
  if (!namesRunFile(options.path)) return importForeign(options, store->get(), stop);
  const auto run = importRunFile(runFilePath(options.path), **store, stop);
  if (!run) return failure(run.error());
  return std::vector{Imported{run->id.value, run->name, 0}};
}

int import(const Options& options) {
  std::error_code ec;
  if (!options.file.empty() && !options.force && fs::exists(options.file, ec))
    return failed({ErrorCode::AlreadyExists,
                   fmt::format("cannot write '{}'", options.file),
                   "there is such a file",
                   "name another one with -o, or say --force",
                   {},
                   {}});
  const Interrupt interrupt;
  const auto all = importAny(options, interrupt.token());
  if (!all) return failed(all.error());
  json document = json::array();
  for (const Imported& one : *all) {
    document.push_back({{"run", one.id}, {"name", one.name}, {"file", options.file}});
    if (options.json) continue;
    const std::string samples = one.samples > 0 ? fmt::format(", samples: {}", one.samples) : "";
    printLine(options.file.empty() ? fmt::format("imported as run {}{}", one.id, samples)
                                   : fmt::format("saved as {}{}", options.file, samples));
  }
  if (options.json) printJson(document);
  return kDone;
}

}  // namespace

void addImportCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "import",
      "Put a run file, a folder of TensorBoard, or a table (W&B, Lightning, any CSV) into the list of runs");
  command
      ->add_option("PATH", options->path, "a .lockstep file, a folder or file of TensorBoard, or a .csv file")
      ->required();
  command->add_option("--name", options->name, "what the run is called (default: as the file or folder)");
  command->add_option("-o,--output", options->file,
                      "write a run file instead, and leave the list of runs alone");
  command->add_flag("-f,--force", options->force, "also over a file that is there");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([options, &cli] { cli.command = [options] { return import(*options); }; });
}

}  // namespace lockstep::cli
