// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogue of metrics is the only place that spells their names: the sources, the page of docs/formats and what the
// region publishes are held against it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "metrics/lines/line_rules.h"
#include "metrics/metric_catalogue.h"
#include "rehearsal/jobs/node_sampler.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = LOCKSTEP_SOURCE_DIR;

// Words that are names of metrics and of other things, too, and where they are those.
const std::set<std::pair<std::string, std::string>> kOtherMeanings{
    {"core/metrics/layouts/layout_text.cpp", "epoch"},
    {"core/metrics/lines/line_rules.cpp", "epoch"},  // in lines of others
    {"core/metrics/lines/line_rules.cpp", "loss"},
    {"trainer/checkpoint/training_position.cpp", "epoch"},
};

bool isMetricLiteral(const std::string& file, const std::string& literal) {
  return findMetric(literal) != nullptr && !kOtherMeanings.contains({file, literal});
}

std::vector<std::string> literalsIn(const std::string& text) {
  static const std::regex kLiteral("\"([A-Za-z_]+)\"");
  std::vector<std::string> literals;
  for (std::sregex_iterator one(text.begin(), text.end(), kLiteral), end; one != end; ++one)
    literals.push_back((*one)[1]);
  return literals;
}

// The region shares no code with the client: its spelling is compared below.
TEST(MetricNames, AreSpelledInTheCatalogueAlone) {
  std::size_t files = 0;
  for (const char* top : {"core", "trainer", "widgets", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      const std::string name = fs::relative(entry.path(), kRoot).generic_string();
      const bool isSource = name.ends_with(".h") || name.ends_with(".cpp");
      if (!isSource || name == "core/metrics/metric_catalogue.h" || name.starts_with("app/rehearsal/"))
        continue;
      ++files;
      for (const std::string& literal : literalsIn(readFile(entry.path()).value_or("")))
        EXPECT_FALSE(isMetricLiteral(name, literal)) << name << " spells \"" << literal << "\"";
    }
  EXPECT_GT(files, 500U);
  EXPECT_TRUE(isMetricLiteral("any.cpp", "gpu_percent")) << "the test finds what it looks for";
}

TEST(MetricNames, TheRegionPublishesWhatTheCatalogueSays) {
  std::set<std::string> published, listed;
  for (const rehearsal::NodeQuantity& quantity : rehearsal::nodeQuantities()) {
    published.insert(quantity.metric);
    const MetricInfo* info = findMetric(quantity.metric);
    ASSERT_NE(info, nullptr) << quantity.metric << " is not in the catalogue";
    EXPECT_EQ(std::string(quantity.unit), info->unit == MetricUnit::Percent ? "percent" : "bytes")
        << quantity.metric;
  }
  for (const MetricInfo& info : metricCatalogue())
    if (info.source == MetricSource::JobRun) listed.emplace(info.name);
  EXPECT_EQ(published, listed);
}

/// "| `loss` | Loss | | Loss and accuracy | mean |": the columns of the page that the catalogue knows.
std::string rowOf(const MetricInfo& info) {
  static constexpr std::array kAcross{"mean", "max", "sum", "last"};
  std::string row = "|";
  for (const std::string& cell :
       {"`" + std::string(info.name) + "`", std::string(info.title), std::string(symbolOf(info.unit)),
        std::string(titleOf(info.group)), std::string(kAcross[static_cast<std::size_t>(info.across)])})
    row += cell.empty() ? " |" : " " + cell + " |";
  return row;
}

TEST(MetricNames, ThePageListsExactlyTheCatalogue) {
  const std::string page = readFile(kRoot / "docs/formats/metrics.md").value_or("");
  const std::size_t second = page.find("## Of a job run");
  ASSERT_NE(second, std::string::npos);
  for (const MetricInfo& info : metricCatalogue()) {
    const std::size_t at = page.find("\n" + rowOf(info));
    EXPECT_NE(at, std::string::npos) << "docs/formats/metrics.md has no row " << rowOf(info);
    EXPECT_EQ(at > second, info.source == MetricSource::JobRun) << info.name << " stands in the other table";
  }
  static const std::regex kRow("\\n\\| `([^`]+)` \\|");
  std::size_t rows = 0;
  for (std::sregex_iterator one(page.begin(), page.end(), kRow), end; one != end; ++one, ++rows)
    EXPECT_NE(findMetric((*one)[1].str()), nullptr) << (*one)[1] << " is not in the catalogue";
  EXPECT_EQ(rows, metricCatalogue().size());
}

/// A line within a cell of a table.
std::string inTable(std::string line) {
  for (std::size_t at = 0; (at = line.find('|', at)) != std::string::npos; at += 2) line.insert(at, 1, '\\');
  return line;
}

TEST(MetricNames, ThePageListsExactlyTheRulesForLines) {
  const std::string page = readFile(kRoot / "docs/script-metrics.md").value_or("");
  std::size_t at = page.find("| rule |");
  ASSERT_NE(at, std::string::npos);
  for (const LineRule& rule : lineRules()) {
    const std::string note = rule.certainAfter == 2 ? " (two lines)" : "";
    const std::string row =
        "\n| `" + std::string(rule.id) + "`" + note + " | `" + inTable(rule.example) + "` |";
    const std::size_t found = page.find(row, at);
    EXPECT_NE(found, std::string::npos) << "docs/script-metrics.md has no row, or not in this order: " << row;
    if (found != std::string::npos) at = found;
    EXPECT_TRUE(rule.certainAfter == 2 || rule.certainAfter == 3) << rule.id;
  }
  const std::string table =
      page.substr(page.find("| rule |"), page.find("Steps count from 0") - page.find("| rule |"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'),
            static_cast<std::ptrdiff_t>(lineRules().size()) + 3);
}

}  // namespace
}  // namespace lockstep
