// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/text/line_difference.h"
#include "cli.h"
#include "cluster/document/fix.h"
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

/// What was fixed, as the file said it before, and what it looks like now.
struct FixSummary {
  std::vector<Issue> fixed;
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

void printAsJson(const Options& options, const ClusterDocument& document, const FixSummary& summary) {
  nlohmann::json json{{"file", options.file},
                      {"valid", !hasErrors(document.issues())},
                      {"issues", issuesJson(document.issues())},
                      {"world", worldJson(document)}};
  if (options.fix) {
    json["mended"] = issuesJson(summary.fixed);
    json["written"] = summary.written;
    if (options.dryRun) json["difference"] = summary.difference;
  }
  printJson(json);
}

void printFixed(const Options& options, const FixSummary& summary) {
  for (const Issue& issue : summary.fixed) {
    const std::string place =
        issue.place.line > 0 ? fmt::format("{}:{}:{}", options.file, issue.place.line, issue.place.column)
                             : options.file;
    printLine(fmt::format("{}: {} {}\n  {}", place,
                          painted(options.dryRun ? "can be fixed:" : "fixed:", Tone::Good), issue.message,
                          issue.fix->title));
  }
  if (!summary.difference.empty()) printDocument(summary.difference);
}

void printAsText(const Options& options, const ClusterDocument& document, const FixSummary& summary) {
  printFixed(options, summary);
  printText(issuesText(document.issues(), options.file, false));
  if (document.isParsable()) {
    const std::string world = worldSizeOf(document.spec()).text;
    if (!world.empty()) printLine(fmt::format("{}: {}", options.file, world));
  }
  const bool valid = !hasErrors(document.issues());
  const std::string word = valid ? painted("valid", Tone::Good) : painted("not valid", Tone::Bad);
  const std::string fixed = summary.fixed.empty() ? "" : fmt::format(", {} fixed", summary.fixed.size());
  printLine(fmt::format("{}: {}{} ({}{})", options.file, options.dryRun ? "would be " : "", word,
                        countText(document.issues()), fixed));
}

int report(const Options& options, const ClusterDocument& document, const FixSummary& summary) {
  if (options.json)
    printAsJson(options, document, summary);
  else
    printAsText(options, document, summary);
  return hasErrors(document.issues()) ? kNotWell : kDone;
}

int validate(const Options& options) {
  if (options.fix && !options.dryRun && options.file == "-")
    return failed(failure(ErrorCode::InvalidArgument, "cannot fix stdin", "there is no file to write",
                          "name the file, or add --dry-run to see what would be fixed")
                      .value());
  const auto text = readTrainFile(options.file);
  if (!text) return failed(text.error());
  if (!options.fix) return report(options, ClusterDocument(*text), {});
  FixReport result = fixAll(*text);
  FixSummary summary{std::move(result.fixed), {}, false};
  if (options.dryRun) {
    summary.difference = unifiedDifference(*text, result.text, options.file, options.file + " (fixed)");
  } else if (result.text != *text) {
    // Whoever changed the file in the meantime would lose that change.
    const auto now = readTrainFile(options.file);
    if (!now) return failed(now.error());
    if (*now != *text)
      return failed(failure(ErrorCode::FailedPrecondition, fmt::format("'{}' was not fixed", options.file),
                            "another program has just changed it", "try again")
                        .value());
    if (auto written = writeFileAtomically(options.file, result.text); !written)
      return failed(written.error());
    summary.written = true;
  }
  return report(options, ClusterDocument(result.text), summary);
}

}  // namespace

void addValidateCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("validate", "Check a train.yaml: each issue with its place, cause and fix");
  command->add_option("FILE", options->file, "train.yaml, or - for stdin")->required();
  command->add_flag("--json", options->json, "print one JSON document");
  CLI::Option* fix = command->add_flag("--fix", options->fix, "fix what can be fixed without asking");
  command->add_flag("--dry-run", options->dryRun, "with --fix: show the difference, write nothing")
      ->needs(fix);
  command->callback([options, &cli] { cli.command = [options] { return validate(*options); }; });
}

}  // namespace lockstep::cli
