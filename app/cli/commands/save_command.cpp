// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "diagnosis/findings/finding_words.h"
#include "history/run_storage.h"
#include "interrupt.h"
#include "launch/saved/open_run_file.h"
#include "output.h"
#include "progress_bar.h"
#include "run_status.h"
#include "saved_lines.h"
#include "target.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds kQuick{300};  // what takes no longer needs no bar

struct Options {
  std::string run, file;
  bool noLines = false, force = false, json = false;
};

/// "cifar ddp/3" -> "cifar-ddp-3.lockstep"
std::string fileNameFor(const TrainingRun& run) {
  std::string name = run.name.empty() ? "run" : run.name;
  for (char& c : name)
    if (c == '/' || static_cast<unsigned char>(c) <= ' ') c = '-';
  return name.substr(0, 200) + ".lockstep";
}

Error isThere(const std::filesystem::path& file) {
  return {ErrorCode::AlreadyExists,
          fmt::format("cannot write '{}'", file.string()),
          "there is such a file",
          "name another one with -o, or say --force",
          {},
          {}};
}

std::string findingsIn(const RunStatus& status) {
  json findings = json::array();
  for (const RunFinding& finding : status.report->findings) findings.push_back(toJson(finding));
  return findings.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string progressText(const SaveProgress& progress) {
  if (progress.lines == 0)
    return fmt::format("saving {} of {} objects", progress.objects, progress.ofObjects);
  return fmt::format("saving lines: {}", progress.lines);
}

void tell(const SavedRun& saved, const std::filesystem::path& file) {
  printLine(fmt::format("saved as {}: {}, lines: {}", file.string(),
                        toText(StoredSize{saved.written.objects, saved.written.bytes}), saved.written.lines));
  if (saved.shortenedLines > 0)
    note(fmt::format("lines from which something secret was taken out: {}", saved.shortenedLines));
  if (saved.leftOut > 0)
    note(fmt::format("objects that are torn, or no documents, left out: {}", saved.leftOut));
  if (!saved.hasTrainYaml) note("its train.yaml is not in it");
}

void tellAsJson(const SavedRun& saved, const std::filesystem::path& file) {
  printJson({{"file", file.string()},
             {"objects", saved.written.objects},
             {"bytes", saved.written.bytes},
             {"lines", saved.written.lines},
             {"shortenedLines", saved.shortenedLines},
             {"leftOut", saved.leftOut},
             {"hasTrainYaml", saved.hasTrainYaml}});
}

int save(const Options& options, const GlobalOptions& global) {
  auto access = accessRun(options.run, global, RetryMode::OneLook);
  if (!access) return failed(access.error());
  if (!access->services) return failed(access->services.error());
  const std::filesystem::path file = options.file.empty() ? fileNameFor(access->run) : options.file;
  std::error_code ec;
  if (!options.force && std::filesystem::exists(file, ec)) return failed(isThere(file));
  const RunStatus status = statusOf(access->run, *access->services, {});
  for (const Error& problem : status.problems) warn(describe(problem));
  const Interrupt interrupt;
  auto lines = options.noLines ? nullptr : linesToSave(status.run, *access->services, interrupt.token());
  auto parts = partsToSave(status.run, *access->services, std::move(lines));
  if (!parts) return failed(parts.error());
  parts->findings = findingsIn(status);
  ProgressBar bar(true);
  const auto begin = std::chrono::steady_clock::now();
  const auto show = [&](const SaveProgress& progress) {
    if (std::chrono::steady_clock::now() - begin < kQuick) return;
    const bool isKnown = progress.lines == 0 && progress.ofObjects > 0;
    bar.show(isKnown ? std::optional(static_cast<double>(progress.objects) /
                                     static_cast<double>(progress.ofObjects))
                     : std::nullopt,
             progressText(progress));
  };
  const auto saved = saveRun(*parts, file, show, interrupt.token());
  bar.clear();
  if (!saved) return failed(saved.error());
  options.json ? tellAsJson(*saved, file) : tell(*saved, file);
  return kDone;
}

}  // namespace

void addSaveCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "save", "Save a run with its metrics, lines and findings in one file, without secrets");
  command->add_option("RUN", options->run, kReadableRunHelp)->required();
  command->add_option("-o,--output", options->file, "the file (default: NAME.lockstep)");
  command->add_flag("--no-lines", options->noLines, "without the lines of its log");
  command->add_flag("-f,--force", options->force, "also over a file that is there");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return save(*options, cli.global); }; });
}

}  // namespace lockstep::cli
