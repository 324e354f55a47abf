// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "output.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string file;
  bool json = false;
};

int validate(const Options& options) {
  const auto text = readTrainFile(options.file);
  if (!text) return failed(text.error());
  const ClusterDocument document(*text);
  const bool valid = !hasErrors(document.issues());
  if (options.json) {
    printJson({{"file", options.file}, {"valid", valid}, {"issues", issuesJson(document.issues())}});
  } else {
    fmt::print("{}", issuesText(document.issues(), options.file, false));
    const std::string word = valid ? painted("valid", Tone::Good) : painted("not valid", Tone::Bad);
    printLine(fmt::format("{}: {} ({})", options.file, word, countText(document.issues())));
  }
  return valid ? kDone : kNotWell;
}

}  // namespace

void addValidateCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("validate", "Check a train.yaml: each issue with its place, cause and fix");
  command->add_option("FILE", options->file, "train.yaml, or - for stdin")->required();
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([options, &cli] { cli.command = [options] { return validate(*options); }; });
}

}  // namespace lockstep::cli
