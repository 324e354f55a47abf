// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "health/health_reader.h"
#include "launch/launcher.h"
#include "launch/monitored/monitored_samples.h"
#include "logs/log_source.h"
#include "logs/open_question.h"
#include "metrics/lines/printed_samples.h"
#include "metrics/metric_reader.h"
#include "metrics/metric_store.h"

namespace lockstep {

class LogSnapshot;
struct DiagnosisReport;

/// What one look at a run brought.
struct RunUpdate {
  TrainingRun run;
  std::vector<LogLine> lines;                  // new ones, time order
  std::optional<TimePoint> linesWholeUntil{};  // LogSource::wholeUntil()
  std::shared_ptr<const LogSnapshot>
      log;  // who keeps the lines: all so far, instead of `lines`; null: none is new
  std::vector<MetricSeriesBatch> metrics;  // new ones
  std::vector<CoarsePart> parts;  // of a long past, with MetricDetail::Overview: to be taken before `metrics`
  std::shared_ptr<const MetricStore>
      samples;  // who collects them: all so far, instead of `metrics`; null: none is new
  std::shared_ptr<const RunHealth> health;  // all that is known now, and what is wrong with what lies in the
                                            // work dir; null: nothing of it is new
  std::shared_ptr<const DiagnosisReport>
      diagnosis;                       // who looks for what is wrong: what was found; null: nobody looked now
  std::chrono::nanoseconds dataLag{};  // how old the newest sample or line is; zero before the first
  int unreadableSegments = 0;
  std::uint64_t segmentsRead = 0, segmentsKnown = 0;  // of metrics, in total, as far as the last look knew
  std::uint64_t metricBytesRead = 0;                  // the same
  // More of the past is known to be there than this look had time for.
  bool areSamplesBehind = false, areLinesBehind = false;
  // These have not answered a first time yet: they will, in a later look.
  bool areSamplesAwaited = false, areLinesAwaited = false;
  bool isReading = false;       // the metrics have not answered this look: they will, in a later one
  bool isHealthKnown = true;    // false: what ranks and nodes publish could not be read in this look
  bool isWaiting = false;       // a source has not answered a first time yet: it will, in a later look
  std::vector<Error> problems;  // a source that could not be read now; the others still were
  // How soon RunFollower::pollLines() is worth calling, if that is sooner than kFollowInterval.
  std::optional<std::chrono::milliseconds> nextLines{};
  // The nodes have left no metrics, and long enough was waited for some: what the lines report may be taken instead, and what
  // the service has measured of the job runs.
  bool isWithoutMetrics = false;
  std::vector<MonitoredValue>
      monitored;  // new ones, for who reads the samples from the lines himself (startWithNewestLines)
  // The rules that have read samples from the lines, where those are read here; those of runs whose nodes do it: none.
  std::vector<LineRuleUse> lineRules;
  std::optional<Error> unmonitored{};  // why those cannot be read now; nothing else lacks for it
  bool ended = false;                  // terminal, and nothing more is going to come

  [[nodiscard]] bool isBehind() const { return areSamplesBehind || areLinesBehind; }
};

/// Looks at a run: state, logs, metrics and health, each from where the last look ended, and, where the nodes have left no
/// metrics, what Monitoring has of them, once a minute. All are asked side by
/// side, each in a thread of its own, and one that is slow holds the others up for kAnswerTime at most, and new lines, or
/// a source of lines that answers at once, for kLinesTime: its answer comes with a later look. After the run has ended it goes
/// on until all that it has left is read, and then for a few seconds until no late line comes. Blocks on the network for about
/// kAnswerTime; one owner thread, which decides how often. The end of its life stops what is being asked and waits for it.
class RunFollower {
 public:
  /// `logs`, `metrics`, `health` and `monitored` may be null: a run without a log, without a work dir that can be read, or that
  /// no service measures.
  RunFollower(TrainingRun run, std::shared_ptr<Launcher> launcher, std::unique_ptr<LogSource> logs,
              std::unique_ptr<MetricReader> metrics, std::shared_ptr<Clock> clock,
              std::unique_ptr<HealthReader> health = nullptr,
              std::unique_ptr<JobRunMetrics> monitored = nullptr);
  RunUpdate poll(const std::stop_token& stop);
  /// Between two of those, after RunUpdate::nextLines: asks for lines alone, where a source answers quickly, and brings what has
  /// come of what poll() did not wait for. `problems` are those of all sources as far as they are known; never `ended`.
  RunUpdate pollLines(const std::stop_token& stop);
  /// Parts of the past that are in sight and coarse: what is asked next reads them. MetricReader::wantFiner().
  void wantFiner(std::vector<CoarseSpan> parts) { wanted_ = std::move(parts); }
  /// Before the first poll: which rules read the lines, where they are read.
  void setLines(const LineChoice& choice) { printed_.emplace(choice); }
  /// Before the first poll: LogSource::startWithNewest().
  void startWithNewestLines(const std::optional<KeptLines>& kept) {
    if (logs_) logs_->startWithNewest(kept);
    printed_
        .reset();  // who takes lines in another order than that of their times reads samples from them himself
  }

 private:
  void ask();
  void askLogs(SteadyPoint now);
  void askMetrics(SteadyPoint now);
  void fill(RunUpdate& update);
  [[nodiscard]] std::optional<std::chrono::milliseconds> nextLines() const;
  [[nodiscard]] bool areLinesQuick() const;
  [[nodiscard]] std::chrono::milliseconds linesInterval() const;  // while they are
  [[nodiscard]] bool isOver() const;
  void waitForLines(RunUpdate& update, const std::stop_token& stop);
  void waitForOthers(std::chrono::steady_clock::time_point until, const std::stop_token& stop);
  void stopQuestions();
  void takeState(RunUpdate& update);
  void takeLogs(RunUpdate& update);
  void takeMetrics(RunUpdate& update);
  void takeHealth(RunUpdate& update);
  void takeMonitored(RunUpdate& update);
  void addPrinted(RunUpdate& update);
  void addMonitored(RunUpdate& update);
  [[nodiscard]] bool isMonitoringDue() const;
  [[nodiscard]] bool isMonitoringAwaited(const RunUpdate& update, SteadyPoint now) const;
  enum class Source { State, Logs, Metrics, Health };
  template <class Answer>
  void note(const Answer& answer, Source source, RunUpdate& update);
  void noteDatum(TimePoint time);
  [[nodiscard]] bool haveAllAnsweredSince(SteadyPoint time) const;
  void addFindings(RunUpdate& update);
  void noteEnd(RunUpdate& update);

  TrainingRun run_;
  std::shared_ptr<Launcher> launcher_;
  std::unique_ptr<LogSource> logs_;
  std::unique_ptr<MetricReader> metrics_;
  std::unique_ptr<HealthReader> health_;
  std::unique_ptr<JobRunMetrics> monitored_;
  std::shared_ptr<Clock> clock_;
  bool areLinesBehind_ = false;
  SteadyPoint linesAsked_ = SteadyPoint::min();
  std::atomic<std::chrono::nanoseconds> linesTook_{
      std::chrono::hours(1)};                     // the last answer; written in its thread
  std::array<std::optional<Error>, 4> problems_;  // of each source, what its last answer said
  bool wasLongOver_ = false;                      // when the following began: nothing is late any more
  std::optional<SteadyPoint> overSince_;
  std::optional<SteadyPoint> firstLines_;  // when they came
  std::optional<SteadyPoint> quietSince_;  // since when the run is over and nothing new came
  SteadyPoint lastNews_ = SteadyPoint::min();
  std::optional<TimePoint> newestDatum_;
  std::chrono::nanoseconds delay_{};  // of that one, when it came
  SteadyPoint newestCame_{};
  std::vector<CoarseSpan> wanted_;
  std::optional<PrintedSamples> printed_{std::in_place};  // nullopt: the nodes have left metrics
  MonitoredSamples monitoredSamples_;                     // while printed_ is there
  std::optional<Error> unmonitored_;
  bool isWithoutMetrics_ = false;  // what the last look said
  bool isEndNoted_ = false;        // by the reader of the metrics
  int unreadableSegments_ = 0;
  std::uint64_t segmentsRead_ = 0, segmentsKnown_ = 0, metricBytesRead_ = 0;
  std::vector<Error> metricFindings_;
  std::size_t reportedFindings_ = 0;
  std::shared_ptr<const RunHealth> newestHealth_;  // as it was read
  bool wasBehind_ = true;      // what the last answer said; before the first, nobody knows
  bool isHealthKnown_ = true;  // the same
  // Last, because their ends wait for what uses the members above.
  OpenQuestion<Result<TrainingRun>> stateAsked_;
  OpenQuestion<Result<std::vector<LogLine>>> logsAsked_;
  OpenQuestion<Result<MetricReader::Update>> metricsAsked_;
  OpenQuestion<Result<std::shared_ptr<const RunHealth>>> healthAsked_;
  OpenQuestion<Result<std::vector<MonitoredValue>>> monitoredAsked_;
};

/// How long to wait between two looks: 1 s while running.
inline constexpr std::chrono::milliseconds kFollowInterval{1000};
/// How long a look waits for what it asked before it brings what has come.
inline constexpr std::chrono::milliseconds kAnswerTime{500};
/// How long new lines wait for the other answers of their look.
inline constexpr std::chrono::milliseconds kLinesTime{50};
/// A source of lines that answers as quickly as kQuickAnswer, as one on this computer does, is asked again after ten times as
/// long as it took, but not before kLinesInterval: so asking takes a tenth of its time at most. Others are asked every
/// kFollowInterval, since services count the calls.
inline constexpr std::chrono::milliseconds kQuickAnswer{30}, kLinesInterval{100};
/// For how long after the end, and after the last late line, a follower goes on looking.
inline constexpr std::chrono::milliseconds kLateDataTimeout{4000};
/// For how long after its first line a run that goes on is given the time to leave metrics.
inline constexpr std::chrono::seconds kMetricsTimeout{15};
/// How long before the following began a run has to have ended for nothing of it to be late.
inline constexpr std::chrono::minutes kLongOver{10};
/// After the end, and after the last look that found more of the past than it had time for, a source that cannot be
/// read, or never falls silent, is not waited for any longer.
inline constexpr std::chrono::milliseconds kLateDataLimit{30'000};

}  // namespace lockstep
