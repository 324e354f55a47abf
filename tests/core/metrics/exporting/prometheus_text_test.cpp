// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/exporting/prometheus_text.h"

#include <gtest/gtest.h>

#include <cctype>
#include <limits>
#include <set>
#include <sstream>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const TimePoint kTime(1'767'225'600s + 500ms);

ExportedRank rankWith(int number, std::map<std::string, ExportedValue, std::less<>> values) {
  ExportedRank rank;
  rank.rank = Rank(number);
  rank.node = "main";
  rank.jobRun = "ocid1.r";
  rank.step = 41;
  rank.newest = kTime;
  rank.values = std::move(values);
  return rank;
}

/// Reads the text as the format says (the page of Prometheus on its exposition formats, 0.0.4), and no more than that.
struct ReadText {
  std::map<std::string, std::string> help, types;
  std::map<std::string, double> samples;  // by name and labels as they stand
  std::string problem;

  explicit ReadText(const std::string& text) {
    std::istringstream all(text);
    std::set<std::string> closed;
    std::string family;
    if (!text.empty() && text.back() != '\n') problem = "the last line does not end";
    for (std::string line; std::getline(all, line);) {
      std::istringstream words(line);
      std::string mark, kind, name;
      if (line.starts_with("# ")) {
        words >> mark >> kind >> name;
        if (name != family && closed.contains(name)) problem = "two groups of " + name;
        closed.insert(family = name);
        std::string rest;
        std::getline(words, rest);
        if (!(kind == "HELP" ? help : types).emplace(name, rest.substr(1)).second) problem = "twice: " + line;
        continue;
      }
      const std::size_t labels = line.find('{'), end = line.rfind("} ");
      if (labels == std::string::npos || end == std::string::npos) {
        problem = "no sample: " + line;
        continue;
      }
      if (line.substr(0, labels) != family) problem = "outside of its group: " + line;
      const std::string value = line.substr(end + 2);
      const double number = value == "+Inf" ? std::numeric_limits<double>::infinity() : std::stod(value);
      if (!samples.emplace(line.substr(0, end + 1), number).second) problem = "twice: " + line;
    }
  }
};

TEST(PrometheusText, SaysTheNewestValuesInBaseUnits) {
  const ExportedRun run{"ocid1.job",
                        {rankWith(0, {{"gpu_percent", {87, kTime}},
                                      {"step_ms", {250, kTime}},
                                      {"loss", {0.25, kTime}},
                                      {"gpu_sm_clock_mhz", {1980, kTime}},
                                      {"cpu_percent", {350, kTime}},
                                      {"val/acc \"top\"", {0.5, kTime}}}),
                         rankWith(1, {{"gpu_percent", {50, kTime}}})}};
  const ReadText read(prometheusText(run));
  EXPECT_EQ(read.problem, "");
  const std::string labels = R"({rank="0",node="main",job_run="ocid1.r",run="ocid1.job"})";
  EXPECT_DOUBLE_EQ(read.samples.at("lockstep_gpu_ratio" + labels), 0.87);
  EXPECT_DOUBLE_EQ(
      read.samples.at(R"(lockstep_gpu_ratio{rank="1",node="main",job_run="ocid1.r",run="ocid1.job"})"), 0.5);
  EXPECT_DOUBLE_EQ(read.samples.at("lockstep_step_seconds" + labels), 0.25);
  EXPECT_DOUBLE_EQ(read.samples.at("lockstep_loss" + labels), 0.25);
  EXPECT_DOUBLE_EQ(read.samples.at("lockstep_gpu_sm_clock_hertz" + labels), 1.98e9);
  EXPECT_DOUBLE_EQ(read.samples.at("lockstep_cpu_cores" + labels), 3.5);
  EXPECT_DOUBLE_EQ(read.samples.at("lockstep_current_step" + labels), 41);
  EXPECT_DOUBLE_EQ(read.samples.at("lockstep_newest_sample_timestamp_seconds" + labels), 1'767'225'600.5);
  EXPECT_DOUBLE_EQ(
      read.samples.at(
          R"(lockstep_script_value{rank="0",node="main",job_run="ocid1.r",run="ocid1.job",quantity="val/acc \"top\""})"),
      0.5);
  EXPECT_EQ(read.types.at("lockstep_gpu_ratio"), "gauge");
  EXPECT_EQ(read.help.at("lockstep_cpu_cores"), "CPU utilization: 1 is one core");
}

TEST(PrometheusText, WhatIsNoNumberHasItsWords) {
  const std::string text =
      prometheusText({"",
                      {rankWith(0, {{"loss", {std::numeric_limits<double>::quiet_NaN(), kTime}},
                                    {"mean_loss", {std::numeric_limits<double>::infinity(), kTime}},
                                    {"learning_rate", {-std::numeric_limits<double>::infinity(), kTime}}})}});
  EXPECT_NE(text.find("} NaN\n"), std::string::npos);
  EXPECT_NE(text.find("} +Inf\n"), std::string::npos);
  EXPECT_NE(text.find("} -Inf\n"), std::string::npos);
  EXPECT_EQ(text.find("run=\"\""), std::string::npos) << "a label without a value is no label";
}

TEST(PrometheusText, LabelsAreEscaped) {
  EXPECT_EQ(prometheusLabel("plain"), "plain");
  EXPECT_EQ(prometheusLabel("a\\b\"c\nd"), "a\\\\b\\\"c\\nd");
  EXPECT_EQ(prometheusLabel("{}=,#\t"), "{}=,#\t");
  EXPECT_EQ(prometheusLabel("\xff"), "\xEF\xBF\xBD");
}

TEST(PrometheusText, NamesAreWhatPrometheusTakesAndEachIsItsOwn) {
  std::set<std::string> names{"lockstep_script_value", "lockstep_current_step",
                              "lockstep_newest_sample_timestamp_seconds"};
  for (const MetricInfo& info : metricCatalogue()) {
    if (info.source != MetricSource::Rank) continue;
    const std::string name = prometheusName(info).name;
    EXPECT_TRUE(names.insert(name).second) << name << " stands for two quantities";
    for (const char c : name) {
      const auto byte = static_cast<unsigned char>(c);
      EXPECT_TRUE(std::islower(byte) != 0 || std::isdigit(byte) != 0 || c == '_') << name;
    }
    for (const char* unit : {"_percent", "_ms", "_mhz"}) EXPECT_FALSE(name.ends_with(unit)) << name;
  }
}

TEST(PrometheusText, NothingIsNothing) {
  EXPECT_EQ(prometheusText({}), "");
}

}  // namespace
}  // namespace lockstep
