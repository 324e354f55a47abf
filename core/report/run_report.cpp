// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text/html_text.h"
#include "base/time_text.h"
#include "base/version.h"
#include "diagnosis/findings/finding_words.h"
#include "history/run_results.h"
#include "launch/rank_rows.h"
#include "report/curve_picture.h"

namespace lockstep {
namespace {

constexpr std::size_t kMostRanks = 64;

class Page {
 public:
  explicit Page(const ReportedRun& reported)
      : reported_(reported), filter_(reported.run.trainYaml, reported.home) {}

  std::string html() {
    addHead();
    addFindings();
    addResults();
    addCurves();
    addRanks();
    addTrainYaml();
    add("<p class=\"dim\">Made by Lockstep {} at {}.</p>\n", LOCKSTEP_VERSION, toRfc3339(reported_.now));
    return htmlPage(filter_.text(reported_.run.name), body_);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<const Arguments&...> format, const Arguments&... arguments) {
    fmt::format_to(std::back_inserter(body_), format, arguments...);
  }
  [[nodiscard]] std::string shown(const std::string& text) const { return escapedHtml(filter_.text(text)); }

  void addHead() {
    const TrainingRun& run = reported_.run;
    const RunState state = stateOf(run);
    const char* tone = state == RunState::Succeeded ? "ready" : state == RunState::Failed ? "blocked" : "dim";
    add("<h1>{} <span class=\"{}\">{}</span></h1>\n", shown(run.name.empty() ? run.id.value : run.name), tone,
        toString(state));
    std::string line = fmt::format("launched {}", toRfc3339(run.created));
    const std::string lasted = elapsedText(run.finished.value_or(reported_.now) - run.created);
    line += isTerminal(state) ? ", took " + lasted : ", " + lasted + " so far";
    int nodes = 0;
    for (const NodeRun& node : run.nodes) nodes += node.nodes;
    line += fmt::format(", nodes: {}, ranks: {}, samples: {}", nodes, reported_.samples.ranks().size(),
                        reported_.samples.sampleCount());
    if (const RunCost& cost = reported_.cost; cost.soFar)
      line += fmt::format(", cost: {:.2f} {}{}", *cost.soFar, cost.currency,
                          cost.isRehearsal ? " (rehearsed: nothing was charged)" : "");
    add("<p class=\"dim\">{}</p>\n", escapedHtml(line));
    if (!run.failure.empty()) add("<p class=\"blocked\">{}</p>\n", shown(run.failure));
  }

  void addFindings() {
    if (reported_.findings.empty()) return;
    body_ += "<h2>What was found</h2>\n<ul>\n";
    for (const RunFinding& finding : reported_.findings) {
      const char* tone = finding.severity == FindingSeverity::Critical  ? "blocked"
                         : finding.severity == FindingSeverity::Warning ? "warning"
                                                                        : "dim";
      add("<li><span class=\"{}\">{}</span>{}", tone, shown(englishOf(finding.what)),
          finding.end ? " <span class=\"dim\">(over)</span>" : "");
      addClause("Because: ", finding.cause);
      for (const FindingText& fact : finding.evidence) addClause("", fact);
      for (const FindingText& missing : finding.unmeasured) addClause("Not measured: ", missing);
      addClause("Way out: ", finding.remedy);
      body_ += "</li>\n";
    }
    body_ += "</ul>\n";
  }

  void addClause(const char* before, const FindingText& text) {
    if (!text.isEmpty()) add("<div>{}{}</div>", before, shown(englishOf(text)));
  }

  void addResults() {
    const std::vector<RunResult> results = resultsOf(reported_.samples);
    if (results.empty()) return;
    body_ +=
        "<h2>What came of it</h2>\n<table><tr><th>quantity</th><th>last</th><th>at step</th><th>best</th>"
        "<th>at step</th><th>mean of the last fifth</th></tr>\n";
    for (const RunResult& result : results) {
      const MetricInfo* info = findMetric(result.metric);
      const MetricUnit unit = info ? info->unit : MetricUnit::None;
      add("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
          shown(titled(result.metric)), valueWithUnit(result.last, unit), result.lastStep,
          result.best ? valueWithUnit(*result.best, unit) : "",
          result.best ? std::to_string(result.bestStep) : "",
          result.mean ? valueWithUnit(*result.mean, unit) +
                            (result.error ? " ± " + valueWithUnit(*result.error, unit) : std::string())
                      : "");
    }
    body_ += "</table>\n";
  }

  [[nodiscard]] static std::string titled(const std::string& name) {
    const MetricInfo* info = findMetric(name);
    return info ? info->title : name;
  }

  // In the order of the catalogue, then what the script calls its own.
  [[nodiscard]] std::vector<std::string> curveNames() const {
    std::vector<std::string> names = reported_.samples.names(), ordered;
    for (const MetricInfo& info : metricCatalogue()) {
      const auto found = std::find(names.begin(), names.end(), info.name);
      if (found == names.end()) continue;
      ordered.push_back(*found);
      names.erase(found);
    }
    ordered.insert(ordered.end(), names.begin(), names.end());
    return ordered;
  }

  void addCurves() {
    const std::vector<std::string> names = curveNames();
    if (names.empty()) return;
    body_ +=
        "<h2>Curves over steps</h2>\n<p class=\"dim\">The line is what the ranks come to together; the band "
        "goes from "
        "the smallest to the largest sample of any of them.</p>\n<div class=\"curves\">\n";
    for (std::size_t i = 0; i < std::min(names.size(), kMostCurves); ++i) addCurve(names[i]);
    body_ += "</div>\n";
    if (names.size() > kMostCurves)
      add("<p class=\"dim\">{} more quantities are not drawn.</p>\n", names.size() - kMostCurves);
  }

  void addCurve(const std::string& name) {
    const auto steps = reported_.samples.steps(name);
    if (!steps) return;
    const double first = static_cast<double>(steps->first), end = static_cast<double>(steps->second) + 1;
    const PixelGrid grid{first, end, static_cast<int>(std::min<double>(kCurveColumns, end - first))};
    const MetricInfo* info = findMetric(name);
    const std::string title = filter_.text(titled(name));
    const std::string picture =
        curvePicture(curveOf(reported_.samples, name, grid), info ? info->unit : MetricUnit::None, title);
    if (!picture.empty())
      add("<figure><figcaption>{}{}</figcaption>\n{}</figure>\n", escapedHtml(title),
          info && info->unit == MetricUnit::PercentOfOneCore ? " (of one core)" : "", picture);
  }

  void addRanks() {
    const std::vector<RankRow> rows = rankRows(reported_.run, reported_.samples);
    if (rows.empty()) return;
    body_ += "<h2>Ranks</h2>\n<table><tr><th>rank</th><th>node</th><th>state</th><th>last step</th></tr>\n";
    for (std::size_t i = 0; i < std::min(rows.size(), kMostRanks); ++i) {
      const RankRow& row = rows[i];
      const auto last = row.rank ? lastStepOf(*row.rank) : std::nullopt;
      add("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
          row.rank ? std::to_string(row.rank->value) : "", shown(row.node), toString(row.state),
          last ? std::to_string(*last) : "");
    }
    body_ += "</table>\n";
    if (rows.size() > kMostRanks)
      add("<p class=\"dim\">{} more ranks are not listed.</p>\n", rows.size() - kMostRanks);
  }

  [[nodiscard]] std::optional<Step> lastStepOf(Rank rank) const {
    const auto attempts = reported_.samples.attempts(rank);
    return attempts.empty() ? std::nullopt : std::optional(attempts.back().maxStep());
  }

  void addTrainYaml() {
    if (filter_.trainYaml().empty()) return;
    add("<details><summary>train.yaml</summary><pre>{}</pre></details>\n", escapedHtml(filter_.trainYaml()));
  }

  const ReportedRun& reported_;
  SecretFilter filter_;
  std::string body_;
};

}  // namespace

std::string runReport(const ReportedRun& reported) {
  return Page(reported).html();
}

}  // namespace lockstep
