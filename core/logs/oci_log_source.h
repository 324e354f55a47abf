// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "logs/log_source.h"
#include "oci/services/log_search_client.h"

namespace lockstep {

/// One node as its lines are to be labelled.
struct LogNode {
  JobRunId jobRun;
  std::string name;          // "worker_0"
  std::optional<Rank> rank;  // of its only rank; absent when it runs several: their lines carry a prefix then
};

/// The log of the OCI Logging service that all job runs of a launch write into, with one search for all of
/// them per poll. Lines appear there seconds to minutes late and out of order (oci-rest-contract 4.7), so
/// that the last 180 seconds are read again and records already seen are left out by their id. When these are
/// many, the long look back is made only now and then, with a short one in between. A long past is read in parts, the
/// oldest first, the first of them soon; before it, if that is wanted, the newest lines.
class OciLogSource final : public LogSource {
 public:
  struct Place {
    std::string compartmentId, logGroupId, logId;
  };
  /// The records of these job runs with from <= time <= to, about `most` of them: LogSearchClient::searchPart().
  using Search =
      std::function<Result<oci::LogRecords>(const std::vector<std::string>& jobRunIds, TimePoint from,
                                            TimePoint to, std::size_t most, const std::stop_token& stop)>;
  /// The newest of them: LogSearchClient::searchNewest().
  using NewestSearch = std::function<Result<oci::LogRecords>(
      const std::vector<std::string>& jobRunIds, TimePoint from, TimePoint to, const std::stop_token& stop)>;

  /// Begins with records of the time `since`: that of the run's creation.
  OciLogSource(const std::shared_ptr<oci::LogSearchClient>& client, const Place& place,
               std::vector<LogNode> nodes, TimePoint since, std::shared_ptr<Clock> clock);
  OciLogSource(Search search, NewestSearch newest, std::vector<LogNode> nodes, TimePoint since,
               std::shared_ptr<Clock> clock);

  /// Nodes that were created since. The lines of a new one are read from `since` on.
  void setNodes(std::vector<LogNode> nodes);
  Result<std::vector<LogLine>> poll(const std::stop_token& stop) override;
  [[nodiscard]] bool isBehind() const override { return past_.has_value(); }
  void startWithNewest(const std::optional<KeptLines>& kept) override;
  [[nodiscard]] std::optional<TimePoint> wholeUntil() const override;

 private:
  /// Of what was there before the first look.
  struct Past {
    TimePoint from{};    // what is older was read
    TimePoint began{};   // when the first part was asked for
    std::size_t part{};  // records to ask for next
    std::size_t records = 0;
  };
  Result<std::vector<LogLine>> readNewest(TimePoint now, const std::stop_token& stop);
  Result<std::vector<LogLine>> readPast(TimePoint now, const std::stop_token& stop);
  void endPast(const Past& past);
  [[nodiscard]] std::vector<std::string> jobRunIds() const;
  std::vector<LogLine> linesOf(const std::vector<oci::LogRecord>& records);
  [[nodiscard]] bool isShortLook() const;
  [[nodiscard]] TimePoint lookBack(std::chrono::seconds by) const;
  Result<oci::LogRecords> search(TimePoint from, TimePoint to, std::size_t most,
                                 const std::stop_token& stop) const;
  void take(const oci::LogRecord& record, std::vector<LogLine>& into);
  [[nodiscard]] const LogNode* nodeOf(const std::string& source) const;
  void forgetOld();

  Search search_;
  NewestSearch newestSearch_;
  std::vector<LogNode> nodes_;
  TimePoint since_;
  std::shared_ptr<Clock> clock_;
  std::unordered_map<std::string, TimePoint> seen_;  // record id -> its time
  std::optional<TimePoint> forgottenBefore_;         // older ids are no longer in seen_
  bool beginsWithNewest_ = false;                    // the next poll does
  std::optional<Past> past_;                         // while it is read
  std::optional<TimePoint> lastPoll_;                // of the last one that worked, and was not behind
  std::optional<TimePoint> newest_;                  // record
  std::size_t recordsInLongLook_ = 0;
  int pollsSinceLongLook_ = 0;
};

}  // namespace lockstep
