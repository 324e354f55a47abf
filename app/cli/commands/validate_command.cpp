// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/line_difference.h"
#include "cli.h"
#include "cluster/fix.h"
#include "output.h"
#include "plan/node_details.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string file;
  bool json = false;
  bool fix = false;
  bool dryRun = false;
};

/// What was mended, as the file said it before, and what it looks like now.
struct Mending {
  std::vector<Issue> mended;
  std::string difference;  // of a dry run
  bool written = false;
};

nlohmann::json worldJson(const ClusterDocument& document) {
  if (!document.isParsable()) return nullptr;
  const WorldSize world = worldSizeOf(document.spec());
  return {{"nodes", world.nodes},
          {"ranksPerNode", world.ranksPerNode ? nlohmann::json(*world.ranksPerNode) : nlohmann::json()},
          {"ranks", world.ranks ? nlohmann::json(*world.ranks) : nlohmann::json()},
          {"text", world.text}};
}

void printAsJson(const Options& options, const ClusterDocument& document, const Mending& mending) {
  nlohmann::json json{{"file", options.file},
                      {"valid", !hasErrors(document.issues())},
                      {"issues", issuesJson(document.issues())},
                      {"world", worldJson(document)}};
  if (options.fix) {
    json["mended"] = issuesJson(mending.mended);
    json["written"] = mending.written;
    if (options.dryRun) json["difference"] = mending.difference;
  }
  printJson(json);
}

void printMended(const Options& options, const Mending& mending) {
  for (const Issue& issue : mending.mended) {
    const std::string place =
        issue.place.line > 0 ? fmt::format("{}:{}:{}", options.file, issue.place.line, issue.place.column)
                             : options.file;
    printLine(fmt::format("{}: {} {}\n  {}", place,
                          painted(options.dryRun ? "can be mended:" : "mended:", Tone::Good), issue.message,
                          issue.fix->title));
  }
  if (!mending.difference.empty()) printDocument(mending.difference);
}

void printAsText(const Options& options, const ClusterDocument& document, const Mending& mending) {
  printMended(options, mending);
  printText(issuesText(document.issues(), options.file, false));
  if (document.isParsable()) {
    const std::string world = worldSizeOf(document.spec()).text;
    if (!world.empty()) printLine(fmt::format("{}: {}", options.file, world));
  }
  const bool valid = !hasErrors(document.issues());
  const std::string word = valid ? painted("valid", Tone::Good) : painted("not valid", Tone::Bad);
  const std::string mended = mending.mended.empty() ? "" : fmt::format(", {} mended", mending.mended.size());
  printLine(fmt::format("{}: {}{} ({}{})", options.file, options.dryRun ? "would be " : "", word,
                        countText(document.issues()), mended));
}

int report(const Options& options, const ClusterDocument& document, const Mending& mending) {
  if (options.json)
    printAsJson(options, document, mending);
  else
    printAsText(options, document, mending);
  return hasErrors(document.issues()) ? kNotWell : kDone;
}

int validate(const Options& options) {
  if (options.fix && !options.dryRun && options.file == "-")
    return failed(failure(StatusCode::InvalidArgument, "cannot mend stdin", "there is no file to write",
                          "name the file, or add --dry-run to see what would be mended")
                      .value());
  const auto text = readTrainFile(options.file);
  if (!text) return failed(text.error());
  if (!options.fix) return report(options, ClusterDocument(*text), {});
  FixReport fixed = fixAll(*text);
  Mending mending{std::move(fixed.mended), {}, false};
  if (options.dryRun) {
    mending.difference = unifiedDifference(*text, fixed.text, options.file, options.file + " (mended)");
  } else if (fixed.text != *text) {
    // Whoever changed the file in the meantime would lose that change.
    const auto now = readTrainFile(options.file);
    if (!now) return failed(now.error());
    if (*now != *text)
      return failed(failure(StatusCode::FailedPrecondition, fmt::format("'{}' was not mended", options.file),
                            "another program has just changed it", "try again")
                        .value());
    if (auto written = writeFileAtomically(options.file, fixed.text); !written)
      return failed(written.error());
    mending.written = true;
  }
  return report(options, ClusterDocument(fixed.text), mending);
}

}  // namespace

void addValidateCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("validate", "Check a train.yaml: each issue with its place, cause and fix");
  command->add_option("FILE", options->file, "train.yaml, or - for stdin")->required();
  command->add_flag("--json", options->json, "print one JSON document");
  CLI::Option* fix = command->add_flag("--fix", options->fix, "mend what can be mended without asking");
  command->add_flag("--dry-run", options->dryRun, "with --fix: show the difference, write nothing")
      ->needs(fix);
  command->callback([options, &cli] { cli.command = [options] { return validate(*options); }; });
}

}  // namespace lockstep::cli
