// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "output.h"
#include "target.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

struct Options {
  std::string run;
  bool json = false;
};

bool isPublished(const std::string& name) {
  const std::string file = name.substr(name.rfind('/') + 1);
  const bool isNode =
      file.rfind("MAIN_", 0) == 0 || file.rfind("WORKER_", 0) == 0 || file.rfind("PS_", 0) == 0;
  return isNode && file.size() > 5 && file.substr(file.size() - 5) == ".json";
}

// What every node wrote into the work dir, by file name.
Result<json> publishedConfigs(const TrainingRun& run, RunServices& services) {
  auto store = services.workDir(run.workDir);
  if (!store) return failure(std::move(store.error()));
  const std::string folder = layout::jobFolder(run.jobId.value);
  auto listed = (*store)->list(folder, {}, {});
  if (!listed) return failure(std::move(listed.error()));
  json configs = json::object();
  for (const ObjectInfo& object : *listed) {
    if (!isPublished(object.name)) continue;
    auto bytes = (*store)->get(object.name, {});
    if (!bytes) return failure(std::move(bytes.error()));
    json config = json::parse(*bytes, nullptr, false);
    configs[object.name.substr(folder.size())] = config.is_discarded() ? json(*bytes) : std::move(config);
  }
  return configs;
}

void printAsText(const json& configs) {
  for (const auto& [file, config] : configs.items()) {
    printLine(painted(file, Tone::Strong));
    if (!config.is_object()) printLine("  " + config.dump());
    if (!config.is_object()) continue;
    for (const auto& [key, value] : config.items()) {
      printLine(fmt::format("  {}: {}", key, value.is_string() ? value.get<std::string>() : value.dump()));
    }
  }
}

int showConfig(const Options& options, const GlobalOptions& global) {
  auto store = openRunStore();
  if (!store) return failed(store.error());
  const auto run = findRun(options.run, global, *store);
  if (!run) return failed(run.error());
  auto services = servicesOf(*run, global, *store, RetryMode::OneLook);
  if (!services) return failed(services.error());
  const auto configs = publishedConfigs(*run, *services);
  if (!configs) return failed(configs.error());
  options.json ? printJson(*configs) : printAsText(*configs);
  if (configs->empty()) note(fmt::format("no node of run {} has published anything yet", run->id.value));
  return configs->empty() ? kNotWell : kDone;
}

}  // namespace

void addShowConfigCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("show-config", "What each node of a run published into the work dir");
  command->add_option("RUN", options->run, "run id or the beginning of one, job OCID, info file, or 'last'")
      ->required();
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return showConfig(*options, cli.global); }; });
}

}  // namespace lockstep::cli
