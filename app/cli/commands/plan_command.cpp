// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/user_dirs.h"
#include "cli.h"
#include "output.h"
#include "plan/node_details.h"
#include "target.h"
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

using Values = std::vector<std::pair<std::string, std::string>>;

/// Every value of a request body by its path.
void collect(const ordered_json& value, const std::string& path, Values& values) {
  if (!value.is_structured() || value.empty()) {
    values.emplace_back(path, scalarText(value));
    return;
  }
  std::size_t index = 0;
  for (const auto& [key, inner] : value.items()) {
    const std::string step =
        value.is_array() ? fmt::format("[{}]", index++) : (path.empty() ? "" : ".") + key;
    collect(inner, path + step, values);
  }
}

Values valuesOf(const ordered_json& body) {
  Values values;
  collect(body, {}, values);
  return values;
}

std::string linesOf(const Values& values) {
  std::string text;
  for (const auto& [path, value] : values) text += fmt::format("  {} = {}\n", path, value);
  return text;
}

/// The same paths in the same order: one can be told by what differs from the other.
bool isLike(const Values& one, const Values& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const auto& a, const auto& b) { return a.first == b.first; });
}

std::string differenceOf(const Values& one, const Values& other) {
  std::string text;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].second != other[i].second) text += fmt::format("  {} = {}\n", one[i].first, one[i].second);
  }
  return text;
}

std::string headingOf(const Plan& plan, const PlannedRequest& request, std::size_t run) {
  std::string heading = fmt::format("{} '{}'", request.operation, request.body.value("displayName", ""));
  if (request.operation != "CreateJobRun") return heading;
  if (plan.layout == "nodes") return fmt::format("{}, {} nodes", heading, plan.nodes.size());
  if (run < plan.nodes.size()) heading += fmt::format(", node {}", plan.nodes[run].nodeRank);
  return heading;
}

/// Every request whole, but of job runs that are alike only the first one of a role.
std::string requestsText(const Plan& plan) {
  std::string text;
  std::size_t run = 0;
  std::map<NodeRole, std::pair<std::string, Values>> firsts;
  for (const PlannedRequest& request : plan.requests) {
    const Values values = valuesOf(request.body);
    text += painted(headingOf(plan, request, run), Tone::Strong);
    if (request.operation == "CreateJobRun" && run < plan.nodes.size()) {
      const PlannedNode& node = plan.nodes[run++];
      const auto [first, isFirst] = firsts.try_emplace(node.role, node.displayName, values);
      if (!isFirst && isLike(values, first->second.second)) {
        text +=
            fmt::format(", as '{}' but\n{}", first->second.first, differenceOf(values, first->second.second));
        continue;
      }
    }
    text += "\n" + linesOf(values);
  }
  return text;
}

std::string layoutText(const Plan& plan) {
  const std::size_t runs = plan.requests.size() - 1;
  if (plan.layout == "nodes")
    return fmt::format("one native multi-node job: 1 job run that spans {} nodes", plan.nodes.size());
  return fmt::format("one job run per node: {} job run{}", runs, runs == 1 ? "" : "s");
}

std::string costText(const Plan& plan) {
  if (!plan.cost) return {};
  const CostEstimate& cost = *plan.cost;
  std::string text;
  if (cost.perHour)
    text = fmt::format("cost: {:.2f} {} per hour, prices of {}\n", *cost.perHour, cost.currency, cost.asOf);
  else
    text = fmt::format("cost: not known, as not every part has a price (prices of {})\n", cost.asOf);
  for (const CostLine& line : cost.lines) {
    const std::string amount = line.perHour ? fmt::format("{:.2f}", *line.perHour) : "no price known";
    text += fmt::format("  {} = {}\n", line.what, amount);
  }
  return text;
}

std::string planText(const Plan& plan, const ClusterSpec& spec) {
  std::string text =
      fmt::format("layout: {}\n{}\n{}\n", layoutText(plan), worldSizeOf(spec).text, costText(plan));
  text += requestsText(plan);
  return text + fmt::format("{} requests for {} node{}; nothing was sent", plan.requests.size(),
                            plan.nodes.size(), plan.nodes.size() == 1 ? "" : "s");
}

int refuse(const Options& options, const std::vector<Issue>& issues, Error why) {
  why.where = placeInFile(options.file, why.where);
  if (options.json) {
    printJson({{"requests", nlohmann::json::array()}, {"issues", issuesJson(issues)}, {"cost", nullptr}});
  }
  noteText(issuesText(issues, options.file, true));
  printError(why);
  return kNotWell;
}

int plan(const Options& options, const GlobalOptions& global) {
  auto text = readTrainFile(options.file);
  if (!text) return failed(text.error());
  const ClusterDocument document(*std::move(text));
  // A file from a guide still has placeholders for ids; what it would send can be shown all the same.
  PlanOptions wanted;
  wanted.image = options.image;
  wanted.draft = true;
  const auto prices = loadPrices(userConfigDir() / "prices.json");
  if (!prices) return failed(prices.error());
  wanted.prices = &*prices;
  if (lacksRegion(document.spec())) {  // else no profile is needed to see a plan
    if (const auto profile = oci::loadProfile(queryOf(global))) wanted.region = profile->region;
  }
  auto planned = makePlan(document, wanted);
  if (!planned) return refuse(options, document.issues(), planned.error());
  if (options.json) {
    printOrderedJson(toJson(*std::move(planned)));
    return kDone;
  }
  noteText(issuesText(planned->issues, options.file, true));
  printLine(planText(*planned, document.spec()));
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
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return plan(*options, cli.global); }; });
}

}  // namespace lockstep::cli
