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
  std::string image;
  bool json = false;
};

using nlohmann::ordered_json;

std::string scalarText(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// Every value of a request body, one per line, by its path.
void printBody(const ordered_json& value, const std::string& path) {
  if (!value.is_structured() || value.empty()) {
    printLine(fmt::format("  {} = {}", path, scalarText(value)));
    return;
  }
  for (const auto& [key, inner] : value.items()) printBody(inner, path.empty() ? key : path + "." + key);
}

void printPlan(const Plan& plan) {
  std::size_t node = 0;
  for (const PlannedRequest& request : plan.requests) {
    std::string heading = request.operation;
    if (request.operation == "CreateJobRun" && node < plan.nodes.size()) {
      const PlannedNode& planned = plan.nodes[node++];
      heading += fmt::format(" '{}', node {}", planned.displayName, planned.nodeRank);
    }
    printLine(painted(heading, Tone::Strong));
    printBody(request.body, {});
  }
  printLine(
      fmt::format("{} requests for {} nodes; nothing was sent", plan.requests.size(), plan.nodes.size()));
}

int refuse(const Options& options, const std::vector<Issue>& issues, Status why) {
  why.where = placeInFile(options.file, why.where);
  if (options.json) {
    printJson({{"requests", nlohmann::json::array()}, {"issues", issuesJson(issues)}, {"cost", nullptr}});
  }
  fmt::print(stderr, "{}", issuesText(issues, options.file, true));
  printStatus(why);
  return kNotWell;
}

int plan(const Options& options) {
  auto text = readTrainFile(options.file);
  if (!text) return failed(text.error());
  const ClusterDocument document(*std::move(text));
  // A file from a guide still has placeholders for ids; what it would send can be shown all the same.
  PlanOptions wanted{options.image, generatedName()};
  wanted.draft = true;
  const auto planned = makePlan(document, wanted);
  if (!planned) return refuse(options, document.issues(), planned.error());
  if (options.json) {
    printOrderedJson(toJson(*planned));
    return kDone;
  }
  fmt::print(stderr, "{}", issuesText(planned->issues, options.file, true));
  printPlan(*planned);
  return kDone;
}

}  // namespace

void addPlanCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("plan", "Show the requests that a launch would send, in order; sends nothing");
  command->add_option("FILE", options->file, "train.yaml, or - for stdin")->required();
  command->add_option("--image", options->image, "container image for a file that says '@image'");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([options, &cli] { cli.command = [options] { return plan(*options); }; });
}

}  // namespace lockstep::cli
