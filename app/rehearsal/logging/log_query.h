// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "rehearsal/logging/log_row.h"

namespace lockstep::rehearsal {

/// "compartment[/log group[/log]]"
struct LogStream {
  std::string compartment, group, log;  // group, log: OCID, name or empty
};

/// One operator at work: rows go in, rows come out, at once or when the input has ended.
class LogStage {
 public:
  using Sink = std::function<void(LogRow)>;
  virtual ~LogStage() = default;
  virtual void take(LogRow row, const Sink& out) = 0;
  virtual void finish(const Sink& out) { (void)out; }
  /// How many rows it holds, for the bound on a query's memory.
  [[nodiscard]] virtual std::size_t held() const { return 0; }
};
using LogStageMaker = std::function<std::unique_ptr<LogStage>()>;

/// A parsed query (oci-rest-contract 4.7): `search "…"[, "…"] | <operator> | …` with where, sort, top, dedup,
/// select, extend, count and summarize.
struct LogQuery {
  std::vector<LogStream> streams;
  /// What the lines run through, in order.
  std::vector<LogStageMaker> stages;
  /// The lines are to be read from new to old.
  bool descending = false;
  /// Every stage works row by row, so that a page can be read without what follows it.
  bool isRowWise = true;
};

/// The error is a sentence with the place.
tl::expected<LogQuery, std::string> parseLogQuery(std::string_view text);

/// The stages of one use of a query, joined. Not thread-safe.
class LogPipeline {
 public:
  /// More rows than this are never held for a sort, a summary or the like.
  static constexpr std::size_t kMaxHeldRows = 50'000;

  explicit LogPipeline(const LogQuery& query);
  void take(LogRow row);
  void finish();
  /// What has come out, in order. Row by row when query.isRowWise, else after finish().
  std::vector<LogRow>& rows() { return rows_; }
  /// Whether the query holds too much; the search then has to be refused.
  [[nodiscard]] bool isTooLarge() const;

 private:
  void pass(std::size_t stage, LogRow row);

  std::vector<std::unique_ptr<LogStage>> stages_;
  std::vector<LogRow> rows_;
};

}  // namespace lockstep::rehearsal
