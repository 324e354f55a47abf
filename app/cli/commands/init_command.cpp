// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "cluster/document/cluster_document.h"
#include "output.h"
#include "starter/starter.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string framework, folder = ".";
  StarterValues values;
  bool list = false;
  bool json = false;
};

std::string allNames() {
  std::string names;
  for (const Starter& starter : starters()) names += (names.empty() ? "" : ", ") + starter.name;
  return names;
}

int listStarters(bool json) {
  nlohmann::json all = nlohmann::json::array();
  Table table({"framework", "title", "what it does"});
  for (const Starter& starter : starters()) {
    nlohmann::json files = nlohmann::json::array();
    for (const StarterFile& file : starter.files) files.push_back(file.path);
    all.push_back(
        {{"name", starter.name}, {"title", starter.title}, {"summary", starter.summary}, {"files", files}});
    table.add({starter.name, starter.title, starter.summary});
  }
  if (json) {
    printJson(all);
  } else {
    printText(table.text());
  }
  return kDone;
}

// What is still to be replaced in the train.yaml that was written.
std::size_t openPlaces(const Starter& starter, const StarterValues& values) {
  const auto text = filledIn(std::string(starter.files.front().content), values);
  if (!text) return 0;
  const ClusterDocument document(*text);
  return static_cast<std::size_t>(
      std::count_if(document.issues().begin(), document.issues().end(),
                    [](const Issue& issue) { return issue.severity == Severity::Error; }));
}

int init(const Options& options) {
  if (options.list) return listStarters(options.json);
  const Starter* starter = findStarter(options.framework);
  if (starter == nullptr) {
    const std::string what = options.framework.empty()
                                 ? "no framework was named"
                                 : fmt::format("there is no starter project '{}'", options.framework);
    printError(
        {ErrorCode::InvalidArgument, what, "there are " + allNames(), "choose one with --framework", "", {}});
    return kUsage;
  }
  const auto written = writeStarter(*starter, options.folder, options.values);
  if (!written) return failed(written.error());
  const std::size_t open = openPlaces(*starter, options.values);
  if (options.json) {
    nlohmann::json files = nlohmann::json::array();
    for (const auto& path : *written) files.push_back(path.string());
    printJson({{"framework", starter->name}, {"files", files}, {"openPlaces", open}});
    return kDone;
  }
  for (const auto& path : *written) printLine(path.string());
  const std::string train = written->front().string();
  note(open == 0
           ? fmt::format("{} is ready: lockstep plan {}", starter->title, train)
           : fmt::format("{} is laid out; {} places of {} are still yours to fill in: lockstep validate {}",
                         starter->title, open, train, train));
  return kDone;
}

void addValue(CLI::App& command, const char* name, std::optional<std::string>& value, const char* help) {
  command.add_option(name, value, help)->type_name("TEXT");
}

}  // namespace

void addInitCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("init", "Write a starter project: train.yaml, train script, Dockerfile, README");
  command->add_option("DIR", options->folder, "where to; made if it is not there")->capture_default_str();
  command->add_option("-f,--framework", options->framework, "one of " + allNames())->type_name("NAME");
  command->add_flag("--list", options->list, "list the frameworks and end");
  addValue(*command, "--compartment", options->values.compartment, "OCID of the compartment, for train.yaml");
  addValue(*command, "--project", options->values.project, "OCID of the Data Science project");
  addValue(*command, "--subnet", options->values.subnet, "OCID of the subnet");
  addValue(*command, "--log-group", options->values.logGroup, "OCID of the log group");
  addValue(*command, "--log", options->values.log, "OCID of the log");
  addValue(*command, "--bucket", options->values.bucket, "bucket@namespace of the work dir");
  addValue(*command, "--image", options->values.image, "the container image");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([options, &cli] { cli.command = [options] { return init(*options); }; });
}

}  // namespace lockstep::cli
