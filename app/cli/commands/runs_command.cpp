// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "cli.h"
#include "follow_view.h"
#include "launch/stop_after.h"
#include "output.h"
#include "run_view.h"
#include "runs/search/run_index.h"
#include "target.h"

namespace lockstep::cli {
namespace {

// For bringing all live runs up to date together: a list that hangs on a region that is away is of no use.
constexpr std::chrono::seconds kRefreshLimit{4};

struct Options {
  bool json = false;
  bool offline = false;
  bool remote = false;
  bool archived = false;
  std::vector<std::string> search;
  std::vector<std::string> compartments;
  std::string project;
};

/// Brings the live ones of those runs up to date, with what the service says of them now.
void bringUpToDate(std::vector<RunSummary>& runs, const GlobalOptions& global,
                   const std::shared_ptr<RunStore>& store) {
  const StopAfter limit(kRefreshLimit);
  std::map<std::pair<std::string, std::string>, bool> reachable;  // by profile
  for (RunSummary& summary : runs) {
    const bool isOver = isTerminal(summary.state) && summary.nodeTime.live == 0;
    if (isOver || limit.token().stop_requested()) continue;
    const auto [place, isNew] = reachable.try_emplace({summary.configFile, summary.profile}, true);
    if (!place->second) continue;
    auto run = store->find(summary.id.value);
    if (!run) continue;
    auto services = servicesOf(*run, global, store, RetryMode::OneLook);
    auto now =
        services ? services->launcher()->refresh(*run, limit.token()) : tl::unexpected(services.error());
    if (now) {
      summary = withNewState(std::move(summary), *now);
      continue;
    }
    place->second = false;
    warn(fmt::format("the states of the runs of profile '{}' are the last known ones: {}", summary.profile,
                     describe(now.error())));
  }
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void printTable(const std::vector<RunSummary>& runs) {
  const TimePoint now = SystemClock().now();
  Table table({"RUN", "STATE", "NODES", "CREATED", "ELAPSED", "RESULT", "COST", "TAGS", "PROFILE", "NAME"});
  bool isRehearsed = false;
  for (const RunSummary& run : runs) {
    const RunCost cost = costOf(run, now);
    isRehearsed = isRehearsed || (cost.isRehearsal && cost.soFar);
    std::string tags = joined(run.marks.tags);
    if (run.marks.isPinned) tags.insert(0, tags.empty() ? "(pinned)" : "(pinned) ");
    const std::string result = resultText(run.results);
    table.add({run.id.value, toString(run.state), std::to_string(run.nodes),
               toRfc3339(run.created).substr(0, 19) + "Z", elapsedText(elapsedOf(run, now)),
               result.empty() ? "-" : result, costText(cost), tags.empty() ? "-" : tags, run.profile,
               run.name});
  }
  printText(table.text());
  if (isRehearsed) note("* rehearsed: nothing was charged, the same would have cost that");
}

/// The run here that follows that job; empty: none does.
std::string knownAs(const RemoteRun& run, const std::vector<TrainingRun>& known) {
  for (const TrainingRun& one : known)
    if (one.jobId == run.jobId) return one.id.value;
  return {};
}

std::string orDash(const std::string& text) {
  return text.empty() ? "-" : text;
}

void printRemote(const std::vector<RemoteRun>& runs, const std::vector<TrainingRun>& known) {
  Table table({"STATE", "JOB RUNS", "CREATED", "HERE", "COMPARTMENT", "PROJECT", "NAME", "JOB"});
  for (const RemoteRun& run : runs) {
    const std::string here = knownAs(run, known);
    table.add({toString(run.state), std::to_string(run.jobRuns.size()),
               toRfc3339(run.created).substr(0, 19) + "Z", orDash(here), orDash(run.compartment),
               orDash(run.project), run.name, run.jobId.value});
  }
  printText(table.text());
}

int remote(const Options& options, const GlobalOptions& global) {
  auto store = openRunStore();
  if (!store) return failed(store.error());
  const auto known = (*store)->all();
  if (!known) return failed(known.error());
  auto found = findRemoteRuns(options.compartments, options.project, global, *store);
  if (!found) return failed(found.error());
  if (!found->forbidden.empty())
    warn(fmt::format("{} compartment{} not looked into: its job runs may not be read",
                     found->forbidden.size(), found->forbidden.size() == 1 ? " was" : "s were"));
  if (options.json) {
    nlohmann::json rows = nlohmann::json::array();
    for (const RemoteRun& run : found->runs) {
      rows.push_back(toJson(run));
      const std::string here = knownAs(run, *known);
      rows.back()["run"] = here.empty() ? nlohmann::json(nullptr) : nlohmann::json(here);
    }
    printJson(rows);
  } else if (found->runs.empty()) {
    note("no job of these compartments has run");
  } else {
    printRemote(found->runs, *known);
  }
  return kDone;
}

/// The runs that are asked for, each brought up to date before it is looked at.
Result<std::vector<RunSummary>> wantedRuns(const Options& options, const RunQuery& query,
                                           const GlobalOptions& global,
                                           const std::shared_ptr<RunStore>& store) {
  auto all = store->summaries();
  if (!all) return all;
  if (!options.offline) bringUpToDate(*all, global, store);
  if (auto priced = fillPrices(*store, *all, pricesHere()); !priced) return failure(priced.error());
  const RunIndex index(*std::move(all));
  std::vector<RunSummary> wanted;
  for (const std::uint32_t at : index.search(query, SystemClock().now(), options.archived))
    wanted.push_back(index.runs()[at]);
  return wanted;
}

Result<nlohmann::json> rowsOf(const std::vector<RunSummary>& runs, RunStore& store) {
  const TimePoint now = SystemClock().now();
  nlohmann::json rows = nlohmann::json::array();
  for (const RunSummary& summary : runs) {
    const auto run = store.find(summary.id.value);
    if (!run) return failure(run.error());
    nlohmann::json& row = rows.emplace_back(lockstep::toJson(*run));
    row["state"] = toString(summary.state);
    row["marks"] = lockstep::toJson(summary.marks);
    row["results"] = lockstep::toJson(summary.results);
    row["findings"] = lockstep::toJson(summary.findings);
    row["cost"] = toJson(costOf(summary, now));
  }
  return rows;
}

int runs(const Options& options, const GlobalOptions& global) {
  if (options.remote) return remote(options, global);
  const auto query = parseRunQuery(joined(options.search), SystemClock().now());
  if (!query) {
    printError(query.error());
    return kUsage;
  }
  auto store = openRunStore();
  if (!store) return failed(store.error());
  const auto wanted = wantedRuns(options, *query, global, *store);
  if (!wanted) return failed(wanted.error());
  if (options.json) {
    const auto rows = rowsOf(*wanted, **store);
    if (!rows) return failed(rows.error());
    printJson(*rows);
  } else if (wanted->empty() && query->wantsAll()) {
    note("no run has been launched from this machine yet; launch one with: lockstep run FILE");
  } else if (wanted->empty()) {
    note("no run is like that");
  } else {
    printTable(*wanted);
  }
  return kDone;
}

}  // namespace

void addRunsCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "runs", "List the runs that this machine launched, attached to or imported, newest first");
  CLI::Option* search = command->add_option(
      "SEARCH", options->search,
      "only runs like that: words, name: tag: group: state: note: …, is:pinned, loss<0.3, nodes>=2, "
      "elapsed>1h, "
      "created>2026-11-01, cost>10, findings>0; - before a term for its opposite (then put -- before the "
      "search)");
  command->add_flag("--archived", options->archived, "archived runs, too");
  command->add_flag("--json", options->json, "print one JSON document");
  CLI::Option* remote = command->add_flag(
      "--remote", options->remote, "the jobs of the tenancy that have run, whoever launched them, instead");
  remote->excludes(search);
  command
      ->add_option("--compartment", options->compartments,
                   "with --remote: only this compartment (may be given several times)")
      ->needs(remote);
  command->add_option("--project", options->project, "with --remote: only this Data Science project")
      ->needs(remote);
  command->add_flag("--offline", options->offline, "the last known states, without asking any service")
      ->excludes(remote);
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return runs(*options, cli.global); }; });
}

}  // namespace lockstep::cli
