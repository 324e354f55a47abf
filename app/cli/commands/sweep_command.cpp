// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "comparison/read_compared.h"
#include "comparison/verdict.h"
#include "launch/run_names.h"
#include "launch_steps.h"
#include "output.h"
#include "progress_bar.h"
#include "run_view.h"
#include "sweep_work.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

struct Options {
  std::string file, group, on, image, sourceFolder;
  std::vector<std::string> arguments;
  SweepOptions work;
  bool dryRun = false;
  bool json = false;
};

Result<std::vector<SweepAxis>> axesIn(const Options& options) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : options.arguments) {
    auto axis = parseSweepAxis(text);
    if (!axis) return failure(std::move(axis.error()));
    axes.push_back(*std::move(axis));
  }
  return axes;
}

std::string nameFor(const Options& options, const std::vector<SweepAxis>& axes) {
  if (!options.group.empty()) return options.group;
  const std::filesystem::path file(options.file);
  std::string name = file.parent_path().filename().string();
  if (name.empty()) name = std::filesystem::current_path().filename().string();
  for (const SweepAxis& axis : axes) name += "-" + axis.name;
  return slugOf(name);
}

Result<Sweep> askedFor(const Options& options) {
  auto axes = axesIn(options);
  if (!axes) return failure(std::move(axes.error()));
  auto text = readTrainFile(options.file);
  if (!text) return failure(std::move(text.error()));
  std::error_code error;
  Sweep sweep{
      nameFor(options, *axes), *std::move(text), std::filesystem::absolute(options.file, error).string(),
      options.sourceFolder,    options.image,    *std::move(axes)};
  if (auto is = checkSweep(sweep); !is) return failure(std::move(is.error()));
  return sweep;
}

/// The sweep of that name as it was begun, or a new one. What was begun with other values, or another text, is another sweep.
Result<Sweep> begunOrNew(const Sweep& asked, RunStore& store) {
  auto kept = store.keptSweep(asked.name);
  if (!kept) return failure(std::move(kept.error()));
  if (!*kept) {
    if (auto is = store.keepSweep(asked.name, toJson(asked).dump(), SystemClock().now()); !is)
      return failure(std::move(is.error()));
    return asked;
  }
  auto begun = sweepFrom(json::parse(**kept, nullptr, false));
  if (!begun) return begun;
  if (begun->axes != asked.axes)
    return failure(ErrorCode::AlreadyExists, fmt::format("the sweep '{}' has other arguments", asked.name),
                   fmt::format("it was begun with {} runs, the last of them {}", begun->points(),
                               begun->labelOf(begun->points() - 1)),
                   "give the same arguments to go on with it, or another name with --group");
  if (begun->trainYaml != asked.trainYaml)
    note(fmt::format("{} has changed since the sweep was begun; the text of then is launched",
                     asked.trainFile));
  return begun;
}

Result<PreparedLaunch> preparedPoint(const Sweep& sweep, std::size_t point, const LaunchTarget& target) {
  auto document = withChanges(ClusterDocument(sweep.trainYaml), sweep.changesAt(point));
  if (!document) return failure(std::move(document.error()));
  LaunchInput input{sweep.trainFile, sweep.codeFolder, sweep.image, {}};
  input.sweep = sweep.name;
  input.sweepPoint = static_cast<int>(point);
  return preparedHere(*document, input, target);
}

/// Every point can be planned, before the first is launched.
Result<void> checkPoints(const Sweep& sweep, const LaunchTarget& target) {
  for (std::size_t point = 0; point < sweep.points(); ++point) {
    const auto launch = preparedPoint(sweep, point, target);
    if (launch) continue;
    Error error = launch.error();
    error.what = fmt::format("{}: {}", sweep.labelOf(point), error.what);
    return failure(std::move(error));
  }
  return {};
}

std::string progressText(const Sweep& sweep, const std::vector<SweepPoint>& points) {
  std::size_t ended = 0, live = 0, failed = 0;
  for (const SweepPoint& point : points) {
    if (!point.run) continue;
    const RunState state = stateOf(*point.run);
    isTerminal(state) ? ++ended : ++live;
    if (state == RunState::Failed) ++failed;
  }
  std::string text = fmt::format("{}: {} of {} ended, {} running", sweep.name, ended, points.size(), live);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  return text;
}

std::vector<ComparedRun> comparedPoints(const std::vector<SweepPoint>& points, RunStore& store) {
  const PriceTable prices = pricesHere();
  std::vector<ComparedRun> runs;
  for (const SweepPoint& point : points) {
    if (!point.run) continue;
    if (auto run = comparedRun(*point.run, store, prices)) runs.push_back(*std::move(run));
  }
  return runs;
}

json pointJson(const Sweep& sweep, std::size_t at, const SweepPoint& point, RunStore& store) {
  json arguments = json::object();
  for (const SweepAxis& axis : sweep.axes) arguments[axis.name] = nullptr;
  const auto changes = sweep.changesAt(at);
  for (std::size_t i = 0; i < changes.size(); ++i) arguments[sweep.axes[i].name] = changes[i].value;
  json row{{"arguments", std::move(arguments)}, {"run", nullptr}, {"state", nullptr}};
  if (!point.run) return row;
  row["run"] = point.run->id.value;
  row["state"] = toString(stateOf(*point.run));
  if (const auto results = store.results(point.run->id)) row["results"] = toJson(*results);
  return row;
}

void printSweep(const Sweep& sweep, const std::vector<SweepPoint>& points, RunStore& store, bool asJson) {
  const std::vector<ComparedRun> runs = comparedPoints(points, store);
  const std::string metric = mainMetricOf(runs);
  if (asJson) {
    json rows = json::array();
    for (std::size_t i = 0; i < points.size(); ++i) rows.push_back(pointJson(sweep, i, points[i], store));
    printJson({{"sweep", sweep.name},
               {"metric", metric},
               {"points", std::move(rows)},
               {"verdict", verdictLine(runs, metric)}});
    return;
  }
  Table table({"POINT", "RUN", "STATE", metric.empty() ? "RESULT" : metric, "COST"});
  double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto run = std::find_if(runs.begin(), runs.end(), [&](const ComparedRun& r) {
      return points[i].run && r.run.id == points[i].run->id;
    });
    if (run == runs.end()) {
      table.add({sweep.labelOf(i), "-", "-", "-", "-"});
      continue;
    }
    RunSummary summary = summaryOf(run->run);
    summary.perHour = run->perHour;
    summary.currency = run->currency;
    const RunCost cost = costOf(summary, SystemClock().now());
    total += cost.soFar.value_or(0);
    const RunResult* result = resultNamed(run->results, metric);
    table.add({sweep.labelOf(i), run->run.id.value, toString(stateOf(run->run)),
               result == nullptr ? "-" : numberText(result->last), costText(cost)});
  }
  printText(table.text());
  if (total > 0) printLine(fmt::format("all of it: {:.2f} {}", total, runs.front().currency));
  const std::string verdict = verdictLine(runs, metric);
  if (!verdict.empty()) printLine(verdict);
}

/// Launches and looks, over the services of one target.
SweepHands handsFor(const Sweep& sweep, const LaunchTarget& chosen, const GlobalOptions& global,
                    const std::shared_ptr<RunStore>& store, const Interrupt& interrupt, ProgressBar& bar) {
  SweepHands hands;
  hands.launch = [&sweep, chosen, &interrupt, &bar](std::size_t point) -> Result<TrainingRun> {
    auto launch = preparedPoint(sweep, point, chosen);
    if (!launch) return failure(std::move(launch.error()));
    bar.clear();
    auto launched = launchOn(chosen, *std::move(launch), sweep.trainFile, true, interrupt.token());
    if (!launched) return failure(std::move(launched.error()));
    note(fmt::format("{}: run {}", sweep.labelOf(point), launched->run.id.value));
    return std::move(launched->run);
  };
  hands.refresh = [global, store, &interrupt](const TrainingRun& run) -> Result<TrainingRun> {
    auto services = servicesOf(run, global, store, RetryMode::OneLook);
    if (!services) return failure(std::move(services.error()));
    return services->launcher()->refresh(run, interrupt.token());
  };
  hands.ended = [global, store, &interrupt, &bar](const TrainingRun& run) {
    bar.clear();
    note(fmt::format("run {} is {}", run.id.value, toString(stateOf(run))));
    auto services = servicesOf(run, global, store, RetryMode::OneLook);
    ComparedRun compared;
    compared.run = run;
    const auto added = services ? addSamples(compared, *services, store.get(), interrupt.token())
                                : Result<void>(failure(services.error()));
    if (!added)
      warn(fmt::format("what {} came to cannot be read: {}", run.id.value, describe(added.error())));
  };
  hands.show = [&sweep, &bar](const std::vector<SweepPoint>& points) {
    const auto ended = std::count_if(points.begin(), points.end(), [](const SweepPoint& point) {
      return point.run && isTerminal(stateOf(*point.run));
    });
    bar.show(static_cast<double>(ended) / static_cast<double>(points.size()), progressText(sweep, points));
  };
  return hands;
}

int exitCodeFor(const std::vector<SweepPoint>& points, const Interrupt& interrupt) {
  if (interrupt.happened()) {
    note("stopped; what was launched goes on, and the same command goes on with the rest");
    return kCancelled;
  }
  const bool isWell = std::all_of(points.begin(), points.end(), [](const SweepPoint& point) {
    return point.run && stateOf(*point.run) == RunState::Succeeded;
  });
  if (!isWell) note("some runs have failed; --failed launches those again");
  return isWell ? kDone : kNotWell;
}

int sweep(const Options& options, const GlobalOptions& global) {
  auto asked = askedFor(options);
  if (!asked) {
    printError(asked.error());
    return asked.error().code == ErrorCode::InvalidArgument ? kUsage : exitCodeOf(asked.error());
  }
  const LaunchTarget chosen = targetOf(global, options.on);
  if (const auto is = checkPoints(*asked, chosen); !is) return failed(is.error());
  auto store = openRunStore();
  if (!store) return failed(store.error());
  if (options.dryRun) {
    for (std::size_t i = 0; i < asked->points(); ++i) printLine(asked->labelOf(i));
    note(fmt::format("nothing was launched: {} runs, {} at once", asked->points(), options.work.atOnce));
    return kDone;
  }
  const auto mark = (*store)->markSweeping(asked->name);
  if (!mark) return failed(mark.error());
  const auto sweep = begunOrNew(*asked, **store);
  if (!sweep) return failed(sweep.error());
  const Interrupt interrupt;
  ProgressBar bar(!options.json);
  SystemClock clock;
  const auto points = workOn(*sweep, **store, handsFor(*sweep, chosen, global, *store, interrupt, bar),
                             options.work, clock, interrupt.token());
  bar.clear();
  if (!points) return failed(points.error());
  printSweep(*sweep, *points, **store, options.json);
  return exitCodeFor(*points, interrupt);
}

}  // namespace

void addSweepCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Launch a train.yaml once for each combination of some arguments, a few runs at a time");
  command->add_option("FILE", options->file, "train.yaml")->required();
  command
      ->add_option("--arg", options->arguments,
                   "NAME=VALUE,VALUE…: an argument of the script and its values (may be given several times)")
      ->required()
      ->allow_extra_args(false);
  command->add_option("--at-once", options->work.atOnce, "how many runs go on at the same time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--group", options->group,
                      "name of the group that the runs are; the same name goes on with what was begun "
                      "(default: from the folder and the arguments)");
  command->add_flag("--failed", options->work.failedToo, "launch again what has failed or was cancelled");
  command->add_option("--on", options->on, "oci, or rehearsal: the region embedded in Lockstep")
      ->check(CLI::IsMember({"oci", "rehearsal"}));
  command->add_option("--image", options->image, "container image for a file that says '@image'");
  command->add_option("--source-folder", options->sourceFolder,
                      "in a rehearsal, the folder that stands for /code");
  command->add_flag("--dry-run", options->dryRun, "list the runs and launch none");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return sweep(*options, cli.global); }; });
}

}  // namespace lockstep::cli
