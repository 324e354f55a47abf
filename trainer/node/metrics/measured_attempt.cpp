// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/measured_attempt.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text/trimmed.h"
#include "metrics/foreign_names.h"
#include "trainer/node/processes/node_log.h"
#include "trainer/usage/usage_values.h"

namespace lockstep::node {
namespace {

constexpr std::chrono::milliseconds kLook{500};
constexpr int kLooksPerSample = 2;  // what machines use: each second
constexpr int kLooksPerSearch = 4;  // for new event files: every two seconds
constexpr std::chrono::seconds kWaitForSteps{60};
constexpr std::size_t kMaxEventBytes = 8 << 20;  // at one look
constexpr std::size_t kMaxSharers = 64;          // that are told of
constexpr int kLooksBeforeTold = 6;              // readings, of which every fifth looks for processes

std::vector<pid_t> processesOf(const std::vector<MeasuredRank>& ranks) {
  std::vector<pid_t> all;
  for (const MeasuredRank& rank : ranks) all.push_back(rank.process);
  return all;
}

/// One row of a segment, without what it has no cell for.
RankMetrics::Values valuesOf(const MetricSegment& segment, std::size_t row) {
  RankMetrics::Values values;
  for (const MetricSegment::Column& column : segment.columns)
    if (column.cells[row]) values.emplace_back(column.name, *column.cells[row]);
  return values;
}

}  // namespace

NodeMetrics::Attempt::Attempt(Sources sources, std::vector<MeasuredRank> ranks,
                              std::map<int, RankMetrics> metrics)
    : sources_(std::move(sources)),
      ranks_(std::move(ranks)),
      metrics_(std::move(metrics)),
      events_(sources_.eventFolders, SystemClock().now()),
      processes_(processesOf(ranks_)),
      node_(sources_.results) {
  std::vector<int> numbers;
  for (const MeasuredRank& rank : ranks_) {
    numbers.push_back(rank.rank);
    if (sources_.onlyTells) continue;
    for (const int gpu : rank.gpus)
      if (!gpus_.contains(gpu)) gpus_[gpu] = trainer::NvmlDevice::open(gpu, sources_.environment);
  }
  if (sources_.lines) printed_ = std::make_unique<PrintedMetrics>(*std::move(sources_.lines), numbers);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

NodeMetrics::Attempt::~Attempt() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void NodeMetrics::Attempt::onOutput(int rank, std::string_view bytes) {
  if (printed_) printed_->add(rank, bytes);
}

void NodeMetrics::Attempt::run(const std::stop_token& stop) {
  SystemClock clock;
  for (int look = 1; clock.sleepFor(kLook, stop); ++look) {
    collectScript();
    if (sources_.onlyTells) continue;
    collectLines();
    if (look % kLooksPerSearch == 1) events_.look();
    collectEvents();
    if (look % kLooksPerSample == 0) sampleUsage(stop);
    for (auto& [rank, metrics] : metrics_) metrics.settle(SystemClock().now());
    tellProblems();
  }
}

void NodeMetrics::Attempt::finish(std::chrono::milliseconds limit) {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  collectLines();
  collectScript();
  events_.look();
  collectEvents();
  const auto end = std::chrono::steady_clock::now() + limit;
  for (auto& [rank, metrics] : metrics_) {
    const auto left = end - std::chrono::steady_clock::now();
    metrics.flush(
        std::max(std::chrono::milliseconds(0), std::chrono::duration_cast<std::chrono::milliseconds>(left)));
  }
}

RankMetrics* NodeMetrics::Attempt::metricsOf(int rank) {
  const auto found = metrics_.find(rank);
  return found == metrics_.end() ? nullptr : &found->second;
}

void NodeMetrics::Attempt::collectLines() {
  if (!printed_) return;
  for (const PrintedMetrics::Row& one : printed_->take())
    if (RankMetrics* const metrics = metricsOf(one.rank))
      metrics->add(MetricOrigin::Lines, one.row.step, one.row.time, one.row.values, SystemClock().now());
  for (const std::string& note : printed_->popNotes()) say("{}", note);
}

void NodeMetrics::Attempt::collectScript() {
  const TimePoint now = SystemClock().now();
  for (const MetricSegment& segment : sources_.inbox.take()) {
    RankMetrics* const metrics = metricsOf(segment.rank.value);
    if (metrics == nullptr) continue;
    for (std::size_t i = 0; i < segment.rows.size(); ++i)
      metrics->add(MetricOrigin::Script, segment.rows[i].step, segment.rows[i].time, valuesOf(segment, i),
                   now);
  }
}

// Who wrote a file is in its name; where that is no process of ours, it was the first rank here, as is usual.
int NodeMetrics::Attempt::rankOf(std::optional<int> process) {
  if (!process) return ranks_.front().rank;
  if (const auto known = writers_.find(*process); known != writers_.end()) return known->second;
  const auto tree = processes_.treeOf(*process);
  if (tree) writers_[*process] = ranks_[*tree].rank;
  return ranks_[tree.value_or(0)].rank;
}

void NodeMetrics::Attempt::collectEvents() {
  const TimePoint now = SystemClock().now();
  for (const FoundScalars& found : events_.readNew(kMaxEventBytes)) {
    RankMetrics* const metrics = metricsOf(rankOf(found.pid));
    for (const EventScalar& scalar : found.scalars)
      metrics->add(MetricOrigin::EventFiles, scalar.step, scalar.time,
                   {{metricNameOf(scalar.name, found.run), scalar.value}}, now);
  }
}

trainer::GpuUsage NodeMetrics::Attempt::gpuUsageOf(const MeasuredRank& rank) {
  std::vector<trainer::GpuUsage> all;
  for (const int gpu : rank.gpus)
    if (gpus_[gpu]) all.push_back(gpus_[gpu]->read());
  return trainer::together(all);
}

// Charts are drawn over steps: of a training that never says where it is, seconds stand for them. Until that is clear, all
// samples lie at the beginning, where the steps will begin.
Step NodeMetrics::Attempt::stepOfOthers(const std::stop_token& stop) {
  std::optional<Step> furthest;
  for (const auto& [rank, metrics] : metrics_)
    if (metrics.step()) furthest = std::max(furthest.value_or(0), *metrics.step());
  if (sources_.runStep && furthest && metrics_.contains(0)) sources_.runStep->tell(*furthest, stop);
  if (sources_.runStep && !furthest) furthest = sources_.runStep->read(stop);
  if (furthest) return *furthest;
  const auto passed = std::chrono::steady_clock::now() - begin_;
  return passed < kWaitForSteps ? 0 : std::chrono::duration_cast<std::chrono::seconds>(passed).count();
}

void NodeMetrics::Attempt::sampleUsage(const std::stop_token& stop) {
  const Step otherwise = stepOfOthers(stop);
  const std::vector<trainer::ProcessUsage> processes = processes_.read();
  const trainer::NodeUsage node = node_.read();
  const TimePoint now = SystemClock().now();
  tellSharers();
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const MeasuredRank& rank = ranks_[i];
    const bool isKnown = rank.process != 0;
    metricsOf(rank.rank)->addUsage(
        now,
        trainer::valuesOf(
            trainer::Usage{processes[i], isKnown ? node : trainer::NodeUsage{}, gpuUsageOf(rank)}),
        otherwise);
  }
}

// Who has just been started may be a child of ours that nobody has looked at yet. In a container numbers may be the host's,
// of which nothing can be said.
void NodeMetrics::Attempt::tellSharers() {
  for (const auto& [number, gpu] : gpus_) {
    if (!gpu) continue;
    for (const trainer::GpuProcess& process : gpu->processes()) {
      const auto pid = static_cast<pid_t>(process.pid);
      if (pid == ::getpid() || processes_.treeOf(pid) || sharers_.size() >= kMaxSharers) continue;
      const std::string name(trimmed(trainer::kernelFile(fmt::format("/proc/{}/comm", pid))));
      if (name.empty() || ++sharers_[process.pid] != kLooksBeforeTold) continue;
      say("note: GPU {} is also used by process {} ({}), which is none of the ranks here", number, pid, name);
    }
  }
}

void NodeMetrics::Attempt::tellProblems() {
  if (const std::size_t broken = sources_.inbox.broken(); broken > brokenTold_) {
    if (brokenTold_ == 0)
      say("warning: {} file{} of metrics could not be read", broken, broken == 1 ? "" : "s");
    brokenTold_ = broken;
  }
  for (const auto& [rank, metrics] : metrics_) {
    const auto problem = isProblemTold_ ? std::nullopt : metrics.lastFailure();
    if (!problem) continue;
    say("warning: metrics of rank {} cannot be stored now: {}", rank, describe(*problem));
    isProblemTold_ = true;
  }
}

}  // namespace lockstep::node
