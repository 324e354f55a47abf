// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "export/cluster_view.h"
#include "export/export.h"
#include "output.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string file;
  std::string target;
  std::string folder;
  std::string image;
  bool overwrite = false;
  bool json = false;
};

std::vector<std::string> targetNames() {
  std::vector<std::string> names;
  for (const ExportTarget target : exportTargets()) names.emplace_back(toString(target));
  return names;
}

/// "resnet-ddp-compose", in the current folder.
std::string folderNamed(const Plan& plan, ExportTarget target) {
  std::string name;
  for (const PlannedRequest& request : plan.requests) {
    if (request.operation == "CreateJob") name = request.body.value("displayName", "");
  }
  return fmt::format("{}-{}", dnsLabel(name, 60), toString(target));
}

int printOnly(const ExportBundle& bundle, const Options& options) {
  if (bundle.files.size() == 1) {
    for (const std::string& text : bundle.notes) note(text);
    printDocument(bundle.files[0].content);
    return kDone;
  }
  warn(fmt::format("an export to {} is {} files, which cannot all go to stdout; name a folder with -o",
                   options.target, bundle.files.size()));
  return kUsage;
}

void report(const ExportBundle& bundle, const std::vector<std::filesystem::path>& written,
            const Options& options, const std::string& folder) {
  if (options.json) {
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const auto& path : written) files.push_back(path.string());
    printOrderedJson(
        {{"target", options.target}, {"folder", folder}, {"files", files}, {"notes", bundle.notes}});
    return;
  }
  for (const auto& path : written) printLine(path.string());
  for (const std::string& text : bundle.notes) printLine("note: " + text);
}

int refuse(const Options& options, const std::vector<Issue>& issues, Error why) {
  if (why.where.empty() || (why.where[0] >= '0' && why.where[0] <= '9'))
    why.where = placeInFile(options.file, why.where);
  else
    why.where = options.file + ": " + why.where;
  noteText(issuesText(issues, options.file, true));
  if (options.json) printJson({{"error", toJson(why)}, {"issues", issuesJson(issues)}});
  printError(why);
  return kNotWell;
}

int exportFile(const Options& options) {
  const ExportTarget target = *exportTargetNamed(options.target);
  auto text = readTrainFile(options.file);
  if (!text) return failed(text.error());
  const ClusterDocument document(*std::move(text));
  // Ids that are still placeholders do not matter to files that work without the service.
  PlanOptions wanted;
  wanted.image = options.image;
  wanted.draft = true;
  const auto plan = makePlan(document, wanted);
  if (!plan) return refuse(options, document.issues(), plan.error());
  const auto bundle = exportCluster(target, {document, *plan});
  if (!bundle) return refuse(options, {}, bundle.error());
  if (options.folder == "-") return printOnly(*bundle, options);
  const std::string folder = options.folder.empty() ? folderNamed(*plan, target) : options.folder;
  const auto written = writeBundle(*bundle, folder, options.overwrite);
  if (!written) {
    if (options.json) printJson({{"error", toJson(written.error())}});
    return failed(written.error());
  }
  report(*bundle, *written, options, folder);
  return kDone;
}

}  // namespace

void addExportCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "export", "Write the cluster as files that work without this program: compose, torchrun, Slurm, …");
  command->add_option("FILE", options->file, "train.yaml, or - for stdin")->required();
  command->add_option("--to", options->target, "what to write")
      ->required()
      ->check(CLI::IsMember(targetNames()));
  command->add_option("-o,--output", options->folder,
                      "folder to write into (default: one named after the cluster and the target); "
                      "- prints an export that is one file");
  command->add_option("--image", options->image, "container image for a file that says '@image'");
  command->add_flag("--overwrite", options->overwrite, "replace files that exist with other content");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([options, &cli] { cli.command = [options] { return exportFile(*options); }; });
}

}  // namespace lockstep::cli
