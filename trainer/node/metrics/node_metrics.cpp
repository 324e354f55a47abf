// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/node_metrics.h"

#include <algorithm>
#include <sstream>

#include "base/child_process.h"
#include "trainer/node/metrics/measured_attempt.h"
#include "trainer/node/processes/node_log.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kFlushLimit{5};
constexpr const char* kOwnTrainer = "lockstep-trainer";

bool isOwnTrainer(const std::vector<std::string>& command) {
  return std::any_of(command.begin(), command.end(),
                     [](const std::string& word) { return fs::path(word).filename() == kOwnTrainer; });
}

/// One expression a line.
std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

/// The word behind one of the names in the arguments, or behind its '='.
std::vector<std::string> argumentsNamed(const std::vector<std::string>& names,
                                        const std::vector<std::string>& command) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    const std::string name = word.substr(0, word.find('='));
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    if (name.size() < word.size())
      values.push_back(word.substr(name.size() + 1));
    else if (i + 1 < command.size())
      values.push_back(command[i + 1]);
  }
  return values;
}

}  // namespace

std::vector<fs::path> usualEventFolders(const NodeSettings& settings,
                                        const std::vector<std::string>& command) {
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& folder) {
    if (!folder.empty() && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  };
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  for (const std::string& named :
       argumentsNamed({"--logdir", "--log-dir", "--log_dir", "--logging_dir", "--tensorboard",
                       "--tensorboard-dir", "--tensorboard_dir", "--output_dir"},
                      command))
    add(here / named);  // an absolute one stands alone
  add(settings.syncFolder);
  for (const fs::path& base : {here, settings.codeDir})
    for (const char* usual : {"runs", "lightning_logs", "logs", "tb_logs"}) add(base / usual);
  return folders;
}

Result<std::unique_ptr<NodeMetrics>> NodeMetrics::open(const NodeSettings& settings,
                                                       const Environment& environment,
                                                       const std::vector<std::string>& command,
                                                       std::shared_ptr<ObjectStore> store,
                                                       Listener listener) {
  const bool onlyTells = isOwnTrainer(command);
  if (environmentValue(environment, "LOCKSTEP_METRICS") == "0" || (onlyTells && !listener)) return nullptr;
  auto patterns = linesOf(environmentValue(environment, "LOCKSTEP_METRIC_PATTERN"));
  if (auto matcher = LineMatcher::open(patterns); !matcher) {
    matcher.error().what = "LOCKSTEP_METRIC_PATTERN: " + matcher.error().what;
    return failure(matcher.error());
  }
  auto inbox = MetricsInbox::open(environmentValue(environment, "TMPDIR", "/tmp"));
  if (!inbox) {
    // A full disk is no reason not to train.
    say("warning: there will be no metrics of this node: {}", describe(inbox.error()));
    return nullptr;
  }
  std::unique_ptr<NodeMetrics> metrics(new NodeMetrics(settings, environment, std::move(store),
                                                       *std::move(inbox), std::move(patterns),
                                                       usualEventFolders(settings, command)));
  metrics->readsLines_ = environmentValue(environment, "LOCKSTEP_METRIC_LINES") != "0";
  metrics->listener_ = std::move(listener);
  metrics->onlyTells_ = onlyTells;
  return metrics;
}

NodeMetrics::NodeMetrics(const NodeSettings& settings, Environment environment,
                         std::shared_ptr<ObjectStore> store, std::unique_ptr<MetricsInbox> inbox,
                         std::vector<std::string> patterns, std::vector<fs::path> eventFolders)
    : settings_(settings),
      environment_(std::move(environment)),
      store_(std::move(store)),
      inbox_(std::move(inbox)),
      patterns_(std::move(patterns)),
      eventFolders_(std::move(eventFolders)) {}

NodeMetrics::~NodeMetrics() = default;

// A lockstep.py that comes with the code goes first.
void NodeMetrics::addTo(Environment& environment) const {
  if (onlyTells_) {
    environment["LOCKSTEP_NEWEST_FOLDER"] = inbox_->folder().string();
    return;
  }
  environment["LOCKSTEP_METRICS_FOLDER"] = inbox_->folder().string();
  std::string& path = environment["PYTHONPATH"];
  path += (path.empty() ? "" : ":") + inbox_->pythonFolder().string();
}

RankMetrics::Listener NodeMetrics::listenerOf(int rank) const {
  if (!listener_) return {};
  return [listener = listener_, rank](std::optional<Step> step, TimePoint time,
                                      const std::vector<NamedValue>& values) {
    listener(rank, step, time, values);
  };
}

void NodeMetrics::begin(std::vector<MeasuredRank> ranks, int worldSize) {
  attempt_.reset();
  if (ranks.empty()) return;
  auto lines = LineMatcher::open(patterns_);
  std::map<int, RankMetrics> metrics;
  for (const MeasuredRank& rank : ranks)
    metrics.emplace(rank.rank, RankMetrics(writerOf(rank.rank, worldSize), listenerOf(rank.rank)));
  const fs::path results = settings_.syncFolder.empty() ? fs::path("/") : settings_.syncFolder;
  const bool hasOthers = settings_.nodeCount > 1 && !onlyTells_;
  attempt_ = std::make_unique<Attempt>(
      Attempt::Sources{
          *inbox_, readsLines_ && !onlyTells_ && lines ? std::optional(*std::move(lines)) : std::nullopt,
          onlyTells_ ? std::vector<fs::path>() : eventFolders_, environment_, results,
          hasOthers ? std::optional<RunStep>(std::in_place, store_, layout::stepFile(settings_.jobId))
                    : std::nullopt,
          onlyTells_},
      std::move(ranks), std::move(metrics));
}

std::unique_ptr<MetricWriter> NodeMetrics::writerOf(int rank, int worldSize) const {
  if (onlyTells_) return nullptr;
  return std::make_unique<MetricWriter>(store_, layout::metricsFolder(settings_.jobId), Rank(rank),
                                        worldSize);
}

void NodeMetrics::onOutput(int rank, std::string_view bytes) {
  if (attempt_) attempt_->onOutput(rank, bytes);
}

void NodeMetrics::end() {
  if (attempt_) attempt_->finish(kFlushLimit);
  attempt_.reset();
}

}  // namespace lockstep::node
